#pragma once
// Cuts clouds: selects points with all of their data.
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

/// The rows of the points in a half-open range that a cut keeps, ascending. These are the points that
/// voxelize() counts as in range, since coordinates are compared in single precision relative to the cloud's
/// origin, too. @param cut relative to the cloud's origin @throws Cancelled
std::vector<std::size_t> rowsInRange(const PointCloud& cloud, const Bounds& range, const PointCut& cut,
                                     const std::stop_token& stop);

/// The rows of the points that edits have not removed, ascending. @throws Cancelled
std::vector<std::size_t> rowsLeft(const PointCloud& cloud, const std::stop_token& stop);

/// The rows of a set on the host, ascending.
std::vector<std::size_t> rowsOf(const PointSet& set);

/// A cloud of some points: coordinates and attributes in the types of their file, and the file's metadata.
/// All rows give the cloud itself. Subsets are not organized in rows and columns any more.
/// @param rows ascending
/// @throws EngineError when memory is too small, or attributes can't be read any more; Cancelled
std::shared_ptr<const PointCloud> selectPoints(const std::shared_ptr<const PointCloud>& cloud,
                                               std::span<const std::size_t> rows,
                                               const std::stop_token& stop);

} // namespace scanloupe
