#pragma once
// Declares the properties of a picked point, voxel or triangle.
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

#include <stop_token>

namespace scanloupe::gui {

/// Properties of a hit: its position in the file's frame with the file's own digits, and all attributes; of a
/// voxel, or of the voxel that a triangle lies in, the means and the most frequent classes. Empty when
/// nothing was hit, or when the hit does not belong to these results. @throws Cancelled
Properties pickProperties(const Hit& hit, const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe::gui
