#pragma once
// Reads and writes recipes as JSON.
#include <filesystem>
#include <stop_token>
#include <string>

namespace scanloupe {

struct Recipe;

/// A recipe as readable JSON: {"scanloupe_recipe": 1, "voxel_size": [x, y, z], "field": "density", ...};
/// parameters that are chosen from the data are "auto". A name that is invalid UTF-8 is
/// {"latin1": "..."}, with a Latin-1 character for each of its bytes.
std::string toJson(const Recipe& recipe);
/// @throws EngineError naming the line or the key that is wrong.
Recipe recipeFromJson(const std::string& text);
/// @throws EngineError, also when `path` is no file or larger than 256 MiB
Recipe readRecipe(const std::filesystem::path& path);
/// @throws EngineError; Cancelled
void writeRecipe(const std::filesystem::path& path, const Recipe& recipe, const std::stop_token& stop = {});

} // namespace scanloupe
