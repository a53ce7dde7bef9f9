#pragma once
// Declares cutting in the window: the range as a box in the views, and the section.
#include "engine/inspect/measure/measure.h"
#include "engine/recipe/section.h"
#include "gui/controllers/window_context.h"
#include "gui/tools/cut_tool.h"

#include <QList>
#include <optional>

class QAction;
class QMenu;

namespace scanloupe::gui {

class MeasureController;
class RunController;

/// Records changes of the range and the section, by the views and the menu, as steps of the history.
class CutController : public Controller {
    Q_OBJECT
public:
    CutController(const WindowContext& window, RunController& run, MeasureController& measuring);

    /// @param ofSection further actions that need a section
    void buildMenu(QMenu* menu, const QList<QAction*>& ofSection);
    const CutTool& tool() const { return m_tool; }

private:
    void takeSection(const std::optional<Section>& section);
    /// Shows range and section of the current recipe in the views and in the menu.
    void show();
    /// Lets the user click the two points of the section plane.
    void measureSection();
    void takeMeasuredSection(const Measure& measure);
    void lookAtSection(), saveSection();

    RunController& m_run;
    MeasureController& m_measuring;
    CutTool m_tool;
    QList<QAction*> m_ofScan, m_ofSection; ///< enabled for clouds / while there is a section
};

} // namespace scanloupe::gui
