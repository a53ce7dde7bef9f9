#pragma once
// Declares the search for the point of a scan nearest to a position.
#include "kernels/cut/point_cut.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe {

struct Bounds;
class PointCloud;

/// Returns the point nearest to `place` (file's frame) among the points within `within` metres that are in
/// `range` and kept by `cut`; the first of several equally near points. The search is linear, so it must not
/// run on the GUI thread.
/// @param cut relative to the cloud's origin
/// @throws Cancelled
std::optional<std::size_t> nearestPoint(const PointCloud& cloud, Vec3d place, double within,
                                        const Bounds& range, const PointCut& cut,
                                        const std::stop_token& stop);

} // namespace scanloupe
