#pragma once
// Declares the documents of a job in tiles.
#include "engine/recipe/recipe.h"
#include "engine/tiles/tile_run.h"

#include <string>

namespace scanloupe {

/// What decides the tiles of a job but for the points, as JSON: values, frame, tiles, and the program.
std::string jobDescription(const TilePlan& plan, const TileEndings& endings);

/// A finished job as JSON (scanloupe/tiles): what it was made with, its sums, a row for each tile, and the
/// checksum of the whole surface, which does not depend on the tiles.
std::string manifestOf(const TilePlan& plan, const Recipe& recipe, const TileRunReport& report);

} // namespace scanloupe
