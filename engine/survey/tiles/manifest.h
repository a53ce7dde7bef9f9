#pragma once
// Declares the JSON documents of a tiling job.
#include "engine/survey/tiles/tile_run.h"

#include <string>

namespace scanloupe {

struct Recipe;

/// Returns all inputs of a job except the points as JSON: parameters, frame, tiles, and the version of the
/// program.
std::string jobDescription(const TilePlan& plan, const TileEndings& endings);

/// Returns the description of a finished job as JSON (schema scanloupe/tiles): its inputs, total counts, a
/// row for each tile, and the checksum of the whole surface, which does not depend on the tile size.
std::string manifestOf(const TilePlan& plan, const Recipe& recipe, const TileRunReport& report);

} // namespace scanloupe
