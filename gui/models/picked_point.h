#pragma once
// Declares the search for the scan's point under a pick.
#include "gui/views/scan_view.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe::gui {

/// The cell of the grid of voxels at a position in the file's frame; it may lie outside of the grid.
Vec3i cellAt(const Snapshot& snapshot, Vec3d position);

/// The index in the cloud of the point that was hit, or of the one in range that is nearest to where a voxel
/// or a triangle was hit, no farther than the diagonal of a voxel. None for a volume, or without such a
/// point. Looks at all points: not for the GUI thread. @throws Cancelled
std::optional<std::size_t> pickedPoint(const Hit& hit, const Snapshot& snapshot, const std::stop_token& stop);

/// A hit of the voxel that a point of the cloud lies in, or of the point itself where it lies in none: what a
/// pick of earlier results of the same scan has become. Of results on the device, some keys are copied.
/// @throws KernelError
Hit hitOfPoint(std::size_t point, const Snapshot& snapshot);

} // namespace scanloupe::gui
