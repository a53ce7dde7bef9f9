#pragma once
// Declares warnings about reference meshes.
#include <string>
#include <vector>

namespace scanloupe {

struct MeshFile;
struct ReferenceMesh;

/// Returns sentences on the defects of a mesh, both of its file and of its surface. The mesh is used
/// nevertheless.
std::vector<std::string> warningsOf(const MeshFile& file, const ReferenceMesh& reference);

} // namespace scanloupe
