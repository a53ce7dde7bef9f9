#pragma once
// Declares the transfer of voxel attributes and colours to the vertices of a mesh, for export.
#include "engine/io/writers.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct MeshChannel;
struct Snapshot;

/// Returns the colours of the mesh's vertices as in its picture, [M] RGBA. @throws EngineError; Cancelled.
std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop);

/// Returns the attributes of the voxels at the mesh's vertices; empty for a volume.
std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
