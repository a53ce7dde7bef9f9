#pragma once
// Declares recipes of runs that end with the voxels, and choose nothing else from the data.

namespace scanloupe {

struct Recipe;

/// The recipe with values for what voxels do not depend on, so that nothing of it is chosen from the data.
Recipe forVoxelsAlone(Recipe recipe);
/// The values that such a run has chosen; the others are as they were asked for.
Recipe chosenForVoxels(const Recipe& asked, const Recipe& resolved);

} // namespace scanloupe
