// Detects implausibly spread coordinates by the median absolute deviation.
#include "engine/io/common/coordinate_spread.h"

#include "engine/cloud/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {
constexpr std::size_t kMinPoints = 16;
constexpr std::size_t kSample = 16384;
// Maximum ratio of the extent to the median absolute deviation. It is at most 500 in real scans, and 10^8 if
// half floats are read as floats.
constexpr double kMaxSpreadRatio = 1e5;
constexpr double kMaxExtent = 1e12; // a thousand kilometres in micrometres
} // namespace

ValueSpread measureSpread(std::vector<double> values) {
    std::erase_if(values, [](double v) { return !std::isfinite(v); });
    if (values.empty())
        return {};
    const auto percentile = [&](std::size_t percent) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
        std::nth_element(values.begin(), at, values.end());
        return *at;
    };
    const double median = percentile(50);
    for (double& value : values)
        value = std::abs(value - median);
    std::erase(values, 0.0); // zeros from coincident points, such as (0, 0, 0) for missing ones, would make
                             // the median 0
    if (values.empty())
        return {};
    const double medianDeviation = percentile(50);
    return {medianDeviation, percentile(95)};
}

std::optional<std::string> spreadWarning(const PointCloud& cloud) {
    if (cloud.size() < kMinPoints)
        return std::nullopt;
    const std::size_t step = std::max<std::size_t>(1, cloud.size() / kSample);
    double medianDeviation = 0, extent = 0;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> values;
        for (std::size_t i = 0; i < cloud.size(); i += step)
            values.push_back(cloud.position(i)[axis]);
        medianDeviation = std::max(medianDeviation, measureSpread(std::move(values)).medianDeviation);
        extent = std::max(extent, cloud.bounds().max[axis] - cloud.bounds().min[axis]);
    }
    if (medianDeviation == 0 || !(extent > kMaxSpreadRatio * medianDeviation || extent > kMaxExtent))
        return std::nullopt;
    return fmt::format("Some coordinates are probably wrong: half of the points are within {:.3g} of the "
                       "median, but the extent is {:.3g}. Exclude outliers by a range, or check that the "
                       "file was read with the right format and columns.",
                       medianDeviation, extent);
}

} // namespace scanloupe
