#pragma once
// Declares handles that a left drag in a view moves instead of the camera.
#include "gui/views/linked_camera.h"

#include <optional>

namespace scanloupe::gui {

/// Handles at places of the scan. Pixels are those of the view, whose size is `viewport`.
class SceneHandles {
public:
    virtual ~SceneHandles() = default;
    /// Called when the cursor moves without a pressed button. True if a handle is under it.
    virtual bool hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    /// Called when a button is pressed. True if a handle is under the cursor; it then follows the cursor.
    virtual bool grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    virtual void drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    /// Called when the button is released or the drag is cancelled.
    virtual void drop(bool isKept) = 0;
    /// The point of a line over the scan that a click would select, file's frame.
    virtual std::optional<Vec3d> snap(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
};

} // namespace scanloupe::gui
