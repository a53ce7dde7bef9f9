// Simulates hosts that process groups of tiles.
#include "tests/bench/scale_model.h"

#include "engine/survey/tiles/ranked_run.h"
#include "engine/survey/tiles/tile_memory.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace scanloupe::bench {

namespace {

struct GroupTimes {
    double wall = 0, read = 0, work = 0, points = 0; ///< seconds; `points`: number of points that were read
};

/// Times of a group on an otherwise idle host.
GroupTimes timesOf(const IndexBox& group, const SurveySource& source, const TilePlan& plan,
                   const std::vector<std::size_t>& order, const std::vector<double>& points,
                   const ScaleRates& rates, const ScaleCluster& cluster) {
    const std::vector<SurveyPart>& parts = source.parts();
    std::unordered_map<std::size_t, int> missing; // number of parts that each tile still waits for
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
            ++missing[tile];
            isNeeded = true;
        });
        if (isNeeded)
            needed.push_back(part);
    }
    GroupTimes times;
    std::vector<double> free(std::size_t(cluster.workersPerHost)); // time at which each worker becomes idle
    const double slowed = cluster.storage > 0 ? rates.bytesRead * cluster.hosts / cluster.storage : 0;
    for (const std::size_t part : needed) {
        times.points += double(parts[part].points);
        times.read += double(parts[part].points) * std::max(rates.read, slowed);
        forTiles(part, [&](std::size_t tile) {
            if (--missing[tile] > 0)
                return;
            const auto next = std::ranges::min_element(free);
            const double seconds = points[tile] * (rates.compute + rates.write);
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
    const std::vector<double> ofTiles = expectedPoints(source.parts(), plan);
    std::vector<double> free(std::size_t(cluster.hosts)); // time at which each host becomes idle
    GroupTimes all;
    for (const IndexBox& group : groups) {
        const GroupTimes times = timesOf(group, source, plan, order, ofTiles, rates, cluster);
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
        found.binds = "waiting for each other"; // there are too few tiles or too few groups
    return found;
}

} // namespace scanloupe::bench
