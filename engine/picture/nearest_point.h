#pragma once
// Declares the search for the point of a scan nearest to a place.
#include "engine/cloud/point_cloud.h"
#include "kernels/cut/point_cut.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// The point nearest to `place` (file's frame), no farther than `within` metres, in `range`, and kept by
/// `cut`; of several as near the first. Looks at all points: not for the GUI thread.
/// @param cut relative to the cloud's origin
/// @throws Cancelled
std::optional<std::size_t> nearestPoint(const PointCloud& cloud, Vec3d place, double within,
                                        const Bounds& range, const PointCut& cut,
                                        const std::stop_token& stop);

} // namespace scanloupe
