// Maps keys to camera commands, and executes them.
#include "gui/views/view_commands.h"

namespace scanloupe::gui {

namespace {
constexpr double kZoomPerKey = 0.8; // factor of the distance
} // namespace

QList<Qt::Key> keysOf(ViewCommand command) {
    switch (command) {
    case ViewCommand::fit:
        return {Qt::Key_F};
    case ViewCommand::perspective:
        return {Qt::Key_P};
    case ViewCommand::orthographic:
        return {Qt::Key_O};
    case ViewCommand::zoomIn:
        return {Qt::Key_Plus, Qt::Key_Equal};
    case ViewCommand::zoomOut:
        return {Qt::Key_Minus};
    default: // the remaining commands are the standard views, in this order
        return {Qt::Key(Qt::Key_1 + int(command) - int(ViewCommand::oblique))};
    }
}

std::optional<ViewCommand> commandOf(int key) {
    for (int i = 0; i <= int(ViewCommand::zoomOut); ++i)
        if (keysOf(ViewCommand(i)).contains(Qt::Key(key)))
            return ViewCommand(i);
    return std::nullopt;
}

void execute(ViewCommand command, LinkedCamera& camera, double aspect) {
    switch (command) {
    case ViewCommand::fit:
        return camera.fit(aspect);
    case ViewCommand::perspective:
        return camera.setOrthographic(false);
    case ViewCommand::orthographic:
        return camera.setOrthographic(true);
    case ViewCommand::zoomIn:
        return camera.zoom(camera.camera().target, kZoomPerKey);
    case ViewCommand::zoomOut:
        return camera.zoom(camera.camera().target, 1 / kZoomPerKey);
    default:
        return camera.show(StandardView(int(command) - int(ViewCommand::oblique)), aspect);
    }
}

} // namespace scanloupe::gui
