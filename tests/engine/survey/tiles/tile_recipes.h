#pragma once
// Recipes of surveys for tests.
#include "engine/recipe/recipe.h"

namespace scanloupe::test {

/// A recipe for density fields with all values that tiles require.
inline Recipe densityRecipe() {
    Recipe recipe;
    recipe.voxelSize = Vec3d{0.25, 0.25, 0.25};
    recipe.field = FieldKind::density;
    recipe.iso = 60;
    return recipe;
}

} // namespace scanloupe::test
