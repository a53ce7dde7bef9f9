// Inspects the scan against a model or another scan.
#include "gui/controllers/inspect_controller.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/mesh_reader.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/compared_points.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/dialogs/pairs_dialog.h"
#include "gui/jobs/export_runner.h"
#include "gui/jobs/report_file.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/marks/inspection_marks.h"
#include "gui/models/region_model.h"
#include "gui/panels/inspect_panel.h"
#include "gui/views/linked_camera.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>
#include <numbers>

namespace scanloupe::gui {

namespace {

/// "Meshes and scans (*.ply *.stl ...);;Meshes (...)".
QString referenceFilter() {
    std::vector<std::string> all, meshes;
    for (const FileFormat& format : fileFormats()) {
        all.insert(all.end(), format.endings.begin(), format.endings.end());
        if (format.readFaces)
            meshes.insert(meshes.end(), format.endings.begin(), format.endings.end());
    }
    return InspectController::tr("Meshes and scans (%1);;Meshes (%2)")
        .arg(patternsOf(all), patternsOf(meshes));
}

auto errorsIn(const WindowContext& window) {
    return [window](const std::exception_ptr& error) { window.showError(error); };
}

} // namespace

InspectController::InspectController(const WindowContext& window, RunController& run, EditController& edit,
                                     InspectPanel& panel)
    : Controller(window), m_run(run), m_edit(edit), m_panel(panel),
      m_fitter([this](const Fitted& fitted) { takeFit(fitted); }, errorsIn(window)),
      m_reader([this](const Readable& file) { addComparison(file); }, errorsIn(window)),
      m_looker([this](const PlaceView& view) { m_window.viewing.camera.setCamera(view.camera); },
               errorsIn(window)) {
    connect(&panel, &InspectPanel::modelWanted, this, &InspectController::chooseModel);
    connect(&panel, &InspectPanel::toleranceEdited, this, &InspectController::setTolerance);
    connect(&panel, &InspectPanel::scaleChosen, this, &InspectController::scaleReference);
    connect(&panel, &InspectPanel::fitWanted, this, &InspectController::fit);
    connect(&panel, &InspectPanel::pairsWanted, this, &InspectController::pickPairs);
    connect(&panel, &InspectPanel::regionChosen, this, &InspectController::lookAt);
    connect(&panel, &InspectPanel::reportWanted, this, &InspectController::saveReport);
    connect(&panel, &InspectPanel::localModelChosen, this, &InspectController::setLocalModel);
    connect(&panel, &InspectPanel::deviationLinesChosen, this, &InspectController::marksChanged);
    connect(&m_runner, &InspectionRunner::ready, this, &InspectController::takeInspection);
    connect(&m_runner, &InspectionRunner::failed, &m_window.messages, &MessageBar::showError);
    connect(&m_work, &Work::resultsChanged, this, &InspectController::show);
    connect(&m_work, &Work::recipeChanged, &panel, &InspectPanel::setRecipe);
}

void InspectController::chooseModel() {
    const SnapshotPtr& shown = m_work.results();
    const QString folder = shown && shown->cloud ? QFileInfo(rawText(shown->cloud->path)).path() : QString();
    const QString path = QFileDialog::getOpenFileName(&m_window.widget, tr("Compare with a model or scan"),
                                                      folder, referenceFilter());
    if (!path.isEmpty())
        compareWith(path);
}

void InspectController::compareWith(const QString& path) {
    if (!m_work.results() || !m_work.results()->cloud)
        return m_window.messages.showError(tr("Open a scan of points before choosing a reference."),
                                           tr("Open a scan, then choose the reference again."));
    m_reader.run([path = QFileInfo(path).absoluteFilePath(), unit = m_work.unit(),
                  scan = m_work.results()->input](const std::stop_token& stop) {
        return Readable{scan, path, unitScale(*readMeshOrScan(rawPath(path), {}, stop).vertices, unit)};
    });
}

void InspectController::addComparison(const Readable& readable) {
    if (!m_work.results() || m_work.results()->input != readable.scan.lock())
        return; // another scan was opened while the file was read
    Recipe recipe = m_edit.atRest(m_work.recipe());
    const QFileInfo file(readable.path);
    recipe.edits = withLayerOfSelectedOrAll(std::move(recipe.edits),
                                            CompareAction{rawBytes(file.absoluteFilePath()), readable.scale},
                                            rawBytes(tr("Compare with %1").arg(file.fileName())));
    recipe.colourBy = kDeviationAttribute;
    recipe.colourMap = ColourMapName::coolWarm;
    recipe.colourLow = recipe.colourHigh = std::nullopt;
    m_work.changeRecipe(recipe);
    emit wanted();
}

void InspectController::show() {
    m_panel.setScan(m_work.hasCloud());
    m_panel.setRecipe(m_work.recipe());
    m_panel.setUnit(m_work.unit());
    m_runner.setSnapshot(m_work.results());
}

void InspectController::setTolerance(double tolerance) {
    Recipe recipe = m_edit.atRest(m_work.recipe());
    recipe.tolerance = tolerance;
    m_work.changeRecipe(recipe);
}

void InspectController::takeInspection(const std::optional<Inspection>& inspection) {
    m_inspection = inspection;
    m_panel.setInspection(inspection);
    emit marksChanged();
}

std::vector<SceneMark> InspectController::marks() const {
    std::vector<SceneMark> marks;
    if (!m_inspection)
        return marks;
    if (const double times = m_panel.deviationLineScale(); times > 0)
        marks = deviationLineMarks(*m_inspection, times);
    for (SceneMark& mark : referenceSectionMarks(*m_inspection))
        marks.push_back(std::move(mark));
    return marks;
}

QString InspectController::deviationText(Vec3d place) const {
    const SnapshotPtr& shown = m_work.results();
    if (!shown || !shown->reference)
        return {};
    const auto found = deviationAt(*shown->reference, comparingOptions(shown->resolved->edits), place);
    return found ? signedLengthText(found->value, m_work.unit()) : QString();
}

void InspectController::changeComparison(const std::function<void(CompareAction&)>& change) {
    Recipe recipe = m_edit.atRest(m_work.recipe());
    const auto layer = comparingLayer(recipe.edits);
    if (!layer)
        return;
    recipe.edits = withChangedLayer(std::move(recipe.edits), *layer, [&](EditLayer& changed) {
        change(std::get<CompareAction>(changed.action));
    });
    m_work.changeRecipe(recipe);
}

void InspectController::setLocalModel(LocalModel model) {
    changeComparison([model](CompareAction& action) {
        action.model = model;
        action.neighbours = std::max(action.neighbours, fewestNeighbours(model));
    });
}

void InspectController::scaleReference(double scale) {
    changeComparison([scale](CompareAction& action) { action.scale *= scale; });
}

void InspectController::fit() {
    const SnapshotPtr shown = m_work.results();
    if (!canMove())
        return;
    FitOptions options = m_panel.fitOptions();
    const DeviationOptions distances = comparingOptions(shown->recipe->edits);
    options.largest = distances.largest;
    options.neighbours = distances.neighbours;
    m_fitter.run([shown, options](const std::stop_token& stop) {
        const std::optional<Stream> stream =
            shown->voxels.onDevice() ? std::optional<Stream>(std::in_place) : std::nullopt;
        const Fit fit = fitToReference(comparedPoints(*shown, stop).span(), *shown->reference, options,
                                       {stream ? std::optional(stream->view()) : std::nullopt, stop});
        return Fitted{fit, inScanFrame(fit.motion, fit.scale, shown->reference->origin),
                      options.scales ? 7 : 6, shown->input, shown->recipe->edits.layers};
    });
}

bool InspectController::canMove() {
    const SnapshotPtr& shown = m_work.results();
    if (!m_run.isWhole())
        return false;
    if (!shown->reference) {
        m_window.messages.showError(tr("The displayed results contain no comparison."),
                                    tr("Compare the scan with a model or another scan first."));
        return false;
    }
    if (!movedSince(shown->recipe->edits))
        return true;
    m_window.messages.showError(tr("A layer above the comparison moves points."),
                                tr("Hide that layer, or move it below the comparison."));
    return false;
}

bool InspectController::moveOntoReference(const FitInScanFrame& found,
                                          const std::weak_ptr<const PointCloud>& scan,
                                          const EditLayers& layers, const QString& what) {
    Recipe recipe = m_edit.atRest(m_work.recipe());
    const auto comparing = comparingLayer(recipe.edits);
    if (!m_work.results() || m_work.results()->input != scan.lock() || !comparing ||
        !haveSameEffect(recipe.edits.layers, layers)) {
        m_window.messages.showNote(tr("The scan was not moved: its points have changed in the meantime."));
        return false;
    }
    const Edits moved = withLayerOfSelectedOrAll({}, MoveAction{found.motion}, rawBytes(what));
    if (found.referenceScale != 1)
        recipe.edits = withChangedLayer(std::move(recipe.edits), *comparing, [&](EditLayer& changed) {
            std::get<CompareAction>(changed.action).scale *= found.referenceScale;
        });
    recipe.edits.layers.insert(recipe.edits.layers.begin() + std::ptrdiff_t(*comparing),
                               moved.layers.front());
    m_work.changeRecipe(recipe);
    return true;
}

void InspectController::pickPairs() {
    const SnapshotPtr shown = m_work.results();
    if (!canMove())
        return;
    auto* dialog = new PairsDialog(shown, m_window.viewing, m_work.unit(), &m_window.widget);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, shown, dialog] {
        const Orientation& found = dialog->orientation().value();
        if (moveOntoReference({found.motion, 1 / found.scale}, shown->input, shown->recipe->edits.layers,
                              tr("Match picked pairs")))
            m_window.messages.showNote(dialog->sentence());
    });
    dialog->open();
}

void InspectController::takeFit(const Fitted& fitted) {
    if (!moveOntoReference(fitted.inScan, fitted.scan, fitted.layers, tr("Fit to the reference")))
        return;
    const LengthUnit unit = m_work.unit();
    QString text = tr("Fitted: the median distance was %1 before and is %2 now.")
                       .arg(lengthText(fitted.fit.before, unit), lengthText(fitted.fit.after, unit));
    if (fitted.fit.shiftDeviation() > 0)
        text += QLatin1Char(' ') +
                tr("Uncertainty: %1, %2°.")
                    .arg(lengthText(fitted.fit.shiftDeviation(), unit),
                         QLocale().toString(fitted.fit.turnDeviation() * 180 / std::numbers::pi, 'g', 2));
    if (!fitted.fit.hasConverged)
        text += QLatin1Char(' ') + tr("The fit has not converged: run it again.");
    if (fitted.fit.scale != 1)
        text += QLatin1Char(' ') + tr("The reference is scaled by %1.")
                                       .arg(QLocale().toString(fitted.inScan.referenceScale, 'g', 7));
    if (fitted.fit.weakDirections > 0)
        text += QLatin1Char(' ') +
                tr("The reference does not constrain %1 of %2 directions: the scan was not moved along them.")
                    .arg(fitted.fit.weakDirections)
                    .arg(fitted.directions);
    m_window.messages.showNote(text);
}

void InspectController::saveReport() {
    const SnapshotPtr shown = m_work.results(); // other results may arrive while the file dialog is open
    if (!m_run.mayExport())
        return;
    const QString path =
        m_window.promptPath(&m_window.widget, tr("Save the report"), QStringLiteral("inspection.html"),
                            tr("Web pages (*.html);;PDF (*.pdf)"));
    if (path.isEmpty())
        return;
    ReportOptions how;
    how.unit = m_work.unit();
    how.camera = m_window.viewing.camera.camera();
    ExportJob job{tr("the report to %1").arg(shownText(path)), rawPath(path), shown, {}};
    job.write = [target = job.target, how](const Snapshot& s, const ProgressFunction& progress,
                                           const std::stop_token& stop) {
        ReportOptions options = how;
        options.progress = progress;
        writeReport(target, inspectionReport(s, options, stop), stop);
    };
    m_window.jobs.exporter().start(std::move(job));
}

void InspectController::lookAt(DeviationRegion region) {
    const SnapshotPtr shown = m_work.results();
    if (!shown || shown->preview || !shown->voxels)
        return m_window.messages.showNote(tr("Results are still being computed. Click again in a moment."));
    Camera from = m_window.viewing.camera.camera();
    const Vec3d way = from.eye - from.target;
    if (dot(way, region.facing) < 0) // the camera sees the surface from behind
        from.eye = from.target + way - region.facing * (2 * dot(way, region.facing));
    // the camera starts from its current direction and turns only if other points hide the position
    region.facing = normalized(from.eye - from.target);
    m_looker.run([shown, from, region](const std::stop_token& stop) {
        constexpr double aspect = 1.5; // approximate aspect ratio of a view
        return PlaceViews(*shown, from, aspect).of(region, stop);
    });
}

} // namespace scanloupe::gui
