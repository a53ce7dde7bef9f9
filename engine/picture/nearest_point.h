#pragma once
// Declares the search for the point of a scan nearest to a place.
#include "engine/cloud/point_cloud.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// The point nearest to `place` (file's frame), no farther than `within` metres and in `range`; of several as
/// near the first. Looks at all points: not for the GUI thread. @throws Cancelled
std::optional<std::size_t> nearestPoint(const PointCloud& cloud, Vec3d place, double within,
                                        const Bounds& range, const std::stop_token& stop);

} // namespace scanloupe
