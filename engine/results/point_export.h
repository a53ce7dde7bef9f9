#pragma once
// Declares which points of a cloud are written to a file.
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Whether the recipe itself limits the points: by a range or a section. One without a range gets one that is
/// chosen from the data, without far outliers; that limits voxels and views, not the points that are written.
bool limitsPoints(const Recipe& asked);

/// The rows of the points that are written, ascending: those that edits have left and that the range and the
/// section of the recipe keep. All of them, also points without coordinates, unless limitsPoints().
/// @param asked the recipe as given @param resolved the same, with the values that were chosen from the data
/// @throws Cancelled
std::vector<std::size_t> rowsToWrite(const PointCloud& cloud, const Recipe& asked, const Recipe& resolved,
                                     const std::stop_token& stop);

/// The number of points that rowsToWrite() selects of the cloud of these results; nullopt: they have to be
/// counted, since a section or an inverted range has no limits of its own.
std::optional<std::uint64_t> countToWrite(const Snapshot& snapshot);

} // namespace scanloupe
