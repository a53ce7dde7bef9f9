// Simulates how many points of tiles are in memory between reading a part and computing a tile.
#include "engine/survey/tiles/waiting_points.h"

#include "engine/cloud/attribute.h"
#include "engine/survey/tiles/tile_run.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace scanloupe {

namespace {

/// A tile near parts that are not read yet.
struct IncompleteTile {
    std::size_t parts = 0;
    double points = 0; ///< number of points from the parts read so far
};

} // namespace

double shareIn(const Bounds& box, const Bounds& other, int axes) {
    double share = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const double extent = box.max[axis] - box.min[axis];
        const double common =
            std::min(box.max[axis], other.max[axis]) - std::max(box.min[axis], other.min[axis]);
        share *= extent > 0 ? std::clamp(common / extent, 0.0, 1.0) : 1;
    }
    return share;
}

std::vector<std::vector<TileShare>> sharesInOrder(const std::vector<SurveyPart>& parts,
                                                  const TilePlan& plan) {
    std::vector<std::vector<TileShare>> order;
    for (const std::size_t number : readingOrder(parts, plan)) {
        const SurveyPart& part = parts[number];
        std::vector<TileShare>& shares = order.emplace_back();
        plan.forTilesNear(part.bounds, [&](std::size_t tile) {
            shares.push_back({tile, double(part.points) * shareIn(part.bounds, plan.boundsNear(tile))});
        });
    }
    return order;
}

std::vector<std::vector<TileShare>> sharesOfGroup(const std::vector<std::vector<TileShare>>& order,
                                                  const TilePlan& plan, const IndexBox& group) {
    std::vector<std::vector<TileShare>> own;
    for (const std::vector<TileShare>& part : order) {
        std::vector<TileShare> shares;
        std::ranges::copy_if(part, std::back_inserter(shares), [&](const TileShare& share) {
            return group.contains(plan.placeOf(share.tile));
        });
        if (!shares.empty())
            own.push_back(std::move(shares));
    }
    return own;
}

double maxWaitingPoints(const std::vector<std::vector<TileShare>>& order, double readAhead) {
    std::unordered_map<std::size_t, IncompleteTile> tiles;
    for (const std::vector<TileShare>& part : order)
        for (const TileShare& share : part)
            ++tiles[share.tile].parts;
    double incomplete = 0, complete = 0, most = 0;
    for (const std::vector<TileShare>& part : order) {
        complete = std::min(complete, readAhead);
        for (const TileShare& share : part) {
            tiles[share.tile].points += share.points;
            incomplete += share.points;
        }
        most = std::max(most, incomplete + complete);
        for (const TileShare& share : part)
            if (IncompleteTile& tile = tiles[share.tile]; --tile.parts == 0) {
                incomplete -= tile.points;
                complete += tile.points;
            }
    }
    return most;
}

} // namespace scanloupe
