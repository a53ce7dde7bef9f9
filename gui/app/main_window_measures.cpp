// Measures in the window: made by clicks, listed, drawn, undone and redone.
#include "engine/picture/view.h"
#include "gui/app/change_session.h"
#include "gui/app/inspect_session.h"
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/base/raw_text.h"
#include "gui/controls/icons.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/failure.h"
#include "gui/models/measure_marks.h"
#include "gui/models/measure_text.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QMenuBar>
#include <QTableView>

namespace scanloupe::gui {

void MainWindow::buildMeasureMenu() {
    auto* menu = menuBar()->addMenu(tr("&Measure"));
    const auto add = [&](MeasureKind kind, const char* icon, const QString& text, const QKeySequence& keys) {
        QAction* entry = addTool(menu, icon, text, keys, [this, kind] {
            m_measuring.setKind(m_measuring.kind() == kind ? std::nullopt : std::optional(kind));
        });
        entry->setCheckable(true);
        entry->setEnabled(false); // until there is a scan
        m_measureActions << entry;
    };
    add(MeasureKind::point, "measure-point", tr("&Point with Label"), tr("L"));
    add(MeasureKind::distance, "measure-distance", tr("&Distance"), tr("D"));
    add(MeasureKind::height, "measure-height", tr("&Height"), tr("H"));
    add(MeasureKind::angle, "measure-angle", tr("A&ngle"), tr("G"));
    add(MeasureKind::area, "measure-area", tr("&Area"), tr("A"));
    menu->addSeparator();
    addTool(menu, nullptr, tr("&Compare with a Model or Scan…"), tr("Ctrl+M"),
            [this] { m_inspect->chooseModel(); });
    addTool(menu, nullptr, tr("C&hange to a Later Scan…"), {}, [this] { m_change->choose(); });
    menu->addSeparator();
    // keys that mean something else where text is typed: in the views only
    const auto addKey = [&](const QString& text, const QList<QKeySequence>& keys,
                            std::function<void()> action) {
        QAction* entry = addTool(menu, nullptr, text, {}, std::move(action));
        entry->setShortcuts(keys);
        entry->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        removeAction(entry);
        for (ScanView* view : m_views->views())
            view->widget()->addAction(entry);
        connect(&m_measuring, &MeasureTool::kindChanged, entry,
                [this, entry] { entry->setEnabled(m_measuring.kind().has_value()); });
        entry->setEnabled(false);
    };
    addKey(tr("&End the Area"), {QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)},
           [this] { emit m_views->measureEnded(); });
    addKey(tr("Take &Back the Last Point"), {QKeySequence(Qt::Key_Backspace)},
           [this] { m_measuring.removeLast(); });
    addKey(tr("&Cancel"), {QKeySequence(Qt::Key_Escape)}, [this] { m_measuring.cancel(); });
}

void MainWindow::connectMeasures() {
    connect(&m_measuring, &MeasureTool::kindChanged, this, &MainWindow::onMeasuringChanged);
    connect(&m_measuring, &MeasureTool::draftChanged, this, [this] {
        m_measures->setHint(measureHint());
        const auto draft = m_measuring.draft();
        const bool goesOn = draft && m_measuring.kind() && !m_measuring.isClosed();
        m_cut.setMeasuredFrom(goesOn ? std::optional(draft->points.back().position) : std::nullopt);
        showMarks();
    });
    connect(&m_measuring, &MeasureTool::finished, this, &MainWindow::addMeasure);
    connect(m_views, &ViewArea::picked, this, [this](const Hit& hit) {
        if (m_measuring.kind())
            m_measuring.add(hit);
        else if (hit.kind == PrimitiveKind::none)
            m_data->clearPick();
        else
            m_data->showPick(hit, hit.snapshot);
    });
    connect(m_views, &ViewArea::nothingPicked, this, [this] {
        if (!m_measuring.kind())
            m_data->clearPick();
        else
            m_measures->setHint(tr("Nothing lies there. %1").arg(measureHint()));
    });
    connect(m_views, &ViewArea::measureEnded, this, [this] {
        if (!m_measuring.finish() && m_measuring.kind() == MeasureKind::area)
            m_measures->setHint(tr("An area has three corners at least: click further ones."));
    });
    connect(m_measures, &MeasuresPanel::edited, this, &MainWindow::changeMeasures);
    connect(m_measures, &MeasuresPanel::failed, m_messages, &MessageBar::showError);
    connect(m_measures, &MeasuresPanel::saved, this,
            [this](const QString& path) { m_messages->showNote(tr("Written: %1.").arg(path)); });
    connect(&m_playlist, &Playlist::replaced, this, [this] {
        m_cloudWork.clear();
        m_measuredCloud = placeOfWork();
        if (m_pending)
            takeCloudWork(m_pending->project);
    });
    connect(&m_playlist, &Playlist::moved, this, &MainWindow::restoreMeasures);
    connect(m_data, &DataPanel::pickMoved, this, [this](std::optional<Vec3d> position) {
        m_picked = position;
        showMarks();
    });
}

void MainWindow::onMeasuringChanged() {
    const auto kind = m_measuring.kind();
    for (int i = 0; i < m_measureActions.size(); ++i)
        m_measureActions[i]->setChecked(kind && int(*kind) == i && !m_measuresSection);
    m_views->setMeasuring(kind.has_value());
    showPresentationKeys();
    if (!kind)
        return;
    m_edit->tool().setKind(std::nullopt);
    showDockOfTool("measures");
}

void MainWindow::showEditTool(bool isActive) {
    if (isActive)
        m_measuring.setKind(std::nullopt);
    m_views->setMeasuring(isActive || m_measuring.kind().has_value());
    if (isActive)
        showDockOfTool("edits");
}

void MainWindow::showDockOfTool(const char* name) {
    if (!m_beforePresentation) { // which nothing but the views is part of
        auto* dock = findChild<QDockWidget*>(QString::fromLatin1(name));
        dock->show();
        dock->raise();
    }
    if (!m_views->isAncestorOf(focusWidget())) // so that Enter, Backspace and Esc arrive
        focusView();
}

void MainWindow::focusView() {
    if (!m_views->current()->widget()->isHidden())
        return m_views->current()->widget()->setFocus();
    for (ScanView* view : m_views->views())
        if (!view->widget()->isHidden())
            return view->widget()->setFocus();
}

QString MainWindow::measureHint() const {
    const auto kind = m_measuring.kind();
    if (!kind)
        return {};
    const auto draft = m_measuring.draft();
    const std::size_t have = draft ? draft->points.size() : 0, need = fewestPoints(*kind);
    const QString what = m_measuresSection ? tr("Section") : kindText(*kind);
    if (*kind == MeasureKind::point)
        return tr("%1: click into a view. Esc ends.").arg(what);
    if (*kind == MeasureKind::angle && have == 1)
        return tr("%1: click its vertex. Backspace takes back, Esc cancels.").arg(what);
    if (*kind == MeasureKind::area && have >= need)
        return tr("%1: click further corners, or end it by Enter, a double click or a right click.")
            .arg(what);
    if (*kind == MeasureKind::area && have > 0)
        return tr("%1: click corner %2. Backspace takes back, Esc cancels.").arg(what).arg(have + 1);
    if (have == 0)
        return tr("%1: click its first point. Esc ends.").arg(what);
    return tr("%1: click point %2. Backspace takes back, Esc cancels.").arg(what).arg(have + 1);
}

Vec3d MainWindow::up() const {
    return upVector(m_snapshot ? m_snapshot->resolved.up.value_or(UpAxis::z) : UpAxis::z);
}

void MainWindow::addMeasure(Measure measure) {
    if (m_measuresSection)
        return takeMeasuredSection(measure);
    MeasureList measures = m_history.state().measures;
    measure.name = freeName(measure.kind, measures).toStdString();
    measure.colour = freeColour(measures);
    measures.push_back(std::move(measure));
    changeMeasures(measures);
    m_measures->table()->selectRow(int(measures.size()) - 1);
}

void MainWindow::leaveMeasures() {
    m_measuring.drop();
    m_leftWork = {m_history.state().measures, m_history.state().reference};
}

int MainWindow::placeOfWork() const {
    const int shown = m_playlist.shown();
    return m_playlist.kind() == Playlist::Kind::sequence ? std::min(shown, 0) : shown;
}

void MainWindow::restoreMeasures() {
    const int place = placeOfWork();
    if (m_playlist.size() == 0 || place == m_measuredCloud)
        return;
    m_cloudWork[m_measuredCloud] = std::exchange(m_leftWork, {});
    m_measuredCloud = place;
    showCloudWork();
}

void MainWindow::showCloudWork() {
    auto [measures, reference] = m_cloudWork[placeOfWork()];
    if (measures.empty() && reference == ChosenReference())
        return;
    // those that were made in a first look at the scan
    measures.insert(measures.end(), m_history.state().measures.begin(), m_history.state().measures.end());
    WorkState state = m_history.state();
    state.measures = measures;
    state.reference = reference;
    m_history.reset(state);
    showHistory();
    showReference();
    showMeasures();
}

void MainWindow::takeCloudWork(const Project& project) {
    if (int(project.scans.size()) != m_playlist.size())
        return;
    for (int i = 0; i < m_playlist.size(); ++i) {
        const ProjectScan& scan = project.scans[std::size_t(i)];
        if (scan.path != m_playlist.path(i))
            return m_cloudWork.clear(); // something else was opened meanwhile
        m_cloudWork[i] = {scan.measures, scan.reference};
    }
    if (project.together)
        m_cloudWork[Project::kTogether] = {project.together->measures, project.together->reference};
    const int shown = project.kind == ProjectKind::sequence ? std::min(project.shown, 0) : project.shown;
    m_cloudWork[shown] = {project.measures, project.reference};
}

void MainWindow::changeMeasures(const MeasureList& measures) {
    WorkState state = m_history.state();
    state.measures = measures;
    m_history.record(state);
    keepMeasures();
    showHistory();
    showMeasures();
}

void MainWindow::readKeptMeasures() {
    m_keptScan = QFileInfo::exists(m_opener.name()) ? m_opener.name() : QString();
    WorkState state = m_history.state();
    try {
        state.measures = m_measureStore.of(m_keptScan);
    } catch (...) { // nothing replaces them
        m_keptScan.clear();
        const Failure failure = failureOf(std::current_exception(), {});
        m_messages->showError(tr("The measures of the last time can't be read, and stay where they are: %1")
                                  .arg(failure.sentence),
                              failure.nextStep);
    }
    m_areMeasuresKept = !m_keptScan.isEmpty();
    if (state.measures.empty())
        return;
    m_messages->showNote(tr("Measures of the last time are shown again: %1.").arg(state.measures.size()));
    m_history.reset(state);
    showHistory();
    showMeasures();
}

void MainWindow::keepMeasures() {
    if (m_keptScan.isEmpty())
        return;
    const MeasureList& measures = m_history.state().measures;
    m_measureStore.keep(m_keptScan, measures,
                        [=, this, scan = m_keptScan, replaced = m_replaced](bool isKept) {
                            onMeasuresKept(scan, replaced, measures, isKept);
                        });
}

void MainWindow::onMeasuresKept(const QString& scan, int replaced, const MeasureList& measures, bool isKept) {
    if (replaced != m_replaced) { // another scan has come, and nobody was asked about these
        if (isKept || measures.empty())
            return;
        const QFileInfo file(scan);
        Project left;
        left.scans = {{rawPath(file.absoluteFilePath())}};
        left.measures = measures;
        m_store.leaveBehind(left);
        const QString note =
            tr("The measures of %1 could not be kept with it. Open it again to restore them.")
                .arg(shownText(file.fileName()));
        m_log->append(note);
        return m_messages->showNote(note);
    }
    if (scan != m_keptScan) // a project has them
        return;
    const bool were = std::exchange(m_areMeasuresKept, isKept);
    setWindowModified(isModified());
    if (were && !isKept)
        m_messages->showError(tr("The measures can't be kept with the scan: another window has changed those "
                                 "of this scan, or their folder can't be written to."),
                              tr("Save them as a project."));
}

void MainWindow::showMeasures() {
    m_history.setFrame(up(), m_reference.unit);
    for (QAction* action : m_measureActions)
        action->setEnabled(m_snapshot != nullptr);
    m_measures->setMeasures(m_history.state().measures, up(), m_reference.unit);
    showMarks();
}

void MainWindow::showMarks() {
    SceneMarks marks;
    marks.marks = aidMarks();
    const std::vector<SceneMark> cut = m_cut.marks();
    marks.marks.insert(marks.marks.end(), cut.begin(), cut.end());
    const std::vector<SceneMark> edit = m_edit->tool().marks();
    marks.marks.insert(marks.marks.end(), edit.begin(), edit.end());
    const std::vector<SceneMark> inspection = m_inspect->marks();
    marks.marks.insert(marks.marks.end(), inspection.begin(), inspection.end());
    marks.wantsHover = m_cut.wantsHover() || m_edit->tool().isActive();
    if (m_picked)
        marks.marks.push_back(pickMark(*m_picked));
    for (const Measure& measure : m_history.state().measures)
        if (measure.visible) {
            marks.marks.push_back(markOf(measure, up(), m_reference.unit));
            if (measure.kind == MeasureKind::point) // a probe, where there are deviations
                marks.marks.back().text = (marks.marks.back().text + QLatin1Char(' ') +
                                           m_inspect->deviationText(measure.points.front().position))
                                              .trimmed();
        }
    if (auto draft = m_measuring.draft()) {
        draft->colour = freeColour(m_history.state().measures);
        marks.marks.push_back(markOf(*draft, up(), m_reference.unit));
        if (m_measuring.kind() && !draft->points.empty())
            marks.rubberFrom = draft->points.back().position;
    }
    m_views->setMarks(marks);
}

} // namespace scanloupe::gui
