#pragma once
// Declares the STL writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Writes binary STL. Since STL only has single precision, coordinates are relative to the origin, which the
/// file's title states.
void writeStlMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in STL, as messages without a full stop.
void addStlLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
