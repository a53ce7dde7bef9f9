// Inspects the scan against a model or another scan.
#include "gui/app/inspect_session.h"

#include "engine/edit/edit_list.h"
#include "engine/inspect/compare_options.h"
#include "engine/io/formats.h"
#include "engine/io/mesh_reader.h"
#include "engine/stages/compared_points.h"
#include "gui/app/edit_session.h"
#include "gui/app/pairs_dialog.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/export_runner.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/report_file.h"
#include "gui/models/inspection_marks.h"
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
    QStringList all, meshes;
    for (const FileFormat& format : fileFormats())
        for (const std::string& ending : format.endings) {
            const QString pattern = QStringLiteral("*") + QString::fromStdString(ending);
            all << pattern;
            if (format.readFaces)
                meshes << pattern;
        }
    return InspectSession::tr("Meshes and scans (%1);;Meshes (%2)")
        .arg(all.join(QLatin1Char(' ')), meshes.join(QLatin1Char(' ')));
}

} // namespace

InspectSession::InspectSession(EditHost& host, EditSession& edit, InspectPanel& panel, MessageBar& messages,
                               ExportRunner& exporter, const ViewContext& context, QWidget* window)
    : QObject(window), m_host(host), m_edit(edit), m_panel(panel), m_messages(messages), m_exporter(exporter),
      m_context(context), m_window(window),
      m_fitter([this](const Fitted& fitted) { takeFit(fitted); },
               [this](const std::exception_ptr& error) { showError(error); }),
      m_reader([this](const Readable& file) { addComparison(file); },
               [this](const std::exception_ptr& error) { showError(error); }),
      m_looker([this](const PlaceView& view) { m_context.camera.setCamera(view.camera); },
               [this](const std::exception_ptr& error) { showError(error); }) {
    connect(&panel, &InspectPanel::modelWanted, this, &InspectSession::chooseModel);
    connect(&panel, &InspectPanel::toleranceEdited, this, &InspectSession::setTolerance);
    connect(&panel, &InspectPanel::scaleChosen, this, &InspectSession::scaleReference);
    connect(&panel, &InspectPanel::fitWanted, this, &InspectSession::fit);
    connect(&panel, &InspectPanel::pairsWanted, this, &InspectSession::pickPairs);
    connect(&panel, &InspectPanel::regionChosen, this, &InspectSession::lookAt);
    connect(&panel, &InspectPanel::reportWanted, this, &InspectSession::saveReport);
    connect(&panel, &InspectPanel::localModelChosen, this, &InspectSession::setLocalModel);
    connect(&panel, &InspectPanel::whiskersChosen, this, &InspectSession::marksChanged);
    connect(&m_runner, &InspectionRunner::ready, this, &InspectSession::takeInspection);
    connect(&m_runner, &InspectionRunner::failed, &messages, &MessageBar::showError);
}

void InspectSession::showError(const std::exception_ptr& error) {
    const Failure failure = failureOf(error, {});
    if (!failure.sentence.isEmpty())
        m_messages.showError(failure.sentence, failure.nextStep);
}

void InspectSession::chooseModel() {
    const SnapshotPtr& shown = m_host.results();
    const QString folder = shown && shown->cloud ? QFileInfo(rawText(shown->cloud->path)).path() : QString();
    const QString path =
        QFileDialog::getOpenFileName(m_window, tr("Compare with a model or scan"), folder, referenceFilter());
    if (!path.isEmpty())
        compareWith(path);
}

void InspectSession::compareWith(const QString& path) {
    if (!m_host.results() || !m_host.results()->cloud)
        return m_messages.showError(tr("A reference is for a scan of points that is open, and none is."),
                                    tr("Open a scan, then choose the reference again."));
    m_reader.run([path = QFileInfo(path).absoluteFilePath(), unit = m_host.unit(),
                  scan = m_host.results()->input](const std::stop_token& stop) {
        return Readable{scan, path, unitScale(*readMeshOrScan(rawPath(path), {}, stop).vertices, unit)};
    });
}

void InspectSession::addComparison(const Readable& readable) {
    if (!m_host.results() || m_host.results()->input != readable.scan.lock())
        return; // another scan was opened while it was read
    Recipe recipe = m_edit.atRest(m_host.recipe());
    const QFileInfo file(readable.path);
    recipe.edits = withLayerOfSelectedOrAll(std::move(recipe.edits),
                                            CompareAction{rawBytes(file.absoluteFilePath()), readable.scale},
                                            rawBytes(tr("Compare with %1").arg(file.fileName())));
    recipe.colourBy = kDeviationAttribute;
    recipe.colourMap = ColourMapName::coolWarm;
    recipe.colourLow = recipe.colourHigh = std::nullopt;
    m_host.takeRecipe(recipe, EditHost::Step::added);
    m_host.showDockOfTool("inspect");
}

void InspectSession::show() {
    m_panel.setScan(m_host.results() && m_host.results()->cloud);
    m_panel.setRecipe(m_host.recipe());
    m_panel.setUnit(m_host.unit());
    m_runner.setSnapshot(m_host.results());
}

void InspectSession::setTolerance(double tolerance) {
    Recipe recipe = m_edit.atRest(m_host.recipe());
    recipe.tolerance = tolerance;
    m_host.takeRecipe(recipe, EditHost::Step::added);
    m_panel.setRecipe(recipe);
}

void InspectSession::takeInspection(const std::optional<Inspection>& inspection) {
    m_inspection = inspection;
    m_panel.setInspection(inspection);
    emit marksChanged();
}

std::vector<SceneMark> InspectSession::marks() const {
    std::vector<SceneMark> marks;
    if (!m_inspection)
        return marks;
    if (const double times = m_panel.whiskerLength(); times > 0)
        marks = whiskerMarks(*m_inspection, times);
    for (SceneMark& mark : referenceSectionMarks(*m_inspection))
        marks.push_back(std::move(mark));
    return marks;
}

QString InspectSession::deviationText(Vec3d place) const {
    const SnapshotPtr& shown = m_host.results();
    if (!shown || !shown->reference)
        return {};
    const auto found = deviationAt(*shown->reference, comparingOptions(shown->resolved.edits), place);
    return found ? signedLengthText(found->value, m_host.unit()) : QString();
}

void InspectSession::setLocalModel(LocalModel model) {
    Recipe recipe = m_edit.atRest(m_host.recipe());
    const auto layer = comparingLayer(recipe.edits);
    if (!layer)
        return;
    recipe.edits = withChangedLayer(std::move(recipe.edits), *layer, [&](EditLayer& changed) {
        auto& action = std::get<CompareAction>(changed.action);
        action.model = model;
        action.neighbours = std::max(action.neighbours, fewestNeighbours(model));
    });
    m_host.takeRecipe(recipe, EditHost::Step::added);
}

void InspectSession::scaleReference(double scale) {
    Recipe recipe = m_edit.atRest(m_host.recipe());
    const auto layer = comparingLayer(recipe.edits);
    if (!layer)
        return;
    recipe.edits = withChangedLayer(std::move(recipe.edits), *layer, [&](EditLayer& changed) {
        std::get<CompareAction>(changed.action).scale *= scale;
    });
    m_host.takeRecipe(recipe, EditHost::Step::added);
}

void InspectSession::fit() {
    const SnapshotPtr shown = m_host.results();
    if (!canMove())
        return;
    FitOptions options = m_panel.fitOptions();
    const DeviationOptions distances = comparingOptions(shown->recipe.edits);
    options.largest = distances.largest;
    options.neighbours = distances.neighbours;
    m_fitter.run([shown, options](const std::stop_token& stop) {
        const std::optional<Stream> stream =
            shown->voxels.onDevice() ? std::optional<Stream>(std::in_place) : std::nullopt;
        const Fit fit = fitToReference(comparedPoints(*shown, stop).span(), *shown->reference, options,
                                       {stream ? std::optional(stream->view()) : std::nullopt, stop});
        return Fitted{fit, inScanFrame(fit.motion, fit.scale, shown->reference->origin),
                      options.scales ? 7 : 6, shown->input, shown->recipe.edits.layers};
    });
}

bool InspectSession::canMove() {
    const SnapshotPtr& shown = m_host.results();
    if (!m_host.isWhole())
        return false;
    if (!shown->reference) {
        m_messages.showError(tr("The results that are shown are not compared with anything."),
                             tr("Compare the scan with a model or another scan first."));
        return false;
    }
    if (!movedSince(shown->recipe.edits))
        return true;
    m_messages.showError(tr("Points are moved by a layer above the one that compares them."),
                         tr("Hide that layer, or move it below the comparison."));
    return false;
}

bool InspectSession::moveOntoReference(const FitInScanFrame& found,
                                       const std::weak_ptr<const PointCloud>& scan, const EditLayers& layers,
                                       const QString& what) {
    Recipe recipe = m_edit.atRest(m_host.recipe());
    const auto comparing = comparingLayer(recipe.edits);
    if (!m_host.results() || m_host.results()->input != scan.lock() || !comparing ||
        !haveSameEffect(recipe.edits.layers, layers)) {
        m_messages.showNote(tr("Nothing was moved: the points have changed meanwhile."));
        return false;
    }
    const Edits moved = withLayerOfSelectedOrAll({}, MoveAction{found.motion}, rawBytes(what));
    if (found.referenceScale != 1)
        recipe.edits = withChangedLayer(std::move(recipe.edits), *comparing, [&](EditLayer& changed) {
            std::get<CompareAction>(changed.action).scale *= found.referenceScale;
        });
    recipe.edits.layers.insert(recipe.edits.layers.begin() + std::ptrdiff_t(*comparing),
                               moved.layers.front());
    m_host.takeRecipe(recipe, EditHost::Step::added);
    return true;
}

void InspectSession::pickPairs() {
    const SnapshotPtr shown = m_host.results();
    if (!canMove())
        return;
    auto* dialog = new PairsDialog(shown, m_context, m_host.unit(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, shown, dialog] {
        const Orientation& found = dialog->orientation().value();
        if (moveOntoReference({found.motion, 1 / found.scale}, shown->input, shown->recipe.edits.layers,
                              tr("Match picked pairs")))
            m_messages.showNote(dialog->sentence());
    });
    dialog->open();
}

void InspectSession::takeFit(const Fitted& fitted) {
    if (!moveOntoReference(fitted.inScan, fitted.scan, fitted.layers, tr("Fit to the reference")))
        return;
    const LengthUnit unit = m_host.unit();
    QString text = tr("Fitted: the median distance was %1 and is %2.")
                       .arg(lengthText(fitted.fit.before, unit), lengthText(fitted.fit.after, unit));
    if (fitted.fit.shiftDeviation() > 0)
        text += QLatin1Char(' ') +
                tr("Uncertain by %1, %2°.")
                    .arg(lengthText(fitted.fit.shiftDeviation(), unit),
                         QLocale().toString(fitted.fit.turnDeviation() * 180 / std::numbers::pi, 'g', 2));
    if (!fitted.fit.hasConverged)
        text += QLatin1Char(' ') + tr("It was still moving at its last step: fit it once more.");
    if (fitted.fit.scale != 1)
        text += QLatin1Char(' ') + tr("The reference is taken %1 times as large.")
                                       .arg(QLocale().toString(fitted.inScan.referenceScale, 'g', 7));
    if (fitted.fit.weakDirections > 0)
        text += QLatin1Char(' ') +
                tr("Along %1 of %2 directions the reference does not hold the scan: it was not moved "
                   "along them.")
                    .arg(fitted.fit.weakDirections)
                    .arg(fitted.directions);
    m_messages.showNote(text);
}

void InspectSession::saveReport() {
    const SnapshotPtr shown = m_host.results(); // another one may come while people choose a file
    if (!m_host.mayExport())
        return;
    const QString path =
        m_host.promptSavePath(m_window, tr("Save the report"), QStringLiteral("inspection.html"),
                              tr("Pages (*.html);;PDF (*.pdf)"));
    if (path.isEmpty())
        return;
    ReportOptions how;
    how.unit = m_host.unit();
    how.camera = m_context.camera.camera();
    ExportJob job{tr("the report to %1").arg(shownText(path)), rawPath(path), shown, {}};
    job.write = [target = job.target, how](const Snapshot& s, const ProgressFunction& progress,
                                           const std::stop_token& stop) {
        ReportOptions options = how;
        options.progress = progress;
        writeReport(target, inspectionReport(s, options, stop), stop);
    };
    m_exporter.start(std::move(job));
}

void InspectSession::lookAt(DeviationRegion region) {
    const SnapshotPtr shown = m_host.results();
    if (!shown || shown->preview || !shown->voxels)
        return m_messages.showNote(tr("The results are still being computed. Click the place again."));
    Camera from = m_context.camera.camera();
    const Vec3d way = from.eye - from.target;
    if (dot(way, region.facing) < 0) // from its other side
        from.eye = from.target + way - region.facing * (2 * dot(way, region.facing));
    region.facing =
        normalized(from.eye - from.target); // the view turns only where other points hide the place
    m_looker.run([shown, from, region](const std::stop_token& stop) {
        constexpr double aspect = 1.5; // roughly that of a view
        return PlaceViews(*shown, from, aspect).of(region, stop);
    });
}

} // namespace scanloupe::gui
