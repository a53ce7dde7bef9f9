// Fills in the recipes of runs that end with the voxels.
#include "engine/run/pipeline/voxels_alone.h"

#include "engine/recipe/recipe.h"

namespace scanloupe {

Recipe forVoxelsAlone(Recipe recipe) {
    const bool readsUp = recipe.rangeRotation != 0;
    recipe.field = recipe.field.value_or(FieldKind::occupancy);
    recipe.sensor = recipe.sensor.value_or(Vec3d{});
    if (!readsUp)
        recipe.up = recipe.up.value_or(UpAxis::z);
    recipe.colourBy = "height";
    return recipe;
}

Recipe chosenForVoxels(const Recipe& asked, const Recipe& resolved) {
    Recipe chosen = asked;
    chosen.rangeMin = resolved.rangeMin, chosen.rangeMax = resolved.rangeMax;
    chosen.outerMin = resolved.outerMin, chosen.outerMax = resolved.outerMax;
    chosen.voxelSize = resolved.voxelSize;
    if (asked.rangeRotation != 0)
        chosen.up = resolved.up;
    return chosen;
}

} // namespace scanloupe
