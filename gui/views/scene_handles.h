#pragma once
// Declares handles that a left drag in a view moves instead of the camera.
#include "gui/views/linked_camera.h"

#include <optional>

namespace scanloupe::gui {

/// Handles at places of the scan. Pixels are those of the view, whose size is `viewport`.
class SceneHandles {
public:
    virtual ~SceneHandles() = default;
    /// The cursor is over a pixel, without a button. True if a handle is there.
    virtual bool hover(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    /// A button was pressed. True if a handle is there, which follows the cursor from now on.
    virtual bool grab(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    virtual void drag(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
    /// The button was released, or the drag was cancelled.
    virtual void drop(bool isKept) = 0;
    /// The point of a line over the scan that a click would select, file's frame.
    virtual std::optional<Vec3d> snap(QPointF pixel, const LinkedCamera& camera, QSizeF viewport) = 0;
};

} // namespace scanloupe::gui
