// Chooses the recipe with which a scan is opened.
#include "gui/jobs/opening.h"

#include "engine/recipe/colour_mode.h"

namespace scanloupe::gui {

Recipe recipeFor(const LoadedScan& loaded, Recipe recipe) {
    if (loaded.opening.as == Opening::As::frame || loaded.opening.as == Opening::As::rest)
        return recipe;
    if (loaded.opening.as == Opening::As::before)
        return loaded.opening.recipe;
    recipe.rangeMin = recipe.rangeMax = recipe.voxelSize = std::nullopt;
    recipe.colourLow = recipe.colourHigh = std::nullopt;
    recipe.field = std::nullopt;
    recipe.sensor = std::nullopt; // the other scan's sensor was elsewhere
    recipe.up = std::nullopt;
    recipe.radius = recipe.iso = std::nullopt;
    recipe.minComponentTriangles = Recipe{}.minComponentTriangles; // chosen for the other scan's surface
    recipe.decimateTo = Recipe{}.decimateTo;
    recipe.pointExtent = Recipe{}.pointExtent; // metres that suit a street are too many for a statue
    recipe.camera = std::nullopt;
    const bool kept = colourModeOf(recipe.colourBy).data == ColourData::none ||
                      (colourModeOf(recipe.colourBy).data == ColourData::voxelValues && loaded.scan->cloud);
    if (!kept)
        recipe.colourBy = Recipe{}.colourBy;
    if (!loaded.opening.colourBy.empty())
        recipe.colourBy = loaded.opening.colourBy;
    return recipe;
}

} // namespace scanloupe::gui
