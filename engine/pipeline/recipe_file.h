#pragma once
#include "engine/pipeline/recipe.h"

#include <filesystem>
#include <string>

namespace scanloupe {

/// A recipe as readable JSON: {"scanloupe_recipe": 1, "voxel_size": [x, y, z], "field": "density", ...};
/// parameters that are chosen from the data are "auto".
std::string toJson(const Recipe& recipe);
/// @throws EngineError naming the line or the key that is wrong.
Recipe recipeFromJson(const std::string& text);
/// @throws EngineError
Recipe readRecipe(const std::filesystem::path& path);
void writeRecipe(const std::filesystem::path& path, const Recipe& recipe);

} // namespace scanloupe
