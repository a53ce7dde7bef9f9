// Moves the camera when a scan is opened.
#include "gui/controllers/camera_controller.h"

#include "engine/results/kernel_points.h"

#include "engine/picture/opening_view.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/views/linked_camera.h"
#include "gui/views/view_area.h"

#include <algorithm>
#include <memory>
#include <utility>

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

CameraController::CameraController(const WindowContext& window)
    : Controller(window), m_camera(window.viewing.camera) {
    m_camera.setFraming([this](const Camera& camera, double aspect) {
        return m_work.results() ? framed(camera, subjectOf(*m_work.results()), aspect) : camera;
    });
    connect(&m_work, &Work::scanOpened, this, &CameraController::open);
    connect(&m_work, &Work::contentChanged, this, &CameraController::follow);
    connect(&m_work, &Work::resultsChanged, this, &CameraController::show);
    connect(&m_work, &Work::resultsRefined, &window.views, &ViewArea::setSnapshot);
    connect(&window.views, &ViewArea::reshaped, this, &CameraController::onReshaped);
}

void CameraController::open(const Recipe& recipe) {
    m_showsAllNext = !recipe.camera;
    m_isNew = true;
    if (recipe.camera)
        m_camera.setCamera(*recipe.camera);
}

void CameraController::take(const Recipe& recipe) {
    if (!recipe.camera)
        return;
    if (recipe.up)
        m_camera.setUp(*recipe.up);
    m_camera.setCamera(*recipe.camera);
    m_isNew = true;
}

void CameraController::follow(const SnapshotPtr& results, const SnapshotPtr& before) {
    m_camera.setBounds(subjectOf(*results).box);
    if (!isCurrent(*results))
        return; // results with the current up axis will follow
    const bool isOther = !before || before->input != results->input || before->volume != results->volume;
    const bool isChosen = before && before->recipe->up != results->recipe->up;
    const UpAxis up = results->resolved->up.value_or(UpAxis::z);
    if (m_isNew || (isOther && !isChosen))
        m_camera.setUp(up);
    else // a new frame does not rotate the camera: its guessed up axis may differ
        m_camera.rotateToUp(up);
}

bool CameraController::isCurrent(const Snapshot& results) const {
    return results.recipe->up == m_window.jobs.runner().recipe().up;
}

void CameraController::show(const SnapshotPtr& results) {
    if (isCurrent(*results))
        m_isNew = false;
    SnapshotPtr shown = results;
    if (std::exchange(m_showsAllNext, false)) {
        showAll();
        if (results->picture && results->picture->camera != m_camera.camera()) {
            // the camera has changed sides: the old picture would flash before the new one
            auto withoutPicture = std::make_shared<Snapshot>(*results);
            withoutPicture->picture = nullptr;
            shown = withoutPicture;
            // requested explicitly: the camera may equal that of the previous scan, so that no change is
            // signalled
            m_work.tryRecipe(m_work.recipe());
        }
    }
    m_window.views.setSnapshot(shown);
}

void CameraController::showAll() {
    if (!m_work.results())
        return;
    const ViewSubject subject = subjectOf(*m_work.results());
    m_camera.setBounds(subject.box);
    Recipe recipe = m_work.results()->resolved;
    recipe.camera = std::nullopt;
    recipe.imageHeight = 1000;
    recipe.imageWidth = std::uint32_t(std::max(1.0, 1000 * m_window.views.aspect()));
    m_camera.setCamera(openingCamera(recipe, subject));
    m_automatic = m_camera.camera();
    m_aspect = m_window.views.aspect();
}

void CameraController::onReshaped() {
    // ratio of two aspect ratios; a message above the views changes the aspect ratio by less
    constexpr double little = 1.15;
    const double change = m_window.views.aspect() / m_aspect;
    const bool isOther = std::max(change, 1 / change) > little;
    if (isOther && m_automatic && m_camera.camera() == *m_automatic)
        showAll();
}

} // namespace scanloupe::gui
