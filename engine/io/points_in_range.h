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

/// Returns the rows of the points that are inside the half-open range and kept by the cut, in ascending
/// order. voxelize() counts the same points as in range, since both compare coordinates in single precision
/// relative to the cloud's origin.
/// @param range absolute coordinates, metres
/// @param cut relative to the cloud's origin
/// @throws Cancelled
std::vector<std::size_t> rowsInRange(const PointCloud& cloud, const Bounds& range, const PointCut& cut,
                                     const std::stop_token& stop);

/// Returns the rows of the points that edits have not removed, in ascending order. @throws Cancelled
std::vector<std::size_t> rowsLeft(const PointCloud& cloud, const std::stop_token& stop);

/// Returns the rows in a set in host memory, in ascending order.
std::vector<std::size_t> rowsOf(const PointSet& set);

/// Returns a cloud of the selected points. Coordinates and attributes keep the types of the file, and the
/// file's metadata is copied. Returns the cloud itself if all rows are selected and none is removed. A subset
/// is no longer an organized grid.
/// @param rows in ascending order
/// @throws EngineError if memory is short, or if attributes that are loaded on demand can no longer be read;
/// Cancelled
std::shared_ptr<const PointCloud> selectPoints(const std::shared_ptr<const PointCloud>& cloud,
                                               std::span<const std::size_t> rows,
                                               const std::stop_token& stop);

} // namespace scanloupe
