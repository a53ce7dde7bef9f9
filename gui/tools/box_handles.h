#pragma once
// Declares the handles of a box in the views: the handle under the cursor, and the effect of dragging it.
#include "gui/views/linked_camera.h"
#include "gui/views/surface/scene_marks.h"

#include <array>
#include <optional>

namespace scanloupe::gui {

/// A box with its own axes. A point is origin + axes * coordinates, in the file's frame.
struct HandleBox {
    Vec3d origin;
    std::array<Vec3d, 3> axes; ///< unit, right-handed
    Vec3d low, high;           ///< coordinates

    Vec3d at(Vec3d coordinates) const {
        return origin + axes[0] * coordinates.x + axes[1] * coordinates.y + axes[2] * coordinates.z;
    }
    Vec3d middle() const { return at(0.5 * (low + high)); }
};

/// A draggable part of a box: a face, an edge or a corner, given by the sides that move, the middle (no
/// sides), or the turn handle.
struct BoxHandle {
    std::array<int, 3> side{}; ///< along each axis: -1 the lower side, 1 the upper one, 0 neither
    bool isTurn = false;
    int sides() const { return std::abs(side[0]) + std::abs(side[1]) + std::abs(side[2]); }
    bool operator==(const BoxHandle&) const = default;
};

/// The handles that a box has.
struct BoxHandles {
    std::array<bool, 3> axes{true, true, true}; ///< the axes whose sides can be moved
    bool edges = true;                          ///< whether edges and corners can be moved
    std::optional<int> turnAxis;                ///< index of the axis that the box can be turned about
};

/// Place of a handle; that of an edge is its middle.
Vec3d placeOf(const HandleBox& box, const BoxHandle& handle, const BoxHandles& allowed);

/// The handle under a pixel: corners and faces within some pixels, then edges along their whole length.
std::optional<BoxHandle> handleAt(const HandleBox& box, const BoxHandles& allowed, QPointF pixel,
                                  const LinkedCamera& camera, QSizeF viewport);

/// The result of a drag.
struct DraggedBox {
    HandleBox box;
    /// radians about the turn axis, counter-clockwise, for the turn handle; `box` is then unchanged
    double turned = 0;
};

/// Moves a handle as close to the cursor as its constraints allow: faces along their axis, edges in the plane
/// of their two axes, corners and the middle in the plane of the view. Sides stay `least` metres apart, and
/// coordinates are rounded to what a pixel shows. None if the pixel's ray does not reach that line or plane.
/// @param box as it was when the drag began
std::optional<DraggedBox> dragged(const HandleBox& box, const BoxHandle& handle, const BoxHandles& allowed,
                                  QPointF pixel, double least, const LinkedCamera& camera, QSizeF viewport);

/// Outline and handles; `active` is drawn larger.
std::vector<SceneMark> boxMarks(const HandleBox& box, const BoxHandles& allowed, const QColor& colour,
                                const std::optional<BoxHandle>& active);

} // namespace scanloupe::gui
