#pragma once
// Declares the user's warnings about a reference mesh.
#include <string>
#include <vector>

namespace scanloupe {

struct MeshFile;
struct ReferenceMesh;

/// Sentences on the defects of a mesh, of its file and of its surface. Such a mesh is used nevertheless.
std::vector<std::string> warningsOf(const MeshFile& file, const ReferenceMesh& reference);

} // namespace scanloupe
