// Builds the geometry of a view on a worker, uploads it, and keeps title, legend and picks in step with it.
#include "gui/views/gl_view.h"

#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/failure.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/scene/camera_frame.h"
#include "gui/views/view_navigation.h"
#include "kernels/core/cost.h"
#include "kernels/core/error.h"

#include <QLabel>
#include <QVBoxLayout>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString shortOfMemory() {
    return GlView::tr("The GPU has too little free memory.");
}

} // namespace

GlView::GlView(const ViewContext& context, std::unique_ptr<GlScene> scene, QWidget* parent)
    : QWidget(parent), m_camera(context.camera), m_interop(context.interop),
      m_background([this](const BuiltGeometry& built) { onGeometryBuilt(built); },
                   [this](const std::exception_ptr& error) {
                       m_failure = failureOf(error, {}).sentence;
                       m_uploaded = m_requested;
                       updateOverlay();
                   }) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    setMinimumSize(120, 90);
    m_navigation = new ViewNavigation(*this, m_camera);
    if (!openGlState().usable) {
        showProblem(openGlState().problem);
        return;
    }
    m_canvas = new GlCanvas(std::move(scene), context, this);
    layout->addWidget(m_canvas);
    connect(m_canvas, &GlCanvas::pictureShown, this, &GlView::onPicture);
    // queued, since the canvas may be inside its first paint event
    connect(m_canvas, &GlCanvas::failed, this, &GlView::showProblem, Qt::QueuedConnection);
    connect(m_canvas, &GlCanvas::refused, this, &GlView::onRefusal, Qt::QueuedConnection);
    connect(m_canvas, &GlCanvas::transferred, this, &GlView::transferred);
    connect(&m_camera, &LinkedCamera::movingChanged, this, &GlView::updateOverlay);
    connect(m_navigation, &ViewNavigation::hovered, m_canvas, &GlCanvas::setCursorPosition);
}

GlView::~GlView() = default;

void GlView::showProblem(const QString& sentence) {
    if (!m_problem) {
        m_problem = new QLabel(this);
        m_problem->setWordWrap(true);
        m_problem->setAlignment(Qt::AlignCenter);
        m_problem->setMargin(24);
        m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout()->addWidget(m_problem);
    }
    m_problem->setText(sentence);
    if (m_canvas)
        m_canvas->hide();
    m_problem->show();
}

void GlView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (m_canvas)
        m_canvas->setFocused(true);
}

void GlView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (m_canvas)
        m_canvas->setFocused(false);
}

GlCanvas::Look GlView::look() const {
    GlCanvas::Look look;
    if (m_snapshot) {
        const Recipe& recipe = m_snapshot->resolved;
        look.style = {static_cast<float>(recipe.voxelScale), recipe.light, recipe.backFaces,
                      m_style.wireframe};
        look.eyeDome = recipe.eyeDome;
        look.eyeDomeStrength = static_cast<float>(recipe.eyeDomeStrength);
    }
    return look;
}

void GlView::prepare() {
    if (m_canvas)
        m_canvas->prepare();
}

void GlView::setSnapshot(const SnapshotPtr& snapshot) {
    m_snapshot = snapshot;
    if (!m_canvas)
        return;
    const bool same = snapshot && m_requested && looksTheSame(stage(), *snapshot, *m_requested);
    if (same) {
        m_requested = snapshot;
        if (!m_background.isBusy()) {
            m_uploaded = snapshot;
            m_canvas->setLook(look());
        }
        updateOverlay();
        return;
    }
    m_requested = snapshot;
    m_failure.clear();
    requestGeometry(snapshot, snapshot && builder().liesOnDevice(*snapshot) ? deviceProblem() : QString());
}

QString GlView::deviceProblem() {
    QString common = m_interop.problem();
    if (!common.isEmpty())
        return common;
    if (!m_interopProblem.isEmpty() || m_stream)
        return m_interopProblem;
    try {
        m_stream = std::make_shared<const Stream>();
    } catch (const DeviceMemoryShort&) {
        return shortOfMemory(); // the upload is tried again later
    } catch (const Error& error) {
        m_interopProblem = QString::fromUtf8(error.what());
    }
    return m_interopProblem;
}

void GlView::requestGeometry(const SnapshotPtr& snapshot, QString why) {
    BuildRequest request{snapshot, builder(),      m_canvas->affordable(),
                         nullptr,  std::move(why), snapshot ? millisecondsSince(snapshot->finished) : 0};
    if (snapshot && request.builder.liesOnDevice(*snapshot) && request.why.isEmpty())
        request.stream = m_stream;
    m_background.run([request](const std::stop_token& stop) { return build(request, stop); });
}

GlView::BuiltGeometry GlView::build(const BuildRequest& request, const std::stop_token& stop) {
    const SnapshotPtr snapshot = request.snapshot ? request.snapshot : std::make_shared<const Snapshot>();
    BuiltGeometry built{request.snapshot, nullptr};
    built.origin.finished = snapshot->finished;
    built.origin.waitedMs = request.waitedMs;
    QString why = request.why;
    if (request.stream)
        built.geometry = buildOnDevice(request, *snapshot, why, stop);
    if (built.geometry)
        return built;
    const WallTimer timer;
    built.origin.bytesToHost = request.builder.download(*snapshot);
    built.geometry = request.builder.onHost(*snapshot, request.coarsestLimit, stop);
    built.origin.hostMs = timer.elapsedMs();
    if (request.builder.liesOnDevice(*snapshot))
        built.origin.why = why;
    return built;
}

GlView::Geometry GlView::buildOnDevice(const BuildRequest& request, const Snapshot& snapshot, QString& why,
                                       const std::stop_token& stop) {
    try {
        if (Geometry geometry = request.builder.onDevice(snapshot, request.stream, stop))
            return geometry;
        why = tr("Its colours or its simplified levels for moves are computed on the CPU.");
    } catch (const DeviceMemoryShort&) {
        why = shortOfMemory();
    } catch (const KernelError& error) {
        why = QString::fromUtf8(error.what());
    }
    return nullptr;
}

void GlView::onRefusal(const QString& why, bool lasting) {
    if (lasting)
        m_interopProblem = why;
    if (!m_canvas->isRefused())
        return; // a newer geometry has arrived meanwhile
    // releases the device memory that the dropped geometries hold
    m_sent = {};
    if (m_shown.geometry.get() != m_canvas->shownGeometry())
        m_shown = {};
    if (m_requested)
        requestGeometry(m_requested, why);
}

void GlView::onGeometryBuilt(const BuiltGeometry& built) {
    // if only the appearance has changed since the request, the newer snapshot is the one to show
    m_uploaded = m_requested && built.snapshot && looksTheSame(stage(), *built.snapshot, *m_requested)
                     ? m_requested
                     : built.snapshot;
    if (m_problem && m_canvas->isReady()) { // tried again: this geometry may fit into the graphics memory
        m_problem->hide();
        m_canvas->show();
    }
    m_failure.clear();
    m_shown = shown();
    m_sent = built;
    m_canvas->setScene(built.geometry, look(), built.origin);
    updateOverlay();
}

const GlView::BuiltGeometry& GlView::shown() {
    if (m_sent.geometry && m_canvas->shownGeometry() == m_sent.geometry.get())
        m_shown = m_sent;
    return m_shown;
}

void GlView::setStyle(const ViewStyle& style) {
    if (style == m_style)
        return;
    m_style = style;
    if (!m_canvas)
        return;
    m_canvas->setLook(look());
    updateOverlay();
}

void GlView::setMarks(const SceneMarks& marks) {
    setMouseTracking(marks.wantsHover || marks.rubberFrom.has_value());
    if (m_canvas)
        m_canvas->setMarks(marks);
}

bool GlView::isComplete() const {
    return m_canvas && m_uploaded == m_requested && !m_background.isBusy() && m_canvas->isComplete();
}

QImage GlView::shownImage() {
    if (!m_canvas || m_canvas->isHidden())
        return grab().toImage(); // a picture of the message that is shown without OpenGL
    m_canvas->setFocused(false); // the focus frame is for interaction, not for pictures
    QImage image = m_canvas->grabPicture();
    m_canvas->setFocused(hasFocus());
    return image;
}

void GlView::onPicture() {
    updateOverlay();
    if (isComplete())
        emit completed();
}

void GlView::updateOverlay() {
    if (!m_canvas)
        return;
    QString detail = m_failure;
    if (detail.isEmpty() && m_uploaded) {
        detail = countText(*m_uploaded);
        if (m_uploaded->preview)
            detail += tr(" · preview");
        else if (m_uploaded->cloud && m_uploaded->cloud->subsampledFrom > 0)
            detail += m_uploaded->cloud->isChosenForView ? tr(" · detail of this view") : tr(" · overview");
        else if (m_camera.isMoving() && !m_canvas->isComplete())
            detail += tr(" · simplified while it moves");
    }
    std::optional<ColourLegend> legend;
    if (m_uploaded && m_sent.geometry) {
        const ColourLook& look = m_sent.geometry->look;
        if (look.mode == ColourLook::Mode::values)
            legend = legendOf(m_uploaded->resolved, look.low, look.high, isMesh(), m_style.unit);
        else if (look.mode == ColourLook::Mode::classes)
            legend = legendOf(m_uploaded->resolved, look.classes);
    }
    m_canvas->setOverlay(title(), detail, legend, m_style.overlay);
}

std::optional<Hit> GlView::pick(QPointF pixel) {
    if (!m_canvas || !rect().contains(pixel.toPoint()))
        return std::nullopt;
    const auto found = m_canvas->pick(pixel);
    const BuiltGeometry& built = shown();
    if (!found || !built.geometry || built.geometry.get() != m_canvas->shownGeometry())
        return std::nullopt;
    Hit hit = hitOf(*built.geometry, found->item);
    hit.snapshot = built.snapshot;
    // the depth is that of the centre of the device pixel: elsewhere the position would not lie on the
    // primitive
    const double ratio = m_canvas->devicePixelRatioF();
    const QPointF middle((std::floor(pixel.x() * ratio) + 0.5) / ratio,
                         (std::floor(pixel.y() * ratio) + 0.5) / ratio);
    hit.position = CameraFrame(m_camera.camera(), size()).pointAt(middle, found->depth);
    return hit;
}

} // namespace scanloupe::gui
