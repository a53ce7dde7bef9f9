#pragma once
// Declares a robust measure of the spread of coordinates. Numbers that are read with a wrong type are spread
// over many powers of ten.
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Quantiles of the absolute deviations from the median, of values that differ from the median.
struct ValueSpread {
    double medianDeviation = 0; ///< median absolute deviation
    double deviation95 = 0;     ///< 95th percentile of the absolute deviations
};

/// Computes the spread of values. NaN and infinities are ignored.
ValueSpread measureSpread(std::vector<double> values);

/// Returns a warning if the extent of a cloud is more than 10^5 times the median absolute deviation, or too
/// large for any unit of length. nullopt for other clouds, and for fewer than 16 points.
std::optional<std::string> spreadWarning(const PointCloud& cloud);

} // namespace scanloupe
