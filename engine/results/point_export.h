#pragma once
// Declares which points of a cloud are written to a file.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;
struct Recipe;
struct Snapshot;

/// Whether the recipe itself limits the points by a range or a section. An automatic range, which excludes
/// outliers, limits voxels and views, but not the points to write.
bool limitsPoints(const Recipe& asked);

/// Returns the rows of the points to write, ascending: the points left by the edits that are inside range and
/// section of the recipe. Unless limitsPoints(), these are all points, including those without coordinates.
/// @param asked the recipe as given
/// @param resolved `asked` with automatic values
/// @throws Cancelled
std::vector<std::size_t> rowsToWrite(const PointCloud& cloud, const Recipe& asked, const Recipe& resolved,
                                     const std::stop_token& stop);

/// Returns the number of points that rowsToWrite() selects for these results; nullopt if they must be
/// counted, because the limits of a section or an inverted range are not explicit.
std::optional<std::uint64_t> countToWrite(const Snapshot& snapshot);

} // namespace scanloupe
