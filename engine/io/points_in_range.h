#pragma once
// Declares the selection of points with all of their data.
#include "kernels/cut/point_cut.h"
#include "kernels/select/point_set.h"

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct Bounds;
class PointCloud;

/// Returns the rows of the points inside a half-open range that a cut keeps, in ascending order. They are the
/// same points that voxelize() counts as in range, since coordinates are compared in single precision
/// relative to the cloud's origin. @param cut relative to the cloud's origin @throws Cancelled
std::vector<std::size_t> rowsInRange(const PointCloud& cloud, const Bounds& range, const PointCut& cut,
                                     const std::stop_token& stop);

/// Returns the rows of the points that edits have not removed, in ascending order. @throws Cancelled
std::vector<std::size_t> rowsLeft(const PointCloud& cloud, const std::stop_token& stop);

/// Returns the rows of a set on the host, in ascending order.
std::vector<std::size_t> rowsOf(const PointSet& set);

/// Returns a cloud of some points, with coordinates and attributes in the types of their file, and the file's
/// metadata. If all rows are selected, returns the cloud itself. A subset is no longer an organized grid.
/// @param rows in ascending order
/// @throws EngineError when out of memory, or attributes can't be read any more; Cancelled
std::shared_ptr<const PointCloud> selectPoints(const std::shared_ptr<const PointCloud>& cloud,
                                               std::span<const std::size_t> rows,
                                               const std::stop_token& stop);

} // namespace scanloupe
