// Describes the effect of a click of a tool.
#include "gui/tools/edit_tool.h"

#include "engine/edit/sculpt_brushes.h"

#include <QCoreApplication>

namespace scanloupe::gui {

QString EditTool::hint() const {
    if (!m_kind)
        return {};
    if (needsSource() && !m_cloneSource)
        return tr("Ctrl+click the surface to copy from, then drag where to paint the copy. Esc ends.");
    if (const auto brush = sculptToolOf(*m_kind))
        return QCoreApplication::translate("scanloupe::gui::Brushes", rowOf(*brush).hint);
    const QString combine = tr("Shift adds, Ctrl subtracts, both intersect; Esc ends.");
    switch (*m_kind) {
    case EditToolKind::rectangle:
        return tr("Drag a rectangle around what to select. %1").arg(combine);
    case EditToolKind::lasso:
        return tr("Drag around what to select. %1").arg(combine);
    case EditToolKind::polygon:
        if (m_corners.empty())
            return tr("Click the first corner. %1").arg(combine);
        return tr("Click further corners; Enter or a double click selects, Backspace removes the last one, "
                  "Esc cancels.");
    case EditToolKind::brush:
        return tr("Drag to select; Ctrl deselects, Shift draws a straight line, [ and ] change the radius. "
                  "Esc ends.");
    case EditToolKind::eraser:
        return tr("Drag to delete; Shift draws a straight line, [ and ] change the radius. Esc ends.");
    case EditToolKind::connected:
        return tr("Click a part to select everything connected to it. %1").arg(combine);
    case EditToolKind::similar:
    case EditToolKind::firstSculpting:
        break;
    }
    return tr("Click a point to select all points of its class or of a similar colour. %1").arg(combine);
}

} // namespace scanloupe::gui
