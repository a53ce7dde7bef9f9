#pragma once
// Declares the documents of a job in tiles.
#include "engine/tiles/tile_run.h"

#include <string>

namespace scanloupe {

struct Recipe;

/// All inputs of a job but the points, as JSON: values, frame, tiles, and the program.
std::string jobDescription(const TilePlan& plan, const TileEndings& endings);

/// A finished job as JSON (scanloupe/tiles): its inputs, its sums, a row for each tile, and the checksum of
/// the whole surface, which does not depend on the tiles.
std::string manifestOf(const TilePlan& plan, const Recipe& recipe, const TileRunReport& report);

} // namespace scanloupe
