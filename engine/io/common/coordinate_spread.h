#pragma once
// Measures robustly how far coordinates are spread. Numbers that are read with a wrong type spread over many
// powers of ten.
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Quantiles of the absolute deviations from the median, of values that differ from it.
struct ValueSpread {
    double medianDeviation = 0; ///< median absolute deviation
    double deviation95 = 0;     ///< 95th percentile of the absolute deviations
};

/// Ignores NaN and infinities.
ValueSpread measureSpread(std::vector<double> values);

/// Words a warning for a cloud whose extent is more than a hundred thousand times the median absolute
/// deviation, or more than any unit of length explains; nothing for other clouds, and for fewer than 16
/// points.
std::optional<std::string> spreadWarning(const PointCloud& cloud);

} // namespace scanloupe
