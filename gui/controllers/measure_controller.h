#pragma once
// Declares the controller of measures: creates them from clicks, lists, stores and draws them.
#include "engine/project/project.h"
#include "gui/controllers/window_context.h"
#include "gui/jobs/store/measure_store.h"
#include "gui/tools/measure_tool.h"
#include "gui/views/surface/scene_marks.h"

#include <QList>
#include <functional>
#include <optional>

class QAction;
class QMenu;

namespace scanloupe::gui {

class DataPanel;
class EditController;
class InspectController;
class MeasuresPanel;

/// Turns clicks into measures, or into the picked point that the data panel describes. Keeps the measures of
/// a scan outside a project.
class MeasureController : public Controller {
    Q_OBJECT
public:
    MeasureController(const WindowContext& window, EditController& edit, InspectController& inspect,
                      MeasuresPanel& panel, DataPanel& data);

    /// Adds the kinds of measures, then `comparisons`, then the keys of the views.
    void buildMenu(QMenu* menu, const std::function<void()>& addComparisons);
    /// One for each kind, in the order of MeasureKind
    const QList<QAction*>& kindActions() const { return m_actions; }
    MeasureTool& tool() { return m_tool; }
    MeasureStore& store() { return m_store; }
    /// Lets the user click the two points of a distance that does not become a measure. @param what for hints
    void measureFor(const QString& what, std::function<void(const Measure&)> taken);
    /// Adds the measures, the unfinished one, and the picked point.
    void addMarks(SceneMarks& marks) const;

    /// Whether the store has the measures of the displayed scan.
    bool areKept() const { return m_areKept; }
    /// Shows the stored measures of a scan's file, and stores them from now on.
    void readKept(const QString& scan);
    /// Stops storing the measures of the displayed scan.
    void stopKeeping();

signals:
    /// Emitted when the kind of measure has changed or measuring has ended.
    void kindChanged();
    /// Emitted when areKept() may have changed.
    void kept();
    /// Emitted when measures could not be stored before another scan replaced theirs.
    void lost(const scanloupe::Project& measures);

private:
    void onPicked(const Hit& hit);
    void onKindChanged();
    void show();
    void add(Measure measure);
    /// The next step of a measurement, as a hint; empty while nothing is measured.
    QString hint() const;
    /// Stores the measures of a scan outside a project, to be restored when the scan is opened again.
    void keep();
    void onKept(const QString& scan, int replaced, const MeasureList& measures, bool isKept);

    /// The purpose of a distance that does not become a measure.
    struct Purpose {
        QString what;
        std::function<void(const Measure&)> taken;
    };

    EditController& m_edit;
    InspectController& m_inspect;
    MeasuresPanel& m_panel;
    DataPanel& m_data;
    MeasureTool m_tool;
    MeasureStore m_store;
    std::optional<Purpose> m_purpose; ///< none: clicks make measures
    QList<QAction*> m_actions;
    QString m_keptScan;            ///< the file whose measures are kept; empty: none
    bool m_areKept = false;        ///< whether m_store has the measures of m_keptScan
    std::optional<Vec3d> m_picked; ///< the point that the data panel describes; file's frame
};

} // namespace scanloupe::gui
