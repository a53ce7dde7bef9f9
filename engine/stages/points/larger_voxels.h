#pragma once
// Words the advice to take larger voxels, where a stage would not fit into the memory.
#include <string>

namespace scanloupe {

struct Recipe;

/// Advises voxels `factor` times as large as those of a resolved recipe.
std::string takeLargerVoxels(const Recipe& resolved, double factor);
/// "0.1", or "0.1 x 0.1 x 0.2".
std::string voxelSizeText(const Recipe& resolved);

} // namespace scanloupe
