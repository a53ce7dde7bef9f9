#pragma once
// Declares the OBJ writer.
#include "engine/io/common/write/mesh_job.h"

namespace scanloupe::detail {

/// Text with normals. Colours follow the coordinates in vertex lines, as most programs expect them.
void writeObjMesh(std::ostream& stream, const MeshJob& job);
/// Adds what a mesh loses in OBJ, a sentence each without its full stop.
void addObjLosses(bool hasColours, const WriteOptions& options, std::vector<std::string>& losses);

} // namespace scanloupe::detail
