#pragma once
// Computes the limits of coordinates and attributes by parallel reductions.
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
/// Bounds over finite points, and the number of points that are not finite. @throws Cancelled
PositionLimits positionLimits(const Positions& positions, const std::stop_token& stop);

/// `size` values of an attribute with their limits. @throws Cancelled
AttributeValues withLimits(ScalarType type, Buffer<std::byte> data, std::size_t size,
                           const std::stop_token& stop);

/// Bounds of most points, robust against a few outliers: per axis the middle 96 % of a sample of finite
/// points. Samples of fewer than 50 points are not trimmed. @param all result where no sample is finite
Bounds trimmedBounds(std::size_t points, const std::function<Vec3d(std::size_t)>& at, const Bounds& all);

/// A round origin near the middle of the bounds, for each axis on which single precision would lose more than
/// 1e-5 of the extent or 1 mm; zero on the others.
Vec3d roundedOrigin(const Bounds& bounds);

} // namespace scanloupe::detail
