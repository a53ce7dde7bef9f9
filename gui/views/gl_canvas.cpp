// Draws the OpenGL content of a view in time slices, and presents finished pictures with their overlay.
#include "gui/views/gl_canvas.h"

#include "engine/cloud/attribute.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/surface/read_picture.h"
#include "gui/views/surface/view_overlay.h"
#include "kernels/core/cost.h"
#include "kernels/core/error.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {
constexpr double kUploadMs = 8;   // duration of one slice
constexpr double kTooLongMs = 50; // noticeable for the user
} // namespace

void ViewTimes::measured(double milliseconds) {
    ++slices;
    lastMs = milliseconds;
    tooLong += milliseconds > kTooLongMs;
    slowestMs = std::max(slowestMs, milliseconds);
}

GlCanvas::GlCanvas(std::unique_ptr<GlScene> scene, const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_scene(std::move(scene)), m_camera(context.camera), m_scheduler(context.scheduler) {
    setAttribute(Qt::WA_TransparentForMouseEvents); // handled by the enclosing view
    m_surface = openGlState().software ? makeImageSurface(*this, this) : makeWidgetSurface(*this, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_surface->widget());
    connect(&m_camera, &LinkedCamera::changed, this, &GlCanvas::schedule);
    connect(&m_camera, &LinkedCamera::movingChanged, this, &GlCanvas::schedule);
}

GlCanvas::~GlCanvas() {
    m_surface.reset(); // destroys the context while the members with objects in it still exist
}

void GlCanvas::contextReady(Gl& gl) {
    try {
        m_scene->create(gl);
        m_painter.create(gl);
        m_ready = true;
        if (m_geometry)
            begin(gl);
    } catch (const GlError& error) {
        m_ready = false;
        emit failed(QString::fromStdString(error.what()));
    }
    schedule();
}

void GlCanvas::contextLost(Gl& gl) {
    m_scene->release(gl);
    m_painter.release(gl);
    m_ready = false;
    // an upload to a new context copies nothing from the device, and has no meaningful age
    m_origin = {.why = m_origin.why};
}

void GlCanvas::contextFailed() {
    emit failed(openGlState().problem.isEmpty() ? noContextSentence() : openGlState().problem);
}

void GlCanvas::setLook(const Look& look) {
    m_look = m_arrivingLook = look;
    schedule();
}

void GlCanvas::setScene(std::shared_ptr<const ViewGeometry> geometry, const Look& look,
                        const Origin& origin) {
    m_geometry = std::move(geometry);
    m_refused = false;
    m_arrivingLook = look;
    m_origin = origin;
    if (Gl* gl = m_ready ? m_surface->makeCurrent() : nullptr) {
        begin(*gl);
        m_surface->doneCurrent();
    }
    schedule();
}

void GlCanvas::begin(Gl& gl) {
    const bool byCuda = m_geometry->device != nullptr;
    m_arriving = {};
    m_drawnUnreported = false;
    const WallTimer timer;
    const auto refuse = [this](const std::exception& error, bool lasting) {
        m_geometry = nullptr;
        m_refused = true;
        emit refused(QString::fromUtf8(error.what()), lasting);
    };
    try {
        m_scene->beginUpload(gl, m_geometry);
    } catch (const GlError& error) { // applies to a geometry of this size only
        return refuse(error, false);
    } catch (const DeviceMemoryShort& error) {
        return refuse(error, false);
    } catch (const Error& error) {
        return refuse(error, true);
    }
    m_arriving.path = byCuda ? Transfer::Path::interop : Transfer::Path::copied;
    m_arriving.bytesToHost = m_origin.bytesToHost;
    m_arriving.copyMs = timer.elapsedMs() + m_origin.hostMs;
    m_arriving.waitedMs = m_origin.waitedMs;
    m_arriving.why = m_origin.why;
}

void GlCanvas::setOverlay(const QString& title, const QString& detail,
                          const std::optional<ColourLegend>& legend, bool visible) {
    if (title == m_title && detail == m_detail && legend == m_legend && visible == m_overlayVisible)
        return;
    m_title = title;
    m_detail = detail;
    m_legend = legend;
    m_overlayVisible = visible;
    m_surface->widget()->update();
}

void GlCanvas::setMarks(const SceneMarks& marks) {
    if (m_marks.setMarks(marks))
        m_surface->widget()->update();
}

void GlCanvas::setCursorPosition(std::optional<QPointF> pixel) {
    if (m_marks.setCursor(pixel))
        m_surface->widget()->update();
}

void GlCanvas::setFocused(bool focused) {
    m_focused = focused;
    m_surface->widget()->update();
}

Overlay GlCanvas::overlay() {
    const double ratio = devicePixelRatioF();
    const PlacedImage& marks = m_marks.image(m_camera.camera(), size(), font(), ratio);
    if (!m_overlayVisible)
        return {{}, {}, {}, 0, 0, marks};
    return {m_overlay.title(m_title, m_detail, font(), width(), ratio),
            m_overlay.tripod(m_camera.camera(), font(), ratio),
            m_overlay.legend(m_legend, font(), ratio),
            overlayMargin(ratio),
            m_focused ? focusFrameWidth(ratio) : 0,
            marks};
}

PictureRequest GlCanvas::wanted() const {
    return {m_camera.camera(), size() * devicePixelRatio(), m_look.style,
            m_look.eyeDome,    m_look.eyeDomeStrength,      m_generation};
}

bool GlCanvas::isComplete() const {
    return m_ready && !m_refused &&
           (isEmpty() || (!m_scene->isUploading() && m_painter.isComplete(wanted())));
}

bool GlCanvas::hasWork() const {
    return m_ready && isVisible() && !isEmpty() &&
           (m_scene->isUploading() || m_painter.hasWork(wanted(), m_camera.isMoving()));
}

void GlCanvas::schedule() {
    if (hasWork())
        m_scheduler.request(*this);
}

void GlCanvas::drawSlice() {
    const WallTimer timer;
    Gl* gl = hasWork() ? m_surface->makeCurrent() : nullptr;
    if (!gl)
        return;
    bool fresh = false;
    try {
        fresh = goOn(*gl);
    } catch (const GlError& error) {
        m_geometry = nullptr;
        emit failed(QString::fromStdString(error.what()));
    }
    if (fresh)
        m_surface->pictureChanged(*gl);
    m_surface->doneCurrent();
    m_times.measured(timer.elapsedMs());
    if (fresh)
        emit pictureShown();
    schedule();
}

bool GlCanvas::goOn(Gl& gl) {
    if (m_scene->isUploading()) {
        const WallTimer timer;
        const bool arrived = m_scene->continueUpload(gl, kUploadMs);
        m_arriving.copyMs += timer.elapsedMs();
        if (arrived) {
            ++m_generation;
            m_look = m_arrivingLook;
            m_drawnUnreported = true;
        }
        const bool tookTheSlice = timer.elapsedMs() > kUploadMs / 4; // drawing then begins in the next slice
        if ((arrived && tookTheSlice) || !m_painter.hasWork(wanted(), true))
            return false;
    }
    return m_painter.work(gl, *m_scene, wanted(), m_camera.isMoving());
}

void GlCanvas::present(Gl& gl, GLuint framebuffer, QSize size) {
    m_painter.present(gl, framebuffer, size);
}

void GlCanvas::presented() {
    if (!m_drawnUnreported || m_painter.shownGeneration() != m_generation)
        return;
    m_drawnUnreported = false;
    m_transfer = m_arriving;
    m_transfer.presentedMs = millisecondsSince(m_origin.finished);
    emit transferred();
}

QImage GlCanvas::picture() {
    Gl* gl = m_ready ? m_surface->makeCurrent() : nullptr;
    if (!gl)
        return {};
    const QSize size = wanted().size;
    QImage image =
        readPicture(*gl, size, [&](GLuint framebuffer) { m_painter.present(*gl, framebuffer, size); });
    m_surface->doneCurrent();
    return image;
}

std::optional<ScenePainter::Pick> GlCanvas::pick(QPointF pixel) {
    Gl* gl = m_ready ? m_surface->makeCurrent() : nullptr;
    if (!gl)
        return std::nullopt;
    const WallTimer timer;
    const QPointF at = pixel * devicePixelRatioF();
    const QPoint whole(static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y())));
    const auto hit = m_painter.pick(*gl, *m_scene, wanted(), whole);
    m_surface->doneCurrent();
    m_times.measured(timer.elapsedMs());
    return hit;
}

} // namespace scanloupe::gui
