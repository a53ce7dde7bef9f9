#pragma once
// Declares the properties of a picked point, voxel or triangle.
#include "gui/models/property_model.h"
#include "gui/views/scan_view.h"

#include <cstddef>
#include <optional>
#include <stop_token>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// Properties of a hit: its position in the file's frame with the file's own digits, and all attributes; of a
/// voxel, or of the voxel that a triangle lies in, the means and the most frequent classes, followed by the
/// properties of the scan's point there. Empty when nothing was hit, or when the hit does not belong to these
/// results. @param point that of pickedPoint(). @throws Cancelled
Properties pickProperties(const Hit& hit, const Snapshot& snapshot, std::optional<std::size_t> point,
                          const std::stop_token& stop);

} // namespace scanloupe::gui
