#pragma once
// Declares the OBJ writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Writes a mesh with normals. Colours follow the coordinates in vertex lines, as most programs expect.
void writeObjMesh(std::ostream& stream, const MeshJob& job);
/// Adds messages without a full stop about the parts of a mesh that OBJ can't store.
void addObjLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
