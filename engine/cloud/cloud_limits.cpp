// Computes limits of coordinates and attributes, and the origin of the float view.
#include "engine/cloud/cloud_limits.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/scaled_frame.h"
#include "kernels/core/parallel.h"
#include "kernels/core/scalar_type.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::detail {

namespace {

constexpr std::size_t kCloudLimitsGrain = std::size_t{1} << 16;

template <class T>
struct Limits {
    Vec3<T> min, max;
    std::uint64_t notFinite = 0;
};

/// Limits of stored coordinates, computed in their stored type: exact, and without conversions.
template <class T>
Limits<T> limitsOf(std::span<const Vec3<T>> xyz, const std::stop_token& stop) {
    constexpr T high = std::numeric_limits<T>::max();
    constexpr T low = std::numeric_limits<T>::lowest();
    const Limits<T> none{{high, high, high}, {low, low, low}, 0};
    return parallelReduce(
        xyz.size(), kCloudLimitsGrain, stop, none,
        [&](std::size_t begin, std::size_t end) {
            Limits<T> found = none;
            for (std::size_t i = begin; i < end; ++i) {
                if constexpr (std::is_floating_point_v<T>) {
                    if (!isFinite(xyz[i])) {
                        ++found.notFinite;
                        continue;
                    }
                }
                found.min = min(xyz[i], found.min);
                found.max = max(xyz[i], found.max);
            }
            return found;
        },
        [](const Limits<T>& a, const Limits<T>& b) {
            return Limits<T>{min(a.min, b.min), max(a.max, b.max), a.notFinite + b.notFinite};
        });
}

template <class T>
PositionLimits toBounds(std::span<const Vec3<T>> xyz, const Limits<T>& limits, const ScaledFrame& frame) {
    PositionLimits result;
    result.notFinite = limits.notFinite;
    if (limits.notFinite == xyz.size())
        return result;
    Vec3d a, b;
    if constexpr (std::is_integral_v<T>) {
        a = frame.position(limits.min);
        b = frame.position(limits.max);
    } else {
        a = limits.min.template as<double>();
        b = limits.max.template as<double>();
    }
    result.bounds = {min(a, b), max(a, b)}; // a negative scale exchanges minimum and maximum
    return result;
}

} // namespace

PositionLimits positionLimits(const Positions& positions, const std::stop_token& stop) {
    return std::visit(
        [&](const auto& held) {
            ScaledFrame frame;
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, ScaledPositions>)
                frame = ScaledFrame(held.scale, held.offset);
            const auto xyz = held.xyz.span();
            return toBounds(xyz, limitsOf(xyz, stop), frame);
        },
        positions);
}

AttributeValues withLimits(ScalarType type, Buffer<std::byte> data, std::size_t size,
                           const std::stop_token& stop) {
    AttributeValues result;
    visitScalar(type, [&]<class T>(std::type_identity<T>) {
        struct Range {
            T min = std::numeric_limits<T>::max(), max = std::numeric_limits<T>::lowest();
            std::uint64_t notFinite = 0;
        };
        const T* values = reinterpret_cast<const T*>(data.data());
        const Range range = parallelReduce(
            size, kCloudLimitsGrain, stop, Range{},
            [&](std::size_t begin, std::size_t end) {
                Range found;
                for (std::size_t i = begin; i < end; ++i) {
                    const T value = values[i];
                    if constexpr (std::is_floating_point_v<T>) {
                        if (!std::isfinite(value)) {
                            ++found.notFinite;
                            continue;
                        }
                    }
                    found.min = value < found.min ? value : found.min;
                    found.max = value > found.max ? value : found.max;
                }
                return found;
            },
            [](const Range& a, const Range& b) {
                return Range{std::min(a.min, b.min), std::max(a.max, b.max), a.notFinite + b.notFinite};
            });
        result.notFinite = range.notFinite;
        const bool any = range.notFinite < size;
        result.min = any ? static_cast<double>(range.min) : 0;
        result.max = any ? static_cast<double>(range.max) : 0;
    });
    result.data = std::move(data);
    return result;
}

Bounds trimmedBounds(std::size_t points, const std::function<Vec3d(std::size_t)>& at, const Bounds& all) {
    constexpr std::size_t sampleSize = 4096;
    constexpr std::size_t trimDivisor = 50; // fraction 1 / trimDivisor is trimmed at either end
    std::vector<Vec3d> sample;
    const std::size_t stride = std::max<std::size_t>(1, points / sampleSize);
    for (std::size_t i = 0; i < points; i += stride)
        if (const Vec3d p = at(i); isFinite(p))
            sample.push_back(p);
    if (sample.empty())
        return all;
    Bounds bounds;
    for (int axis = 0; axis < 3; ++axis) {
        const auto rank = [&](std::size_t place) {
            const auto of = sample.begin() + static_cast<std::ptrdiff_t>(place);
            std::nth_element(sample.begin(), of, sample.end(),
                             [axis](Vec3d a, Vec3d b) { return a[axis] < b[axis]; });
            return (*of)[axis];
        };
        const std::size_t trimmed = sample.size() / trimDivisor;
        bounds.min[axis] = rank(trimmed);
        bounds.max[axis] = rank(sample.size() - 1 - trimmed);
    }
    return bounds;
}

Vec3d roundedOrigin(const Bounds& bounds) {
    constexpr double halfUlp = 1.0 / (1 << 24); // relative rounding error of single precision
    constexpr double tooLarge = 1e30;           // larger coordinates are invalid; no origin would help
    const Vec3d size = bounds.max - bounds.min;
    const double extent = std::max({size.x, size.y, size.z});
    Vec3d origin;
    for (int axis = 0; axis < 3; ++axis) {
        const double magnitude = std::max(std::abs(bounds.min[axis]), std::abs(bounds.max[axis]));
        const double loss = magnitude * halfUlp;
        const bool losesExtent = extent > 0 && loss > 1e-5 * extent;
        if (magnitude > tooLarge || !(losesExtent || loss > 1e-3))
            continue;
        const double middle = bounds.min[axis] + size[axis] / 2;
        // The origin is a multiple of a power of ten that is at most the extent and at least 1 mm.
        const double step = std::pow(10.0, std::max(-3.0, std::floor(std::log10(std::max(extent, 1e-3)))));
        origin[axis] = std::round(middle / step) * step;
    }
    return origin;
}

} // namespace scanloupe::detail
