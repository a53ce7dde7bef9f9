#pragma once
// Declares the STL writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Binary. STL has single precision only: coordinates are relative to the origin, which the file's title
/// names.
void writeStlMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in STL, a sentence each without its full stop.
void addStlLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
