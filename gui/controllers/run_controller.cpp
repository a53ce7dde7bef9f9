// Requests results after their forecast.
#include "gui/controllers/run_controller.h"

#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/camera_controller.h"
#include "gui/dialogs/sweep_dialog.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/models/partial_result.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/views/linked_camera.h"
#include "gui/views/view_area.h"

#include <algorithm>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kViewRestsMs = 250;

} // namespace

RunController::RunController(const WindowContext& window, const CameraController& camera, ForecastLine& line,
                             AlignPanel& align)
    : Controller(window), m_camera(camera), m_line(line), m_align(align),
      m_forecasts(window.jobs.runner().backend()) {
    connect(&m_work, &Work::scanOpened, this, &RunController::open);
    connect(&m_work, &Work::resultsWanted, this, &RunController::request);
    connect(&m_work, &Work::resultsChanged, &m_forecasts, &ForecastRunner::setSnapshot);
    connect(&window.views, &ViewArea::pictureWanted, this, [this](const Camera&, QSize size) {
        m_pictureSize = size;
        if (m_work.results() && !m_camera.isToCome())
            request(m_work.recipe());
    });
    connect(&window.jobs.loader(), &ScanLoader::busyChanged, this, [this](bool busy) {
        if (busy && !m_work.results()) // gives the first picture approximately the aspect ratio of its view
            request(m_work.recipe());
    });
    connect(&m_forecasts, &ForecastRunner::answered, this, &RunController::onForecast);
    m_viewRests.setSingleShot(true);
    m_viewRests.setInterval(kViewRestsMs);
    connect(&m_viewRests, &QTimer::timeout, this, &RunController::readView);
    connect(&window.viewing.camera, &LinkedCamera::changed, &m_viewRests, qOverload<>(&QTimer::start));
    connect(&line, &ForecastLine::sizeTaken, this, [this](double size) {
        m_work.editRecipe([size](Recipe& recipe) { recipe.voxelSize = Vec3d{size, size, size}; });
    });
}

bool RunController::isBusy() const {
    return m_awaited || m_window.jobs.isBusy();
}

bool RunController::isWhole() {
    const SnapshotPtr& results = m_work.results();
    const ScanLoader& loader = m_window.jobs.loader();
    QString note = results ? noteOfPart(*results, loader.isBusy(), isBusy()) : QString();
    if (note.isEmpty() && !loader.hasRead(rangeToRead(m_work.recipe())))
        note = tr("Points in this range are still being read. Try again when all are loaded.");
    if (!note.isEmpty())
        m_window.messages.showNote(note);
    return results && note.isEmpty();
}

bool RunController::mayExport() {
    return isWhole() && m_align.mayExport();
}

Recipe RunController::withPictureSize(Recipe recipe) const {
    const ViewArea& views = m_window.views;
    QSize size = m_pictureSize;
    if (size.isEmpty()) // no view has been shown yet
        size =
            (QSizeF(views.rasterSizeIn(views.parentWidget()->size())) * views.devicePixelRatioF()).toSize();
    if (!size.isEmpty()) {
        recipe.imageWidth = std::uint32_t(size.width());
        recipe.imageHeight = std::uint32_t(size.height());
    }
    return recipe;
}

Recipe RunController::shownRecipe() const {
    Recipe recipe = m_work.recipe();
    if (m_line.isRefused() && m_fitting) { // a refused project would otherwise not run when it is opened
        const Edits edits = std::move(recipe.edits);
        recipe = *m_fitting;
        recipe.edits = edits;
    }
    recipe.camera = m_window.viewing.camera.camera();
    return recipe;
}

void RunController::open(const Recipe& recipe) {
    m_fitting = recipe;
    m_awaited.reset();
    m_viewRests.start();
}

void RunController::request(Recipe recipe) {
    recipe.camera = std::nullopt;
    if (m_work.results() && !m_camera.isToCome())
        recipe.camera = m_window.viewing.camera.camera();
    m_awaited = withPictureSize(std::move(recipe));
    m_forecasts.ask(*m_awaited);
}

void RunController::onForecast(const Recipe& recipe, const ForecastAnswer& answer) {
    m_line.showAnswer(answer);
    if (!m_awaited)
        return; // the request has been run already
    const Recipe wanted = *m_awaited;
    Recipe asked = recipe;
    // while a newer position of the slider waits for its forecast, run the earlier one
    if (!m_forecasts.isAsked()) {
        asked = wanted;
        m_awaited.reset();
    }
    if (answer.fits || !m_fitting)
        m_fitting = asked;
    Recipe next = *m_fitting; // camera and picture size always follow the views
    next.camera = wanted.camera;
    next.imageWidth = wanted.imageWidth;
    next.imageHeight = wanted.imageHeight;
    next.edits = wanted.edits; // edits may reduce the scan enough to fit
    m_window.jobs.runner().setRecipe(next);
    m_viewRests.start(); // the range or the size of the views may have changed
}

void RunController::readView() {
    const ViewArea& views = m_window.views;
    int height = 1;
    for (ScanView* view : views.views())
        if (view->widget()->isVisible())
            height = std::max(height, int(view->widget()->height() * views.devicePixelRatioF()));
    m_window.jobs.loader().setView({m_window.viewing.camera.camera(), views.aspect(), height, 0,
                                    rangeToRead(m_window.jobs.runner().recipe()), 0});
}

void RunController::showSweep() {
    if (!isWhole()) // a preview has other automatic values
        return;
    if (!m_sweep) {
        m_sweep = new SweepDialog(m_window.jobs.runner(), m_window.promptPath, &m_window.widget);
        m_sweep->setUnit(m_work.unit());
        connect(&m_work, &Work::unitChanged, m_sweep, &SweepDialog::setUnit);
        connect(&m_work, &Work::resultsChanged, m_sweep, [this] { followSweep(); });
        connect(m_sweep, &SweepDialog::failed, &m_window.messages, &MessageBar::showError);
        connect(m_sweep, &SweepDialog::saved, &m_window.messages, &MessageBar::showWritten);
        connect(m_sweep, &SweepDialog::taken, this, [this](std::size_t column, std::size_t row) {
            m_work.changeRecipe(m_sweep->withValuesOf(m_work.recipe(), column, row));
        });
    }
    followSweep();
    m_sweep->show();
    m_sweep->raise();
    m_sweep->activateWindow();
}

void RunController::followSweep() {
    Recipe recipe = m_work.results()->recipe;
    recipe.camera = m_window.viewing.camera.camera();
    m_sweep->setSnapshot(m_work.results());
    m_sweep->setRecipe(recipe, m_window.views.aspect());
}

} // namespace scanloupe::gui
