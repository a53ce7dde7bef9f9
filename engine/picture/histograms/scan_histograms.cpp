// Computes histograms of coordinates and fields.
#include "engine/picture/histograms/scan_histograms.h"

#include "engine/cloud/point_cloud.h"
#include "engine/picture/histograms/colour_histograms.h"
#include "engine/picture/histograms/sampled_histogram.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "kernels/core/stream_sync_guard.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace scanloupe {

namespace {

using Shared = std::shared_ptr<const Histogram>;

/// Returns the range of the middle 99 % of a sample.
ValueRange middle(std::vector<double> sample) {
    const auto quantile = [&](double share) {
        const auto at = sample.begin() + std::llround(share * double(sample.size() - 1));
        std::nth_element(sample.begin(), at, sample.end());
        return *at;
    };
    const double low = quantile(0.005), high = quantile(0.995);
    return {low, high};
}

/// Returns the limits of the histograms along all axes, in the file's frame. They are the bounds of the scan,
/// clipped to the middle 99 % of a sample extended by its width on either side, as for the automatic range.
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
        // the noise of a planar scan must not count as outliers
        const double width = std::max(own.max - own.min, 0.05 * diagonal);
        own = {std::max(bounds.min[axis], own.min - width), std::min(bounds.max[axis], own.max + width)};
        longest = std::max(longest, own.max - own.min);
    }
    for (ValueRange& own : limits) { // a margin, so that the outermost points are clearly inside
        const double largest = std::max(std::abs(own.min), std::abs(own.max));
        const double rim = std::max({1e-3 * longest, 1e-6, 1e-12 * largest});
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

/// Whether both are the same result; an empty pointer is the same as null. Compares owners, which differ even
/// if a new result is at the address of a released one.
bool isSame(const std::weak_ptr<const void>& known, const std::shared_ptr<const void>& other) {
    return !known.owner_before(other) && !other.owner_before(known);
}

Shared fieldHistogram(const DeviceOrHost<ScalarField>& result, const std::stop_token& stop) {
    std::optional<Stream> stream; // a separate stream does not wait for the pipeline's work
    std::optional<StreamSyncGuard> wait;
    if (result.onDevice())
        wait.emplace(stream.emplace().view());
    const ScalarField& field = stream ? result.device() : result.host();
    ValueRange limits{double(field.minValue), double(field.maxValue)};
    if (!(limits.min < limits.max)) { // a constant; the width of bins must exceed the rounding of its value
        const double rim = std::max(1.0, 1e-6 * std::abs(limits.min));
        limits = {limits.min - rim, limits.min + rim};
    }
    return sampledHistogram({field.values.data(), ScalarType::float32, field.values.size()}, limits,
                            ScanHistograms::kBins,
                            {stream ? std::optional(stream->view()) : std::nullopt, stop});
}

} // namespace

ScanHistograms HistogramCache::of(const Snapshot& snapshot, const std::stop_token& stop) {
    updateAxes(snapshot, stop);
    updateField(snapshot, stop);
    updateColours(snapshot, stop);
    return m_known;
}

void HistogramCache::updateAxes(const Snapshot& snapshot, const std::stop_token& stop) {
    if (isSame(m_cloud, snapshot.cloud))
        return;
    m_known.axes = {};
    m_cloud.reset();
    if (snapshot.cloud) {
        const std::array<ValueRange, 3> limits = axisLimits(snapshot);
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_known.axes[axis] = sampledHistogram(coordinates(*snapshot.cloud, int(axis)), limits[axis],
                                                  ScanHistograms::kBins, {std::nullopt, stop});
    }
    m_cloud = snapshot.cloud;
}

void HistogramCache::updateField(const Snapshot& snapshot, const std::stop_token& stop) {
    if (isSame(m_field, snapshot.field.identity()))
        return;
    m_known.field = nullptr;
    m_field.reset();
    if (snapshot.field)
        m_known.field = fieldHistogram(snapshot.field, stop);
    m_field = snapshot.field.identity();
}

void HistogramCache::updateColours(const Snapshot& snapshot, const std::stop_token& stop) {
    ColourInputs inputs = colourInputs(snapshot);
    if (isSame(m_colours.coloured, inputs.coloured.lock()) && m_colours.colourBy == inputs.colourBy &&
        m_colours.up == inputs.up && isSame(m_colours.quality, inputs.quality.lock()))
        return;
    m_known.colours = nullptr;
    m_known.classes = nullptr;
    m_colours = {};
    m_known.colours = colourHistogram(snapshot, stop);
    m_known.classes = classCounts(snapshot, stop);
    m_colours = std::move(inputs);
}

HistogramCache::ColourInputs HistogramCache::colourInputs(const Snapshot& snapshot) {
    ColourInputs inputs{snapshot.volume ? snapshot.mesh.identity() : snapshot.voxels.identity(),
                        snapshot.resolved->colourBy,
                        std::nullopt,
                        {}};
    const ColourData data = colourModeOf(snapshot.resolved->colourBy).data;
    if (data == ColourData::height)
        inputs.up = snapshot.resolved->up;
    if (data == ColourData::distances && snapshot.quality && snapshot.quality->ofAllPoints())
        inputs.quality = snapshot.quality;
    return inputs;
}

} // namespace scanloupe
