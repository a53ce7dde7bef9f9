#pragma once
// Declares the camera commands of single keys: in a view, and as the window's menu entries unless text is
// typed.
#include "gui/views/linked_camera.h"

#include <QList>
#include <optional>

namespace scanloupe::gui {

enum class ViewCommand {
    oblique,
    top,
    bottom,
    front,
    back,
    left,
    right,
    fit,
    perspective,
    orthographic,
    zoomIn,
    zoomOut,
};

/// Keys of a command; menus show the first of them.
QList<Qt::Key> keysOf(ViewCommand command);
std::optional<ViewCommand> commandOf(int key);
/// @param aspect width over height of the views
void execute(ViewCommand command, LinkedCamera& camera, double aspect);

} // namespace scanloupe::gui
