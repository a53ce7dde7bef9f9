#pragma once
// Declares jobs in tiles that several processes share, on one machine or on several that see the same files.
#include "engine/tiles/rank_link.h"
#include "engine/tiles/tile_run.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Groups of neighbouring tiles, several for each rank, so that ranks finish at about the same time. A rank
/// reads the parts that its group needs, so that parts at the border of two groups are read twice: groups are
/// split to minimize this, and there are fewer where it would be much.
std::vector<IndexBox> tileGroups(const TilePlan& plan, const std::vector<SurveyPart>& parts, int ranks);

/// Rank 0 hands out the groups, one at a time, and works on some itself; each rank reads, computes and writes
/// its groups. Rank 0 returns the report of all ranks, the others none. @throws as runTiles()
std::optional<TileRunReport> runRanked(const SurveySource& source, const TilePlan& plan,
                                       const TileStore& store, const TileRunOptions& options, RankLink& link,
                                       const std::stop_token& stop);

} // namespace scanloupe
