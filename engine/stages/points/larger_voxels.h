#pragma once
// Declares the suggestion to use larger voxels, for stages that would not fit in memory.
#include <string>

namespace scanloupe {

struct Recipe;

/// Returns the suggestion of voxels that are `factor` times as large as those of a resolved recipe.
std::string takeLargerVoxels(const Recipe& resolved, double factor);
/// Formats the voxel size as "0.1" or "0.1 x 0.1 x 0.2".
std::string voxelSizeText(const Recipe& resolved);

} // namespace scanloupe
