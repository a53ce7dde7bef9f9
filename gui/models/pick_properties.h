#pragma once
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

namespace scanloupe::gui {

/// What is known of what was picked: its position in the file's frame with the file's own digits, and all
/// attributes; of a voxel, or of the voxel that a triangle lies in, the means and the most
/// frequent classes. Empty when nothing was hit, or
/// when the hit is none of these results.
Properties pickProperties(const Hit& hit, const Snapshot& snapshot);

} // namespace scanloupe::gui
