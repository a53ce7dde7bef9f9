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

/// Whether the recipe itself limits the points: by a range or a section. An automatic range, which excludes
/// outliers, limits voxels and views, but not the points that are written.
bool limitsPoints(const Recipe& asked);

/// The rows of the points to write, ascending: those left by the edits and kept by range and section of the
/// recipe. All of them, including points without coordinates, unless limitsPoints().
/// @param asked the recipe as given @param resolved the same with automatic values
/// @throws Cancelled
std::vector<std::size_t> rowsToWrite(const PointCloud& cloud, const Recipe& asked, const Recipe& resolved,
                                     const std::stop_token& stop);

/// The number of points that rowsToWrite() selects of the cloud of these results; nullopt: they must be
/// counted, since the limits of a section or an inverted range are not explicit.
std::optional<std::uint64_t> countToWrite(const Snapshot& snapshot);

} // namespace scanloupe
