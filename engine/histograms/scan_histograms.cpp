// Computes histograms of coordinates and fields.
#include "engine/histograms/scan_histograms.h"

#include "kernels/histogram/operators.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

using Shared = std::shared_ptr<const Histogram>;

constexpr std::size_t kSample = 1'000'000; // values; a bin's share is then known to some percent of itself

/// The middle 99 % of a sample.
ValueRange middle(std::vector<double> sample) {
    const auto quantile = [&](double share) {
        const auto at = sample.begin() + std::llround(share * double(sample.size() - 1));
        std::nth_element(sample.begin(), at, sample.end());
        return *at;
    };
    const double low = quantile(0.005), high = quantile(0.995);
    return {low, high};
}

/// The limits of the histograms along all axes, in the file's frame: the bounds, clipped to the middle 99 %
/// of a sample with its width on either side, as the automatic range is.
std::array<ValueRange, 3> axisLimits(const Snapshot& snapshot) {
    const Bounds& bounds = snapshot.cloud->bounds();
    std::array<ValueRange, 3> limits;
    double diagonal = 0, longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double> sample;
        for (const Vec3f& p : snapshot.points->framingSample())
            if (std::isfinite(p[axis]))
                sample.push_back(double(p[axis]) + snapshot.origin()[axis]);
        ValueRange& own = limits[std::size_t(axis)];
        own = sample.empty() ? ValueRange{bounds.min[axis], bounds.max[axis]} : middle(std::move(sample));
        diagonal = std::hypot(diagonal, own.max - own.min);
    }
    for (int axis = 0; axis < 3; ++axis) {
        ValueRange& own = limits[std::size_t(axis)];
        // points of a planar scan are no outliers by their noise
        const double width = std::max(own.max - own.min, 0.05 * diagonal);
        own = {std::max(bounds.min[axis], own.min - width), std::min(bounds.max[axis], own.max + width)};
        longest = std::max(longest, own.max - own.min);
    }
    for (ValueRange& own : limits) { // so that the outermost points lie clearly between them
        const double largest = std::max(std::abs(own.min), std::abs(own.max));
        const double rim = std::max({1e-3 * longest, 1e-6, 1e-14 * largest});
        own = {own.min - rim, own.max + rim};
    }
    return limits;
}

HistogramColumn coordinates(const PointCloud& cloud, int axis) {
    return std::visit(
        [&]<class P>(const P& positions) -> HistogramColumn {
            HistogramColumn column;
            column.count = positions.xyz.size();
            column.spacing = 3;
            if (column.count > 0)
                column.data = &positions.xyz.data()->x + axis;
            if constexpr (std::is_same_v<P, DoublePositions>)
                column.type = ScalarType::float64;
            if constexpr (std::is_same_v<P, ScaledPositions>) {
                column.type = ScalarType::int32;
                column.factor = positions.scale[axis];
                column.offset = positions.offset[axis];
            }
            return column;
        },
        cloud.positions());
}

/// Of a sample on the host, of all values on the device.
Shared counted(const HistogramColumn& column, const ValueRange& limits, const Execution& on) {
    HistogramParams params{limits.min, limits.max, ScanHistograms::kBins};
    if (!on.onDevice())
        params.every = samplingStep(column.count, kSample);
    return std::make_shared<const Histogram>(histogram(column, params, on));
}

Shared fieldHistogram(const DeviceOrHost<ScalarField>& result, const std::stop_token& stop) {
    std::optional<Stream> stream; // of its own: it does not wait for the pipeline's work
    if (result.onDevice())
        stream.emplace();
    const ScalarField& field = stream ? result.device() : result.host();
    ValueRange limits{double(field.minValue), double(field.maxValue)};
    if (!(limits.min < limits.max))
        limits = {limits.min - 1, limits.min + 1};
    return counted({field.values.data(), ScalarType::float32, field.values.size()}, limits,
                   {stream ? std::optional(stream->view()) : std::nullopt, stop});
}

} // namespace

ScanHistograms HistogramCache::of(const Snapshot& snapshot, const std::stop_token& stop) {
    if (snapshot.cloud != m_cloud) {
        m_known.axes = {};
        m_cloud = snapshot.cloud;
    }
    if (m_cloud && !m_known.axes.back()) {
        const std::array<ValueRange, 3> limits = axisLimits(snapshot);
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_known.axes[axis] =
                counted(coordinates(*m_cloud, int(axis)), limits[axis], {std::nullopt, stop});
    }
    if (snapshot.field != m_field) {
        m_known.field = nullptr;
        m_field = {};
        if (snapshot.field)
            m_known.field = fieldHistogram(snapshot.field, stop);
        m_field = snapshot.field;
    }
    return m_known;
}

} // namespace scanloupe
