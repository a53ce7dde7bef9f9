// Says what a click of a tool does.
#include "gui/models/edit_tool.h"

namespace scanloupe::gui {

QString EditTool::hint() const {
    if (!m_kind)
        return {};
    const QString combine = tr("Shift adds, Ctrl subtracts, both intersect; Esc ends.");
    switch (*m_kind) {
    case EditToolKind::rectangle:
        return tr("Drag a rectangle round what to select. %1").arg(combine);
    case EditToolKind::lasso:
        return tr("Drag round what to select. %1").arg(combine);
    case EditToolKind::polygon:
        if (m_corners.empty())
            return tr("Click the first corner. %1").arg(combine);
        return tr(
            "Click further corners; Enter or a double click selects, Backspace takes one back, Esc cancels.");
    case EditToolKind::brush:
        return tr(
            "Drag to select; Ctrl takes out, Shift goes on in a straight line, [ and ] change the radius. "
            "Esc ends.");
    case EditToolKind::eraser:
        return tr("Drag to delete; Shift goes on in a straight line, [ and ] change the radius. Esc ends.");
    case EditToolKind::fill:
        return tr(
            "Drag to add material; Ctrl takes it away, Shift goes on in a straight line, [ and ] change "
            "the radius. Esc ends.");
    case EditToolKind::carve:
        return tr(
            "Drag to take material away; Ctrl adds it, Shift goes on in a straight line, [ and ] change "
            "the radius. Esc ends.");
    case EditToolKind::smooth:
        return tr("Drag over the surface to smooth it; [ and ] change the radius. Esc ends.");
    case EditToolKind::flatten:
        return tr(
            "Drag over the surface to flatten it, or over a hole to close it, in the plane of what lies "
            "around where the stroke begins. [ and ] change the radius. Esc ends.");
    case EditToolKind::raise:
        return tr("Drag over the surface to raise it along its normals; Ctrl lowers it, [ and ] change the "
                  "radius. Esc ends.");
    case EditToolKind::clone:
        if (!m_cloneSource)
            return tr(
                "Click the place to copy with Ctrl held down, then drag where it shall be again. Esc ends.");
        return tr(
            "Drag to copy the surface from the marked place; Ctrl and a click choose another one, [ and ] "
            "change the radius. Esc ends.");
    case EditToolKind::connected:
        return tr("Click a part to select all that is connected with it. %1").arg(combine);
    case EditToolKind::similar:
        break;
    }
    return tr("Click a point to select all of its class, or of about its colour. %1").arg(combine);
}

} // namespace scanloupe::gui
