#pragma once
// Declares the search for a point of a section's lines under the cursor.
#include "gui/views/linked_camera.h"
#include "kernels/mesh/section/section_lines.h"

#include <optional>

namespace scanloupe::gui {

struct SnappedPoint {
    Vec3d position;               ///< on a line, file's frame
    bool isPerpendicular = false; ///< foot of the perpendicular from the previous point
    bool operator==(const SnappedPoint&) const = default;
};

/// The point of a section's lines that is nearest to a pixel, if one is within some pixels. With `from` the
/// foot of the perpendicular from there onto a line is preferred if it is about as near, so that thicknesses
/// can be measured. @param origin of the mesh that was cut, in the file's frame @param from file's frame
std::optional<SnappedPoint> snapToLines(const SectionLines& lines, Vec3d origin, QPointF pixel,
                                        const LinkedCamera& camera, QSizeF viewport,
                                        const std::optional<Vec3d>& from);

} // namespace scanloupe::gui
