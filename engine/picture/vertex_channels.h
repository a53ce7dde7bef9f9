#pragma once
// Transfers attributes of voxels to the vertices of a mesh, and colours them for export.
#include "engine/io/writers.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct MeshChannel;
struct Snapshot;

/// Colours of the mesh's vertices as in its picture, for export: [M] RGBA. @throws EngineError; Cancelled.
std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop);

/// Attributes of the voxels at the mesh's vertices, for export; none for a volume.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
