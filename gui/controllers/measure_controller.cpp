// Makes measures from clicks, shows them, and keeps them with their scan.
#include "gui/controllers/measure_controller.h"

#include "engine/inspect/measure/measure_kind.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/inspect_controller.h"
#include "gui/jobs/failure.h"
#include "gui/marks/measure_marks.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/text/measure_text.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QTableView>
#include <utility>

namespace scanloupe::gui {

MeasureController::MeasureController(const WindowContext& window, EditController& edit,
                                     InspectController& inspect, MeasuresPanel& panel, DataPanel& data)
    : Controller(window), m_edit(edit), m_inspect(inspect), m_panel(panel), m_data(data) {
    connect(&m_tool, &MeasureTool::kindChanged, this, &MeasureController::onKindChanged);
    connect(&m_tool, &MeasureTool::draftChanged, this, [this] {
        m_panel.setHint(hint());
        emit marksChanged();
    });
    connect(&m_tool, &MeasureTool::finished, this, &MeasureController::add);
    connect(&edit, &EditController::toolChosen, this, [this](bool isActive) {
        if (isActive)
            m_tool.setKind(std::nullopt);
        m_window.views.setMeasuring(isActive || m_tool.kind());
    });
    connect(&window.views, &ViewArea::picked, this, &MeasureController::onPicked);
    connect(&window.views, &ViewArea::nothingPicked, this, [this] {
        if (!m_tool.kind())
            m_data.clearPick();
        else
            m_panel.setHint(tr("There is nothing here. %1").arg(hint()));
    });
    connect(&window.views, &ViewArea::measureEnded, this, [this] {
        if (!m_tool.finish() && m_tool.kind() &&
            rowOf(*m_tool.kind()).maxPoints > rowOf(*m_tool.kind()).minPoints)
            m_panel.setHint(tr("An area needs at least three corners: click more."));
    });
    connect(&panel, &MeasuresPanel::edited, &m_work, &Work::changeMeasures);
    connect(&panel, &MeasuresPanel::failed, &window.messages, &MessageBar::showError);
    connect(&panel, &MeasuresPanel::saved, &window.messages, &MessageBar::showWritten);
    connect(&data, &DataPanel::pickMoved, this, [this](std::optional<Vec3d> position) {
        m_picked = position;
        emit marksChanged();
    });
    connect(&m_work, &Work::scanOpened, this, [this] {
        m_tool.drop();
        stopKeeping(); // stops until it is known whether the scan belongs to a list
    });
    connect(&m_work, &Work::measuresEdited, this, &MeasureController::keep);
    connect(&m_work, &Work::measuresChanged, this, &MeasureController::show);
    connect(&m_work, &Work::unitChanged, this, &MeasureController::show);
    connect(&m_work, &Work::resultsChanged, this, &MeasureController::show); // heights depend on the up axis
}

void MeasureController::buildMenu(QMenu* menu, const std::function<void()>& addComparisons) {
    for (const MeasureKindRow& row : measureKinds()) {
        const QString text = QCoreApplication::translate("scanloupe::gui::Measures", row.menuText);
        const QByteArray icon = "measure-" + QByteArray(row.key.data(), qsizetype(row.key.size()));
        m_actions << m_window.addSwitch(
            menu, icon.constData(), text, QKeySequence(row.shortcut), [this, kind = row.kind] {
                m_tool.setKind(m_tool.kind() == kind ? std::nullopt : std::optional(kind));
            });
        m_actions.back()->setEnabled(false); // disabled until there is a scan
    }
    menu->addSeparator();
    addComparisons();
    menu->addSeparator();
    // The keys work in the views only, since they have another meaning in text fields.
    const auto addKey = [&](const QString& text, const QList<QKeySequence>& keys,
                            std::function<void()> action) {
        QAction* entry = m_window.addTool(menu, nullptr, text, {}, std::move(action));
        entry->setShortcuts(keys);
        m_window.keepInViews(entry);
        connect(&m_tool, &MeasureTool::kindChanged, entry,
                [this, entry] { entry->setEnabled(m_tool.kind().has_value()); });
        entry->setEnabled(false);
    };
    addKey(tr("&Finish Area"), {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)},
           [this] { emit m_window.views.measureEnded(); });
    addKey(tr("&Remove Last Point"), {QKeySequence(Qt::Key_Backspace)}, [this] { m_tool.removeLast(); });
    addKey(tr("&Cancel"), {QKeySequence(Qt::Key_Escape)}, [this] { m_tool.cancel(); });
}

void MeasureController::measureFor(const QString& what, std::function<void(const Measure&)> taken) {
    m_tool.setKind(std::nullopt);
    m_tool.setKind(MeasureKind::distance);
    m_purpose = Purpose{what, std::move(taken)};
    m_panel.setHint(hint());
}

void MeasureController::onPicked(const Hit& hit) {
    if (m_tool.kind())
        m_tool.add(hit);
    else if (hit.kind == PrimitiveKind::none)
        m_data.clearPick();
    else
        m_data.showPick(hit, hit.snapshot);
}

void MeasureController::onKindChanged() {
    const auto kind = m_tool.kind();
    if (kind != MeasureKind::distance)
        m_purpose.reset();
    for (int i = 0; i < m_actions.size(); ++i)
        m_actions[i]->setChecked(kind && int(*kind) == i && !m_purpose);
    m_window.views.setMeasuring(kind.has_value());
    if (kind)
        m_edit.tool().setKind(std::nullopt);
    emit kindChanged();
}

QString MeasureController::hint() const {
    const auto kind = m_tool.kind();
    if (!kind)
        return {};
    const auto draft = m_tool.draft();
    const MeasureKindRow& row = rowOf(*kind);
    const std::size_t have = draft ? draft->points.size() : 0;
    const QString what = m_purpose ? m_purpose->what : kindText(*kind);
    if (row.maxPoints == 1)
        return tr("%1: click into a view. Esc ends.").arg(what);
    const bool isPolygon = row.maxPoints > row.minPoints;
    if (isPolygon && have >= row.minPoints)
        return tr("%1: click more corners; press Enter, double-click or right-click to finish.").arg(what);
    const QString next = have < row.clicks.size()
                             ? QCoreApplication::translate("scanloupe::gui::Measures", row.clicks[have])
                             : (isPolygon ? tr("corner %1") : tr("point %1")).arg(have + 1);
    return have == 0 ? tr("%1: click %2. Esc ends.").arg(what, next)
                     : tr("%1: click %2. Backspace removes the last point, Esc cancels.").arg(what, next);
}

void MeasureController::add(Measure measure) {
    if (m_purpose) {
        const auto taken = m_purpose->taken;
        m_tool.setKind(std::nullopt);
        return taken(measure);
    }
    MeasureList measures = m_work.measures();
    measure.name = freeName(measure.kind, measures).toStdString();
    measure.colour = freeColour(measures);
    measures.push_back(std::move(measure));
    m_work.changeMeasures(measures);
    m_panel.table()->selectRow(int(measures.size()) - 1);
}

void MeasureController::stopKeeping() {
    m_keptScan.clear();
    m_areKept = false;
}

void MeasureController::readKept(const QString& scan) {
    m_keptScan = QFileInfo::exists(scan) ? scan : QString();
    WorkState state = m_work.history().state();
    try {
        state.measures = m_store.of(m_keptScan);
    } catch (...) { // unreadable measures are not overwritten
        m_keptScan.clear();
        const Failure failure = failureOf(std::current_exception(), {});
        m_window.messages.showError(
            tr("The measurements of your last session can't be read; their file was left unchanged: %1")
                .arg(failure.sentence),
            failure.nextStep);
    }
    m_areKept = !m_keptScan.isEmpty();
    if (state.measures.empty())
        return;
    m_window.messages.showNote(
        tr("Measurements restored from your last session: %1.").arg(state.measures.size()));
    m_work.begin(state);
}

void MeasureController::keep() {
    if (m_keptScan.isEmpty())
        return;
    const MeasureList& measures = m_work.measures();
    m_store.keep(m_keptScan, measures,
                 [=, this, scan = m_keptScan, replaced = m_work.replaced()](bool isKept) {
                     onKept(scan, replaced, measures, isKept);
                 });
}

void MeasureController::onKept(const QString& scan, int replaced, const MeasureList& measures, bool isKept) {
    if (replaced != m_work.replaced()) { // another scan was opened without asking about these measures
        if (isKept || measures.empty())
            return;
        const QFileInfo file(scan);
        Project left;
        left.scans = {{rawPath(file.absoluteFilePath())}};
        left.measures = measures;
        emit lost(left);
        const QString note = tr("The measurements of %1 could not be stored, but are kept as unsaved work. "
                                "Open %1 again to restore them.")
                                 .arg(shownText(file.fileName()));
        m_window.log.append(note);
        return m_window.messages.showNote(note);
    }
    if (scan != m_keptScan) // measures of a project are in its file
        return;
    const bool were = std::exchange(m_areKept, isKept);
    emit kept();
    if (were && !isKept)
        m_window.messages.showError(tr("The measurements of this scan can't be stored: another window has "
                                       "changed them, or their folder is not writable."),
                                    tr("Save a project to keep them."));
}

void MeasureController::show() {
    for (QAction* action : m_actions)
        action->setEnabled(m_work.results() != nullptr);
    m_panel.setMeasures(m_work.measures(), m_work.up(), m_work.unit());
    emit marksChanged();
}

void MeasureController::addMarks(SceneMarks& marks) const {
    if (m_picked)
        marks.marks.push_back(pickMark(*m_picked));
    for (const Measure& measure : m_work.measures())
        if (measure.visible) {
            marks.marks.push_back(markOf(measure, m_work.up(), m_work.unit()));
            // with deviations, a point is a probe whose label shows the deviation
            if (measure.kind == MeasureKind::point)
                marks.marks.back().text = (marks.marks.back().text + QLatin1Char(' ') +
                                           m_inspect.deviationText(measure.points.front().position))
                                              .trimmed();
        }
    if (auto draft = m_tool.draft()) {
        draft->colour = freeColour(m_work.measures());
        marks.marks.push_back(markOf(*draft, m_work.up(), m_work.unit()));
        if (m_tool.kind() && !draft->points.empty())
            marks.rubberFrom = draft->points.back().position;
    }
}

} // namespace scanloupe::gui
