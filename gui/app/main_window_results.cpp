// Passes results between the jobs, the panels and the views.
#include "engine/picture/opening_view.h"
#include "engine/recipe/range_cut.h"
#include "gui/app/difference_dialog.h"
#include "gui/app/inspect_session.h"
#include "gui/app/main_window.h"
#include "gui/app/tour_bar.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/compare_session.h"
#include "gui/jobs/forecast_session.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QAction>
#include <QStackedWidget>

namespace scanloupe::gui {

namespace {

/// Content that the views frame: the range of the results.
ViewSubject subjectOf(const Snapshot& s) {
    ViewSubject subject{{}, {}, s.origin(), s.cloud.get(), {}};
    if (s.cloud) {
        subject.box = gridBounds(s.resolved);
        subject.points = s.points->framingSample();
        subject.cut = pointCut(s.resolved, s.origin());
    } else {
        const LatticeShape& lattice = s.field->lattice;
        subject.box = {lattice.origin.as<double>(), lattice.position(lattice.dims).as<double>()};
    }
    return subject;
}

} // namespace

void MainWindow::frameResults() {
    m_camera.setFraming([this](const Camera& camera, double aspect) {
        return m_snapshot ? framed(camera, subjectOf(*m_snapshot), aspect) : camera;
    });
}

void MainWindow::onScanOpened(const QString& name) {
    m_isReplaced = m_playlist.isLeaving();
    m_replaced += m_isReplaced ? 1 : 0;
    const QString left = m_isReplaced ? leaveUnsavedWork() : QString();
    if (!m_isReplaced)
        m_playlist.keepRecipe(
            withPictureSize(shownRecipe())); // it may have changed while the next one was read
    if (m_isReplaced)
        m_recipeFile.clear();
    m_shownName = name;
    m_compare->end(); // of another scan
    m_messages->clear();
    m_welcome->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // needs no room any more
    m_pages->setCurrentWidget(m_views);
    const Recipe& recipe = m_jobs.runner().recipe();
    m_showAllNext = !recipe.camera; // a scan that was shown before restores its camera
    m_cameraIsNew = true;
    if (recipe.camera)
        m_camera.setCamera(*recipe.camera);
    m_parameters->setHistograms({});
    m_parameters->setRecipe(recipe);
    m_fitting = recipe; // it has just run
    m_awaited.reset();
    m_edit->leaveScan();
    leaveMeasures();
    m_keptScan.clear(); // until it is known whether the scan is one of a list
    m_areMeasuresKept = false;
    WorkState state;
    state.recipe = recipe;
    if (!left.isEmpty())
        m_messages->showNote(left);
    m_history.reset(state);
    showHistory();
    showMeasures();
    m_data->clearPick();
    if (!m_opener.name().isEmpty())
        m_recent.add(m_opener.name());
    if (m_tour && m_tour->step() == 0) // which explains how a scan is opened
        m_tour->next();
    m_isOpened = true;
}

void MainWindow::requestResults(Recipe recipe) {
    recipe.camera = std::nullopt;
    if (m_snapshot && !m_showAllNext)
        recipe.camera = m_camera.camera();
    m_awaited = withPictureSize(std::move(recipe));
    m_forecasts->ask(*m_awaited);
    showCut();
    showPictureContent();
}

Recipe MainWindow::withPictureSize(Recipe recipe) const {
    QSize size = m_pictureSize;
    if (size.isEmpty()) // no view was shown yet
        size = (QSizeF(m_views->rasterSizeIn(m_pages->size())) * devicePixelRatioF()).toSize();
    if (!size.isEmpty()) {
        recipe.imageWidth = std::uint32_t(size.width());
        recipe.imageHeight = std::uint32_t(size.height());
    }
    return recipe;
}

void MainWindow::onSnapshot(const SnapshotPtr& snapshot) {
    if (m_snapshot &&
        (m_snapshot->shownVoxels != snapshot->shownVoxels || m_snapshot->mesh != snapshot->mesh))
        m_data->followPick(snapshot); // its number refers to another primitive now
    const bool sameScan =
        m_snapshot && m_snapshot->input == snapshot->input && m_snapshot->volume == snapshot->volume;
    const bool isChosen = m_snapshot && m_snapshot->recipe.up != snapshot->recipe.up;
    m_snapshot = snapshot;
    m_camera.setBounds(subjectOf(*snapshot).box);
    const UpAxis up = snapshot->resolved.up.value_or(UpAxis::z);
    if (snapshot->recipe.up == m_jobs.runner().recipe().up) { // else results with the current up axis follow
        if (std::exchange(m_cameraIsNew, false) || !(sameScan || isChosen))
            m_camera.setUp(up);
        else // a new frame does not rotate the camera: its guessed up axis may differ
            m_camera.rotateToUp(up);
    }
    SnapshotPtr shown = snapshot;
    if (std::exchange(m_showAllNext, false)) {
        showAll();
        if (snapshot->picture && snapshot->picture->camera != m_camera.camera()) {
            // seen from another side: a picture of it would only flash up before the right one
            auto withoutPicture = std::make_shared<Snapshot>(*snapshot);
            withoutPicture->picture = nullptr;
            shown = withoutPicture;
            requestResults(
                m_parameters->recipe()); // the camera may be that of the scan before, and not change
        }
    }
    showReference();
    m_views->setSnapshot(shown);
    if (m_difference)
        m_difference->setSnapshot(snapshot);
    followSweep();
    m_parameters->setSnapshot(snapshot);
    m_forecasts->setSnapshot(snapshot);
    m_resultTimes.add(*snapshot);
    m_compare->setSnapshot(snapshot);
    m_timings->setSnapshot(snapshot);
    m_data->setSnapshot(snapshot);
    showMeasures(); // heights follow the up axis
    showCut();
    m_inspect->show();
    m_edit->show();
    showPictureContent();
    m_exportAction->setEnabled(true);
    m_savePointsAction->setEnabled(m_snapshot->cloud != nullptr);
    m_saveProjectAction->setEnabled(true);
    m_saveProjectAsAction->setEnabled(true);
    m_saveRecipeAction->setEnabled(true);
    m_openRecipeAction->setEnabled(true);
    showComparison();
    m_messages->runSucceeded();
    if (std::exchange(m_isOpened, false))
        onProjectOpened();
}

void MainWindow::onSnapshotRefined(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    m_views->setSnapshot(snapshot);
    m_timings->amendRun(snapshot);
    m_compare->setSnapshot(snapshot);
    m_data->setSnapshot(snapshot);
}

void MainWindow::showAll() {
    if (!m_snapshot)
        return;
    const ViewSubject subject = subjectOf(*m_snapshot);
    m_camera.setBounds(subject.box);
    Recipe recipe = m_snapshot->resolved;
    recipe.camera = std::nullopt;
    recipe.imageHeight = 1000;
    recipe.imageWidth = std::uint32_t(std::max(1.0, 1000 * m_views->aspect()));
    m_camera.setCamera(openingCamera(recipe, subject));
    m_automaticCamera = m_camera.camera();
    m_automaticAspect = m_views->aspect();
}

} // namespace scanloupe::gui
