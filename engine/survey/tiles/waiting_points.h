#pragma once
// Declares the forecast of the maximum number of points that wait in memory during a tiling job.
#include "engine/survey/source/survey_source.h"
#include "engine/survey/tiles/tile_plan.h"

#include <cstddef>
#include <vector>

namespace scanloupe {

/// Number of points of a part that a tile requires. Other tiles may require some of the same points.
struct TileShare {
    std::size_t tile = 0;
    double points = 0;
};

/// Returns the fraction of a box that is inside another one, considering only the first `axes` axes; 0 to 1.
double shareIn(const Bounds& box, const Bounds& other, int axes = 3);

/// Returns the expected number of points that each tile requires from each part, in the order of
/// readingOrder(). Assumes that points are spread evenly over the box of their part.
std::vector<std::vector<TileShare>> sharesInOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Restricts the shares to the tiles of a group and the parts that they require.
std::vector<std::vector<TileShare>> sharesOfGroup(const std::vector<std::vector<TileShare>>& order,
                                                  const TilePlan& plan, const IndexBox& group);

/// Returns the maximum number of points that wait at the same time while runTiles() reads parts in the given
/// order. It includes points of incomplete tiles, of complete tiles in the queue, and of the part being read.
/// Assumes that workers are slower than the reader, and that the reader waits until the queue has at most
/// `readAhead` points before it reads a part. @param order [parts, tiles] for each part, the shares of the
/// tiles that require it
double maxWaitingPoints(const std::vector<std::vector<TileShare>>& order, double readAhead);

} // namespace scanloupe
