#pragma once
// Declares the STL writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Writes binary STL. STL only has single precision, so coordinates are relative to the origin, which the
/// file's title states.
void writeStlMesh(std::ostream& stream, const MeshJob& job);
/// Adds messages without a full stop about the parts of a mesh that STL can't store.
void addStlLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
