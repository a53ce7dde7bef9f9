#pragma once
// Declares the search for the scan's point under a pick.
#include "gui/views/scan_view.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe::gui {

/// The index in the cloud of the point that was hit, or of the one in range that is nearest to where a voxel
/// or a triangle was hit, no farther than the diagonal of a voxel. None for a volume, or without such a
/// point. Looks at all points: not for the GUI thread. @throws Cancelled
std::optional<std::size_t> pickedPoint(const Hit& hit, const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe::gui
