#pragma once
// Declares what people are told of a reference mesh.
#include "engine/inspect/reference.h"

#include <string>
#include <vector>

namespace scanloupe {

/// Sentences on what is wrong with a mesh, of its file and of its surface: it is measured from all the same.
std::vector<std::string> warningsOf(const MeshFile& file, const ReferenceMesh& reference);

} // namespace scanloupe
