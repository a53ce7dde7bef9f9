#pragma once
// Reads and writes recipes as JSON.
#include <filesystem>
#include <stop_token>
#include <string>

namespace scanloupe {

struct Recipe;

/// Writes a recipe as readable JSON: {"scanloupe_recipe": 1, "voxel_size": [x, y, z], "field": "density",
/// ...}. Automatic parameters are "auto". A name that is invalid UTF-8 becomes {"latin1": "..."}, with one
/// Latin-1 character per byte.
std::string toJson(const Recipe& recipe);
/// Reads a recipe from JSON. @throws EngineError naming the wrong line or key.
Recipe recipeFromJson(const std::string& text);
/// Reads a recipe file. @throws EngineError, also if `path` is not a file or is larger than 256 MiB
Recipe readRecipe(const std::filesystem::path& path);
/// Writes a recipe file. @throws EngineError; Cancelled
void writeRecipe(const std::filesystem::path& path, const Recipe& recipe, const std::stop_token& stop = {});

} // namespace scanloupe
