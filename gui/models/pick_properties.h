#pragma once
// Declares the properties of a picked point, voxel or triangle.
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

namespace scanloupe::gui {

/// Properties of a hit: its position in the file's frame with the file's own digits, and all attributes; of a
/// voxel, or of the voxel that a triangle lies in, the means and the most frequent classes. Empty when
/// nothing was hit, or when the hit does not belong to these results.
Properties pickProperties(const Hit& hit, const Snapshot& snapshot);

} // namespace scanloupe::gui
