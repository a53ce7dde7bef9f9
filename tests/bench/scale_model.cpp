// Simulates hosts that take groups of tiles.
#include "tests/bench/scale_model.h"

#include "engine/tiles/ranked_run.h"
#include "engine/tiles/tile_run.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace scanloupe::bench {

namespace {

/// The share of a part that lies over a tile, seen from above.
double shareOver(const Bounds& part, const Bounds& tile) {
    double share = 1;
    for (int axis = 0; axis < 2; ++axis) {
        const double extent = part.max[axis] - part.min[axis];
        const double common =
            std::min(part.max[axis], tile.max[axis]) - std::max(part.min[axis], tile.min[axis]);
        share *= extent > 0 ? std::clamp(common / extent, 0.0, 1.0) : 1;
    }
    return share;
}

struct GroupTimes {
    double wall = 0, read = 0, work = 0, points = 0; ///< seconds, but for the points that were read
};

/// A group on a host that has nothing else to do.
GroupTimes timesOf(const IndexBox& group, const SurveySource& source, const TilePlan& plan,
                   const std::vector<std::size_t>& order, const ScaleRates& rates,
                   const ScaleCluster& cluster) {
    const std::vector<SurveyPart>& parts = source.parts();
    struct Tile {
        int missing = 0;
        double points = 0;
    };
    std::unordered_map<std::size_t, Tile> tiles;
    std::vector<std::size_t> needed;
    const auto forTiles = [&](std::size_t part, const auto& use) {
        plan.forTilesNear(parts[part].bounds, [&](std::size_t tile) {
            if (group.contains(plan.placeOf(tile)))
                use(tile);
        });
    };
    for (const std::size_t part : order) {
        bool isNeeded = false;
        forTiles(part, [&](std::size_t tile) {
            Tile& one = tiles[tile];
            ++one.missing;
            one.points += double(parts[part].points) * shareOver(parts[part].bounds, plan.boundsOf(tile));
            isNeeded = true;
        });
        if (isNeeded)
            needed.push_back(part);
    }
    GroupTimes times;
    std::vector<double> free(std::size_t(cluster.workersPerHost)); // when each worker is
    const double slowed = cluster.storage > 0 ? rates.bytesRead * cluster.hosts / cluster.storage : 0;
    for (const std::size_t part : needed) {
        times.points += double(parts[part].points);
        times.read += double(parts[part].points) * std::max(rates.read, slowed);
        forTiles(part, [&](std::size_t tile) {
            Tile& one = tiles[tile];
            if (--one.missing > 0)
                return;
            const auto next = std::ranges::min_element(free);
            const double seconds = one.points * (rates.compute + rates.write);
            *next = std::max(*next, times.read) + seconds;
            times.work += seconds;
        });
    }
    times.wall = std::max(times.read, *std::ranges::max_element(free));
    return times;
}

} // namespace

ScalePrediction predictScale(const SurveySource& source, const TilePlan& plan, const ScaleRates& rates,
                             const ScaleCluster& cluster) {
    double points = 0;
    for (const SurveyPart& part : source.parts())
        points += double(part.points);
    const std::vector<IndexBox> groups = cluster.hosts > 1 ? tileGroups(plan, source.parts(), cluster.hosts)
                                                           : std::vector<IndexBox>{{{0, 0, 0}, plan.tiles()}};
    const std::vector<std::size_t> order = readingOrder(source.parts(), plan);
    std::vector<double> free(std::size_t(cluster.hosts)); // when each host is
    GroupTimes all;
    for (const IndexBox& group : groups) {
        const GroupTimes times = timesOf(group, source, plan, order, rates, cluster);
        *std::ranges::min_element(free) += times.wall;
        all.read += times.read;
        all.work += times.work;
        all.points += times.points;
    }
    ScalePrediction found;
    found.wall = *std::ranges::max_element(free);
    found.readTimes = all.points / points;
    if (cluster.storage > 0)
        found.storageTime = (all.points * rates.bytesRead + points * rates.bytesWritten) / cluster.storage;
    const double read = all.read / cluster.hosts, work = all.work / (cluster.hosts * cluster.workersPerHost);
    found.wall = std::max(found.wall, found.storageTime);
    found.readShare = read / found.wall;
    found.workShare = work / found.wall;
    const double most = std::max({read, work, found.storageTime});
    found.binds = most == found.storageTime ? "storage" : most == read ? "reading" : "computing";
    if (most < 0.7 * found.wall)
        found.binds = "waiting for each other"; // too few tiles, or too few groups
    return found;
}

} // namespace scanloupe::bench
