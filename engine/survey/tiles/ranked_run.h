#pragma once
// Declares tiling jobs that are shared by several processes, on one machine or on several machines with a
// common file system.
#include "engine/survey/tiles/rank_link.h"
#include "engine/survey/tiles/tile_run.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Divides the tiles into groups of neighbours: several for each rank, so that all ranks finish at about the
/// same time. Each rank reads the parts that its group needs, so parts at the border of two groups are read
/// twice. The division minimizes such repeated reads, and has fewer groups if there would be too many.
std::vector<IndexBox> tileGroups(const TilePlan& plan, const std::vector<SurveyPart>& parts, int ranks);

/// Runs a job on several ranks. Rank 0 hands out groups one at a time, and also processes some itself. Each
/// rank reads, computes and writes its groups. @returns the report of all ranks on rank 0; nullopt on the
/// others @throws as runTiles()
std::optional<TileRunReport> runRanked(const SurveySource& source, const TilePlan& plan,
                                       const TileStore& store, const TileRunOptions& options, RankLink& link,
                                       const std::stop_token& stop);

} // namespace scanloupe
