#pragma once
// How far coordinates reach beyond where most of them lie: numbers that are read as what they are not reach
// over many powers of ten.
#include "engine/cloud/point_cloud.h"

#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// Distances from the median, of values that differ from it.
struct ValueSpread {
    double medianDeviation = 0; ///< of one half of them at most
    double deviation95 = 0;     ///< of 95 of 100 at most
};

/// NaN and infinities don't count.
ValueSpread measureSpread(std::vector<double> values);

/// A sentence for a cloud whose coordinates reach a hundred thousand times as far as one half of them, or
/// farther than any unit of length explains; nothing for others, and for a handful of points.
std::optional<std::string> spreadWarning(const PointCloud& cloud);

} // namespace scanloupe
