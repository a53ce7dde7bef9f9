#pragma once
// Declares the maximum number of points of a job in tiles that wait in memory.
#include "engine/tiles/survey/survey_source.h"
#include "engine/tiles/tile_plan.h"

#include <cstddef>
#include <vector>

namespace scanloupe {

/// Points of a part that a tile needs; other tiles may need some of them, too.
struct TileShare {
    std::size_t tile = 0;
    double points = 0;
};

/// The fraction of a box that lies in another one, along the first `axes` axes; 0 to 1.
double shareIn(const Bounds& box, const Bounds& other, int axes = 3);

/// For each part in readingOrder(), the expected number of points that each tile needs: points are spread
/// evenly over the box of their part.
std::vector<std::vector<TileShare>> sharesInOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// As above, for a process that computes the tiles of a group and reads the parts that they need.
std::vector<std::vector<TileShare>> sharesOfGroup(const std::vector<std::vector<TileShare>>& order,
                                                  const TilePlan& plan, const IndexBox& group);

/// The maximum number of points that wait at once while runTiles() reads parts in the given order: those of
/// incomplete tiles, those of complete tiles in the queue, and those of the part being read. Assumes that
/// workers are slower than the reader, which waits until the queue has at most `readAhead` points before it
/// reads a part. @param order [parts, tiles] for each part the shares of the tiles that need it
double maxWaitingPoints(const std::vector<std::vector<TileShare>>& order, double readAhead);

} // namespace scanloupe
