#pragma once
// Declares the limits of coordinates and attributes, computed by parallel reductions.
#include "engine/cloud/bounds.h"
#include "engine/cloud/positions.h"

#include <functional>
#include <stop_token>

namespace scanloupe {
enum class ScalarType : std::uint8_t;
struct AttributeValues;
} // namespace scanloupe

namespace scanloupe::detail {

struct PositionLimits {
    Bounds bounds;
    std::uint64_t notFinite = 0;
};
/// Returns the bounds of all finite points, and the number of points that are not finite. @throws Cancelled
PositionLimits positionLimits(const Positions& positions, const std::stop_token& stop);

/// Returns `size` values of an attribute together with their limits. @throws Cancelled
AttributeValues withLimits(ScalarType type, Buffer<std::byte> data, std::size_t size,
                           const std::stop_token& stop);

/// Returns bounds of the middle 96 % of a sample of finite points along each axis, which ignores a few
/// outliers. Samples of fewer than 50 points are not trimmed. @param all result if no sample is finite
Bounds trimmedBounds(std::size_t points, const std::function<Vec3d(std::size_t)>& at, const Bounds& all);

/// Returns a rounded origin near the centre of the bounds. An axis gets an offset only if single precision
/// would lose more than 1e-5 of the extent or 1 mm; otherwise 0.
Vec3d roundedOrigin(const Bounds& bounds);

} // namespace scanloupe::detail
