#pragma once
// Declares recipes of runs that end with the voxels, for which no other parameters are chosen from the data.

namespace scanloupe {

struct Recipe;

/// Returns the recipe with fixed values for all parameters that voxels do not depend on, so that these are
/// not chosen from the data.
Recipe forVoxelsAlone(Recipe recipe);
/// Returns `asked` with the values for voxels that such a run has chosen.
Recipe chosenForVoxels(const Recipe& asked, const Recipe& resolved);

} // namespace scanloupe
