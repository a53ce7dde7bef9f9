#pragma once
// Declares the GLB writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Binary glTF 2.0. Coordinates are relative to the origin, which is the translation of the mesh's node; its
/// parent node rotates z up to y up. Both this and the linear colours are required by glTF.
void writeGlbMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in GLB, a sentence each without its full stop.
void addGlbLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
