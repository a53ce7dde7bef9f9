// Selects the points that are written: a range that was chosen from the data leaves none out.
#include "engine/results/point_export.h"

#include "engine/cloud/point_cloud.h"
#include "engine/io/points_in_range.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

#include <bit>
#include <limits>

namespace scanloupe {

namespace {

bool hasOwnRange(const Recipe& asked) {
    return asked.rangeMin || asked.rangeMax || asked.rangeRotation != 0;
}

/// Whether the recipe has an explicit box that contains all kept points.
bool hasOwnBox(const Recipe& asked) {
    return asked.rangeInverted ? asked.outerMin.has_value() : hasOwnRange(asked);
}

/// Bounds of the kept points: unlimited without limits in the recipe.
Bounds boundsToWrite(const Recipe& asked, const Recipe& resolved) {
    if (hasOwnBox(asked))
        return gridBounds(resolved);
    constexpr double all = std::numeric_limits<float>::max(); // coordinates of removed points
    return {{-all, -all, -all}, {all, all, all}};
}

} // namespace

bool limitsPoints(const Recipe& asked) {
    return hasOwnRange(asked) || asked.rangeInverted || asked.section.has_value();
}

std::vector<std::size_t> rowsToWrite(const PointCloud& cloud, const Recipe& asked, const Recipe& resolved,
                                     const std::stop_token& stop) {
    if (!limitsPoints(asked))
        return rowsLeft(cloud, stop);
    return rowsInRange(cloud, boundsToWrite(asked, resolved), pointCut(resolved, cloud.origin()), stop);
}

std::optional<std::uint64_t> countToWrite(const Snapshot& snapshot) {
    if (limitsPoints(snapshot.recipe))
        return hasOwnBox(snapshot.recipe) ? std::optional(snapshot.voxels->stats.pointsInRange)
                                          : std::nullopt;
    std::uint64_t count = snapshot.cloud->size();
    if (const PointSet* removed = snapshot.cloud->removed())
        for (std::size_t w = 0; w < removed->words.size(); ++w)
            count -= std::uint64_t(std::popcount(removed->words[w]));
    return count;
}

} // namespace scanloupe
