#pragma once
// Declares the OBJ writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Writes text with normals. Colours follow the coordinates in vertex lines, as most programs expect.
void writeObjMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in OBJ, as messages without a full stop.
void addObjLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
