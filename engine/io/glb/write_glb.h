#pragma once
// Declares the GLB writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Writes binary glTF 2.0. Coordinates are relative to the origin, which is the translation of the mesh's
/// node. The parent node rotates z up to y up, since glTF requires y up. Colours are linear, as glTF
/// requires.
void writeGlbMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in GLB, as messages without a full stop.
void addGlbLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
