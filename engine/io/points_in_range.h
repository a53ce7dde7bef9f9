#pragma once
// Cuts clouds: takes some points of one with all that belongs to them.
#include "engine/cloud/point_cloud.h"
#include "kernels/cut/point_cut.h"
#include "kernels/select/point_set.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The rows of the points in a half-open range that a cut keeps, ascending: those that voxelize() counts as
/// in range, since they are compared in single precision relative to the cloud's origin, as there.
/// @param cut relative to the cloud's origin
/// @throws Cancelled
std::vector<std::size_t> rowsInRange(const PointCloud& cloud, const Bounds& range, const PointCut& cut,
                                     const std::stop_token& stop);

/// The rows of the points that edits have not removed, ascending. @throws Cancelled
std::vector<std::size_t> rowsLeft(const PointCloud& cloud, const std::stop_token& stop);

/// The rows of a set on the host, ascending.
std::vector<std::size_t> rowsOf(const PointSet& set);

/// A cloud of some points: coordinates and attributes in the types of their file, and what the file says
/// beside its points. All rows give the cloud itself. Others are not organized in rows and columns any more.
/// @param rows ascending
/// @throws EngineError when memory is too small, or attributes can't be read any more; Cancelled
std::shared_ptr<const PointCloud> selectPoints(const std::shared_ptr<const PointCloud>& cloud,
                                               std::span<const std::size_t> rows,
                                               const std::stop_token& stop);

} // namespace scanloupe
