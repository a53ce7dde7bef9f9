// Chooses the recipe with which a scan is opened.
#include "gui/jobs/opening.h"

#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"

namespace scanloupe::gui {

std::optional<Bounds> rangeToRead(const Recipe& recipe) {
    if (!recipe.rangeMin || !recipe.rangeMax || recipe.rangeRotation != 0 || recipe.rangeInverted)
        return std::nullopt;
    return Bounds{*recipe.rangeMin, *recipe.rangeMax};
}

Recipe recipeFor(const LoadedScan& loaded, Recipe recipe) {
    if (loaded.opening.as == Opening::As::frame || loaded.opening.as == Opening::As::rest)
        return recipe;
    if (loaded.opening.as == Opening::As::before)
        return loaded.opening.recipe;
    recipe = forAnotherScan(std::move(recipe), loaded.scan->volume != nullptr);
    if (!loaded.opening.colourBy.empty())
        recipe.colourBy = loaded.opening.colourBy;
    return recipe;
}

} // namespace scanloupe::gui
