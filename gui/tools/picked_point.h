#pragma once
// Declares the search for the scan's point under a pick.
#include "gui/views/scan_view.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// The cell of the grid of voxels at a position in the file's frame; it may lie outside of the grid.
Vec3i cellAt(const Snapshot& snapshot, Vec3d position);

/// The index in the cloud of the point that was hit, or of the nearest point in range to a hit of a voxel or
/// a triangle, no farther than the diagonal of a voxel. None for a volume, or without such a point. Scans all
/// points, so do not call it on the GUI thread. @throws Cancelled
std::optional<std::size_t> pickedPoint(const Hit& hit, const Snapshot& snapshot, const std::stop_token& stop);

/// A hit of the voxel that contains a point of the cloud, or of the point itself if no voxel does: this
/// carries a pick over to newer results of the same scan. For results on the device, some keys are copied.
/// @throws KernelError
Hit hitOfPoint(std::size_t point, const Snapshot& snapshot);

} // namespace scanloupe::gui
