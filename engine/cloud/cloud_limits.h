#pragma once
// Limits of coordinates and attributes, on all cores.
#include "engine/cloud/point_cloud.h"

namespace scanloupe::detail {

struct PositionLimits {
    Bounds bounds;
    std::uint64_t notFinite = 0;
};
/// Bounds over finite points, and how many are not. @throws Cancelled
PositionLimits positionLimits(const Positions& positions, const std::stop_token& stop);

/// Fills `min`, `max` and `notFinite` of an attribute of `size` values. @throws Cancelled
void findLimits(Attribute& attribute, std::size_t size, const std::stop_token& stop);

/// A tidy origin near the cloud's middle, on each axis where single precision would lose more than 1e-5 of
/// the extent or 1 mm; zero elsewhere.
Vec3d roundedOrigin(const Bounds& bounds);

} // namespace scanloupe::detail
