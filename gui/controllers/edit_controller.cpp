// Handles strokes and layers of edits, the panel that shows them, and the dialogs that act on selected
// points.
#include "gui/controllers/edit_controller.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/sculpt_brushes.h"
#include "engine/io/formats.h"
#include "engine/io/points_in_range.h"
#include "engine/io/volume/read_volume.h"
#include "engine/io/writers.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/chosen_points.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/run_controller.h"
#include "gui/dialogs/edit_dialogs.h"
#include "gui/jobs/export_runner.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/layer_model.h"
#include "gui/panels/edit_panel.h"
#include "gui/text/number_text.h"
#include "gui/tools/field_at_surface.h"
#include "gui/views/linked_camera.h"

#include <QColorDialog>
#include <QCoreApplication>
#include <QInputDialog>
#include <QMenu>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr int kTryLaterMs = 200; // retry interval while another action is in progress

double largest(Vec3d v) {
    return std::max({v.x, v.y, v.z});
}

EditToolKind kindOfAction(const QAction& action) {
    return EditToolKind(action.data().toInt());
}

} // namespace

EditController::EditController(const WindowContext& window, RunController& run, EditPanel& panel)
    : Controller(window), m_run(run), m_panel(panel) {}

void EditController::connectAll() {
    connect(&m_tool, &EditTool::kindChanged, this, &EditController::showTool);
    connect(&m_tool, &EditTool::changed, this, [this] {
        m_panel.setHint(m_tool.hint());
        emit marksChanged();
    });
    connect(&m_tool, &EditTool::radiusChanged, &m_panel, &EditPanel::setRadius);
    connect(&m_tool, &EditTool::failed, &m_window.messages, &MessageBar::showRunError);
    connect(&m_tool, &EditTool::selected, this,
            [this](const SelectionStep& step) { changeEdits(withStep(editsAtRest(), step)); });
    connect(&m_tool, &EditTool::stroked, this, &EditController::takeStroke);
    connect(&m_tool, &EditTool::strokeDropped, this, &EditController::dropStroke);
    connect(&m_panel, &EditPanel::radiusEdited, &m_tool, &EditTool::setRadius);
    connect(&m_panel, &EditPanel::visibleOnlyChanged, &m_tool, &EditTool::setVisibleOnly);
    const auto edits = [this]() -> const Edits& { return editsAtRest(); };
    connect(&m_panel, &EditPanel::layerHidden, this, [this, edits](std::size_t layer, bool isHidden) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.isHidden = isHidden; }));
    });
    connect(&m_panel, &EditPanel::layerRenamed, this, [this, edits](std::size_t layer, const QString& name) {
        changeEdits(withChangedLayer(edits(), layer, [&](EditLayer& one) { one.name = rawBytes(name); }));
    });
    connect(&m_panel, &EditPanel::layerRemoved, this,
            [this, edits](std::size_t layer) { changeEdits(withoutLayer(edits(), layer)); });
    connect(&m_panel, &EditPanel::layerMoved, this, [this, edits](std::size_t layer, std::size_t place) {
        changeEdits(withMovedLayer(edits(), layer, place));
    });
    connect(&m_files, &FileWatch::saved, this, &EditController::tryFile);
    m_later.setSingleShot(true);
    m_later.setInterval(kTryLaterMs);
    connect(&m_later, &QTimer::timeout, this, [this] {
        for (const QString& file : std::exchange(m_laterFiles, {}))
            tryFile(file);
    });
    m_panel.setRadius(m_tool.radius());
    connect(&m_work, &Work::scanOpened, this, &EditController::leaveScan);
    connect(&m_work, &Work::recipeChanged, this, [this] {
        if (!m_before) // without a stroke in progress, the layers are those of the last complete stroke
            show();
    });
    connect(&m_work, &Work::resultsChanged, this, &EditController::endTrial);
    connect(&m_work, &Work::resultsChanged, this, &EditController::show);
    show();
}

void EditController::showTool() {
    const auto kind = m_tool.kind();
    for (QAction* action : m_tools)
        action->setChecked(kind && kindOfAction(*action) == *kind);
    m_panel.setHint(m_tool.hint());
    emit toolChosen(kind.has_value());
}

void EditController::dropStroke() {
    if (!m_before)
        return;
    Recipe recipe = m_work.recipe();
    recipe.edits = *std::exchange(m_before, std::nullopt);
    m_work.showRecipe(recipe);
}

const Edits& EditController::editsAtRest() {
    endStroke();
    return m_work.recipe().edits;
}

Recipe EditController::atRest(Recipe recipe) {
    if (m_before) {
        recipe.edits = *std::exchange(m_before, std::nullopt);
        m_tool.drop();
    }
    return recipe;
}

void EditController::changeEdits(const Edits& edits, const std::string& colourBy) {
    const SnapshotPtr of = m_work.results();
    const Edits before = m_work.recipe().edits;
    Recipe recipe = m_work.recipe();
    recipe.edits = edits;
    approveLayersOf({&recipe}); // needed because a hidden layer may have become visible
    const SnapshotPtr now = m_work.results();
    if (m_work.recipe().edits != before || (of && now && of->input != now->input))
        return showStale();
    if (!colourBy.empty())
        recipe.colourBy = colourBy;
    m_work.changeRecipe(recipe);
}

void EditController::showStale() {
    m_window.messages.showNote(
        tr("The edit was discarded: the scan or its edits have changed in the meantime."));
}

void EditController::endStroke() {
    if (m_before)
        m_tool.drop(); // also drops the stroke
}

void EditController::leaveScan() {
    m_before.reset();
    m_trial.reset();
    m_tool.setMirror(std::nullopt);
    m_noMirror->setChecked(true);
    m_wantedFiles.clear();
    m_ownFiles.clear();
    m_laterFiles.clear();
    m_tool.setKind(std::nullopt);
}

void EditController::addLayer(const EditAction& action, const QString& name, const std::string& colourBy) {
    changeEdits(withLayer(editsAtRest(), action, name.toStdString()), colourBy);
}

Edits EditController::withStrokeOf(Edits edits, const SelectionStep& step) {
    if (m_tool.kind() == EditToolKind::eraser)
        return withErased(std::move(edits), step, tr("Erase").toStdString());
    if (const auto tool = m_tool.sculptTool())
        return withSculpted(
            std::move(edits), step, m_sculpting,
            QCoreApplication::translate("scanloupe::gui::Brushes", rowOf(*tool).label).toStdString());
    return withStep(std::move(edits), step);
}

void EditController::takeStroke(const SelectionStep& added, const std::optional<SelectionStep>& whole) {
    Recipe recipe = m_work.recipe();
    if (!m_before) {
        m_before = recipe.edits;
        if (const auto tool = m_tool.sculptTool())
            m_sculpting = sculptAction(*tool);
    }
    const auto* stroke = whole ? std::get_if<StrokeRegion>(whole->region.get()) : nullptr;
    if (stroke && stroke->path.size() < 2 && m_tool.sculptTool() == SculptTool::smear)
        return dropStroke(); // a click without a drag smears nothing
    if (whole)
        return changeEdits(withStrokeOf(*std::exchange(m_before, std::nullopt), *whole));
    recipe.edits = withStrokeOf(std::move(recipe.edits), added);
    m_work.showRecipe(recipe);
}

SculptAction EditController::sculptAction(SculptTool tool) const {
    SculptAction action;
    action.tool = tool;
    action.strength = m_panel.strength();
    action.falloff = m_panel.falloff();
    if (const auto plane = m_tool.plane(); plane && traitsOf(tool).usesPlane) {
        action.planeAt = plane->at;
        action.planeNormal = plane->normal;
    }
    if (rowOf(tool).needsSource)
        action.cloneFrom = m_tool.cloneFrom();
    action.mirror = m_tool.mirror();
    action.level = m_atSurface.level;
    action.slope = m_atSurface.slope;
    return action;
}

void EditController::show() {
    followFiles();
    const bool hasCloud = m_work.hasCloud();
    const Edits& edits = m_work.recipe().edits;
    for (QAction* action : m_tools)
        action->setEnabled(hasCloud || (m_work.results() && sculptToolOf(kindOfAction(*action))));
    for (QAction* action : m_selecting)
        action->setEnabled(hasCloud);
    for (QAction* action : m_ofResults)
        action->setEnabled(m_work.results() != nullptr);
    for (QAction* action : m_doing)
        action->setEnabled(hasCloud && !edits.selection.empty());
    m_keptMenu->setEnabled(hasCloud && !edits.named.empty());
    m_panel.setEdits(edits);
    m_panel.setUnit(m_work.unit());
    if (const SnapshotPtr& shown = m_work.results(); shown && shown->field && !shown->preview)
        m_atSurface = fieldAtSurface(*shown);
    if (m_work.results() && m_work.results()->volume)
        m_tool.setSpacing(largest(m_work.results()->volume->lattice.spacing.as<double>()));
    if (!hasCloud)
        return m_panel.setChosen(std::nullopt, 0);
    m_tool.setSpacing(largest(*m_work.results()->resolved->voxelSize));
    if (m_work.results()->preview) // a preview has only some of the points
        return;
    m_panel.setChosen(m_work.results()->chosen ? std::optional(m_work.results()->chosen->count)
                                               : std::nullopt,
                      m_work.results()->cloud->size());
}

QString EditController::chosenText() const {
    const bool isKnown = m_work.results() && m_work.results()->chosen && !m_work.results()->preview;
    return isKnown ? tr("%1 points").arg(countText(m_work.results()->chosen->count)) : tr("points");
}

void EditController::selectBy() {
    const Bounds& bounds = m_work.results()->cloud->bounds();
    const Vec3d axis = m_work.up();
    const double a = dot(axis, bounds.min), b = dot(axis, bounds.max);
    SelectByDialog dialog(m_work.results()->cloud, axis, {std::min(a, b), std::max(a, b)}, m_work.unit(),
                          &m_window.widget);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(withStep(editsAtRest(), dialog.step()));
}

void EditController::selectByFormula() {
    FormulaDialog dialog(FormulaDialog::For::selection, m_work.results()->cloud, &m_window.widget);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(
            withStep(editsAtRest(),
                     stepOf(dialog.operation(), FormulaRegion{dialog.formula().toStdString(), m_work.up()})));
}

void EditController::computeAttribute() {
    FormulaDialog dialog(FormulaDialog::For::attribute, m_work.results()->cloud, &m_window.widget);
    if (dialog.exec() != QDialog::Accepted)
        return;
    changeEdits(withLayerOfSelectedOrAll(
                    editsAtRest(),
                    ComputeAction{dialog.name().toStdString(), dialog.formula().toStdString(), m_work.up()},
                    tr("%1 = %2").arg(dialog.name(), dialog.formula()).toStdString()),
                colourByAttribute(dialog.name().toStdString()));
}

void EditController::setClass() {
    SetClassDialog dialog(*m_work.results()->cloud, &m_window.widget);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(SetClassAction{dialog.value()}, tr("Class %1: %2").arg(dialog.text(), chosenText()));
}

void EditController::setColour() {
    const QColor chosen =
        QColorDialog::getColor(m_colour, &m_window.widget, tr("Colour of the selected points"));
    if (!chosen.isValid())
        return;
    m_colour = chosen;
    SetColourAction action;
    action.rgb = {std::uint8_t(chosen.red()), std::uint8_t(chosen.green()), std::uint8_t(chosen.blue())};
    addLayer(action, tr("Colour %1: %2").arg(chosen.name(), chosenText()), "rgb");
}

void EditController::moveSelection() {
    MoveDialog dialog(m_work.up(), m_window.viewing.camera.camera().target, m_work.unit(), &m_window.widget);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(MoveAction{dialog.motion()}, tr("Move %1").arg(chosenText()));
}

void EditController::saveSelection(bool removes) {
    const SnapshotPtr shown = m_work.results(); // other results may arrive while the file dialog is open
    if (!m_run.mayExport())
        return;
    if (!shown->chosen)
        return m_window.messages.showError(tr("The displayed results contain no selected points."),
                                           tr("Select the points again."));
    const QString path =
        m_window.promptPath(&m_window.widget, tr("Save the selected points"), QStringLiteral("selection.ply"),
                            tr("Point clouds (%1)").arg(patternsOf(cloudEndings())));
    if (path.isEmpty())
        return;
    ExportJob job{tr("%1 to %2").arg(chosenText(), shownText(path)), rawPath(path), shown, {}};
    job.write = [target = job.target](const Snapshot& s, const ProgressFunction& progress,
                                      const std::stop_token& stop) {
        const auto some = selectPoints(s.cloud, rowsOf(s.chosen->set.host()), stop);
        writeCloud(target, *some, {{}, progress}, stop);
    };
    if (removes)
        job.whenWritten = [this, shown,
                           name = tr("To %1: %2").arg(shownText(path), chosenText()).toStdString()] {
            removeWritten(*shown, name);
        };
    m_window.jobs.exporter().start(std::move(job));
}

void EditController::removeWritten(const Snapshot& of, const std::string& name) {
    if (!m_work.results() || m_work.results()->input != of.input)
        return m_window.messages.showNote(
            tr("The points were saved, but not deleted from their scan, since another scan is open now."));
    Edits all = editsAtRest();
    if (!haveSameEffect(all.layers, of.recipe->edits.layers))
        return m_window.messages.showNote(
            tr("The points were written, and stay here: edits have changed meanwhile."));
    all.selection = of.recipe->edits.selection;
    changeEdits(withLayer(std::move(all), RemoveAction{}, name));
}

void EditController::keepSelection() {
    bool isKept = false;
    const QString name =
        QInputDialog::getText(&m_window.widget, tr("Store selection"), tr("Name"), QLineEdit::Normal,
                              tr("Selection %1").arg(editsAtRest().named.size() + 1), &isKept)
            .trimmed();
    if (isKept && name.isEmpty())
        m_window.messages.showError(tr("The selection was not stored: it has no name."), tr("Enter a name."));
    else if (isKept)
        changeEdits(withNamed(editsAtRest(), name.toStdString()));
}

} // namespace scanloupe::gui
