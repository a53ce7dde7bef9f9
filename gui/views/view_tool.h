#pragma once
// Declares tools that use the left mouse button in the views: selecting, painting.
#include "gui/views/linked_camera.h"
#include "gui/views/scan_view.h"

#include <functional>
#include <optional>

namespace scanloupe::gui {

/// A mouse event over a view, whose size is `viewport`.
struct ToolEvent {
    QPointF pixel;
    QSizeF viewport;
    const LinkedCamera& camera;
    Qt::KeyboardModifiers modifiers;
    std::function<std::optional<Hit>(QPointF)> hitAt; ///< finds the primitive under a pixel
    double pressure = 1;                              ///< pressure of a pen, 0 to 1

    std::optional<Hit> hit() const { return hitAt(pixel); }
};

/// A tool. While it is active, it receives left drags, and the middle button orbits.
class ViewTool {
public:
    virtual ~ViewTool() = default;
    virtual bool isActive() const = 0;
    virtual void hover(const ToolEvent& event) = 0; ///< the cursor moved without a button
    virtual void press(const ToolEvent& event) = 0;
    virtual void drag(const ToolEvent& event) = 0;
    virtual void release(const ToolEvent& event) = 0;
    /// The second press of a double click. False: handle it as a single press.
    virtual bool doubleClick() = 0;
    virtual void leave() = 0; ///< the cursor has left the view
    /// A key was pressed. False: the tool does not use it.
    virtual bool key(int key) = 0;
};

} // namespace scanloupe::gui
