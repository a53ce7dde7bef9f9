// Validates the parameters of a voxelization, and allocates and copies its result.
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/core/number_text.h"

#include "kernels/voxelize/core/voxel_checks.h"
#include "kernels/voxelize/core/voxel_element.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace scanloupe {

namespace {

constexpr float kAxisLimit = 2147483648.0f; // 2^31: keys are made of 32-bit signed indices
constexpr std::uint64_t kCellLimit = std::uint64_t{1} << 63;
constexpr const char* kAxes[] = {"x", "y", "z"};

/// Returns `value` rounded up to four digits, so that the number in a message is valid input.
double roundedUp(double value) {
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 3);
    return std::ceil(value / step) * step;
}

/// A range along one axis.
struct Span {
    float low = 0, high = 0;
};
using Spans = std::array<Span, 3>;

/// Returns the number of voxels along one axis, not limited to the range of an index.
float voxelsAlong(Span range, float size) {
    // relative error of both ends, the size, their difference and the quotient
    constexpr float rounding = 0x1p-22f;
    constexpr float most = 1.0f / 64; // voxels; a larger excess over a whole number is not a rounding error
    const float voxels = (range.high - range.low) / size, whole = std::round(voxels);
    const float doubt = (std::fabs(range.low) + std::fabs(range.high)) / size * rounding;
    const float count = std::fabs(voxels - whole) <= std::min(doubt, most) ? whole : std::ceil(voxels);
    return count < 1.0f ? 1.0f : count;
}

float smallestSize(Span range) {
    float size = static_cast<float>(roundedUp((double(range.high) - double(range.low)) / double(kAxisLimit)));
    while (!(size > 0.0f) || voxelsAlong(range, size) >= kAxisLimit)
        size = std::nextafter(size * 1.001f, std::numeric_limits<float>::max());
    return size;
}

bool cellsFit(const Spans& ranges, Vec3f size) {
    for (int axis = 0; axis < 3; ++axis)
        if (voxelsAlong(ranges[std::size_t(axis)], size[axis]) >= kAxisLimit)
            return false;
    const auto voxels = [&](int axis) {
        return static_cast<std::uint64_t>(voxelsAlong(ranges[std::size_t(axis)], size[axis]));
    };
    return voxels(2) <= kCellLimit / (voxels(0) * voxels(1));
}

/// Returns the smallest voxel sizes with the proportions of `size` for which the grid has at most 2^63 cells.
Vec3f smallestSizes(const Spans& ranges, Vec3f size) {
    const auto scaled = [&](double factor) {
        return Vec3f{float(roundedUp(size.x * factor)), float(roundedUp(size.y * factor)),
                     float(roundedUp(size.z * factor))};
    };
    double low = 1, high = 2;
    while (!cellsFit(ranges, scaled(high)))
        high *= 2;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (cellsFit(ranges, scaled(middle)) ? high : low) = middle;
    }
    return scaled(high);
}

Span checkedRange(const VoxelizeParams& params, int axis) {
    const std::string name = kAxes[axis];
    const float low = params.rangeMin[axis], high = params.rangeMax[axis];
    if (!std::isfinite(low) || !std::isfinite(high) || !std::isfinite(high - low))
        throw KernelError("the range along " + name + " is not finite",
                          "Set both ends of the range along " + name + " to finite numbers.");
    if (!(low < high))
        throw KernelError("the range along " + name + " is empty: it goes from " + shortNumber(low) + " to " +
                              shortNumber(high) + " m",
                          "Set the upper end of the range along " + name + " above the lower one.");
    return {low, high};
}

/// Returns an integer that increases by one from each single-precision number to the next.
std::int64_t stepOf(float value) {
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits >= 0 ? bits : std::int64_t{std::numeric_limits<std::int32_t>::min()} - bits;
}
float ofStep(std::int64_t step) {
    return std::bit_cast<float>(
        static_cast<std::int32_t>(step >= 0 ? step : std::numeric_limits<std::int32_t>::min() - step));
}

} // namespace

GridShape gridShape(const VoxelizeParams& params) {
    const Spans ranges{checkedRange(params, 0), checkedRange(params, 1), checkedRange(params, 2)};
    for (int axis = 0; axis < 3; ++axis) {
        const Span range = ranges[std::size_t(axis)];
        const float size = params.voxelSize[axis];
        const std::string name = kAxes[axis];
        const auto nextStep = [&] {
            return "Use a voxel size of at least " + shortNumber(smallestSize(range)) + " m along " + name +
                   ", or a smaller range.";
        };
        if (!(size > 0.0f) || !std::isfinite(size))
            throw KernelError("the voxel size along " + name + " must be a positive number (got " +
                                  shortNumber(size) + ")",
                              nextStep());
        if (voxelsAlong(range, size) >= kAxisLimit)
            throw KernelError("a voxel size of " + shortNumber(size) +
                                  " m gives more than 2^31 - 1 voxels along " + name,
                              nextStep());
    }
    if (!cellsFit(ranges, params.voxelSize)) {
        const Vec3f size = smallestSizes(ranges, params.voxelSize);
        throw KernelError("the grid would have more than 2^63 cells",
                          "Use a voxel size of at least " + shortNumber(size.x) + " x " +
                              shortNumber(size.y) + " x " + shortNumber(size.z) + " m, or a smaller range.");
    }
    const auto voxels = [&](int axis) {
        return static_cast<std::int32_t>(voxelsAlong(ranges[std::size_t(axis)], params.voxelSize[axis]));
    };
    return {params.rangeMin, params.voxelSize, {voxels(0), voxels(1), voxels(2)}};
}

Vec3f endOfCells(const GridShape& grid, Vec3f rangeMax) {
    // number of cells above which the rounding of a quotient is a large part of a voxel
    constexpr std::int32_t most = 1 << 20;
    Vec3f end = rangeMax;
    for (int axis = 0; axis < 3; ++axis) {
        if (grid.dims[axis] > most)
            continue; // the last cell includes these points
        const auto isBeyond = [&](std::int64_t step) {
            return double((ofStep(step) - grid.origin[axis]) / grid.voxelSize[axis]) >=
                   double(grid.dims[axis]);
        };
        std::int64_t in = stepOf(grid.origin[axis]), out = stepOf(rangeMax[axis]);
        if (out - in < 2 || !isBeyond(out - 1))
            continue;
        while (out - in > 1) {
            const std::int64_t middle = in + (out - in) / 2;
            (isBeyond(middle) ? out : in) = middle;
        }
        end[axis] = ofStep(out);
    }
    return end;
}

GridShape numberedGrid(const VoxelizeParams& params, const GridShape& whole) {
    const CellWindow& window = params.window;
    if (window.dims == Vec3i{})
        return whole;
    for (int axis = 0; axis < 3; ++axis)
        if (window.low[axis] < 0 || window.dims[axis] < 1 ||
            window.low[axis] > whole.dims[axis] - window.dims[axis])
            throw Fault("a window of cells lies outside of its grid");
    return {whole.origin, whole.voxelSize, window.dims};
}

std::vector<FeatureScale> featureScales(std::span<const FeatureView> features, std::size_t count) {
    std::vector<FeatureScale> scales;
    for (const FeatureView& feature : features) {
        if (count > 0 && !feature.data)
            throw Fault("a feature to average has no data");
        if (!std::isfinite(feature.min) || !std::isfinite(feature.max) || feature.max < feature.min)
            throw KernelError("a feature's values go from " + shortNumber(feature.min) + " to " +
                                  shortNumber(feature.max) + ", which is not a valid range",
                              "Leave this feature out, or correct its values in the file.");
        if (!canBeAveraged(feature)) {
            scales.push_back({feature.min, std::numeric_limits<double>::quiet_NaN(), 0});
            continue;
        }
        const double extent = feature.max - feature.min;
        // the values are too close to each other for a finite scale: treated as equal
        const bool flat = !std::isfinite(kFeatureOne / extent);
        scales.push_back({feature.min, flat ? 0.0 : extent, flat ? 0.0 : kFeatureOne / extent});
    }
    return scales;
}

std::vector<FeatureScale> checkPoints(const PointsView& points) {
    if (points.count >= kNoVoxel)
        throw KernelError("the cloud has " + std::to_string(points.count) +
                              " points; at most 4294967294 can be voxelized at a time",
                          "Split the cloud, or read every second point.");
    if (points.count > 0 && !points.positions)
        throw Fault("the points to voxelize have no positions");
    for (const FeatureView& feature : points.features)
        if (feature.type != ScalarType::float32 && feature.type != ScalarType::float64)
            throw Fault("a feature of integers can't be averaged together with the positions");
    return featureScales(points.features, points.count);
}

void allocateVoxels(VoxelGrid& grid, std::size_t voxels, std::size_t channels, MemorySpace space,
                    StreamView stream) {
    grid.keys = Buffer<std::uint64_t>::in(space, voxels, stream);
    grid.counts = Buffer<std::uint32_t>::in(space, voxels, stream);
    grid.means = Buffer<float>::in(space, voxels * channels, stream);
}

MeanColumns meanColumns(VoxelGrid& grid) {
    return {grid.means.data(), grid.size()};
}

VoxelGrid VoxelGrid::download(StreamView stream) const {
    VoxelGrid copy;
    copy.shape = shape;
    copy.featureCount = featureCount;
    copy.keys = keys.copyTo(MemorySpace::host, stream);
    copy.counts = counts.copyTo(MemorySpace::host, stream);
    copy.means = means.copyTo(MemorySpace::host, stream);
    copy.modes = modes.copyTo(MemorySpace::host, stream);
    copy.pointVoxel = pointVoxel.copyTo(MemorySpace::host, stream);
    copy.strategy = strategy;
    copy.stats = stats;
    copy.cost = cost;
    return copy;
}

} // namespace scanloupe
