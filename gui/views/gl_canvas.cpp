#include "gui/views/gl_canvas.h"

#include "gui/views/opengl_probe.h"
#include "gui/views/view_overlay.h"
#include "kernels/core/cost.h"

#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {
constexpr double kUploadMs = 8;   // of one turn
constexpr double kTooLongMs = 50; // people notice
} // namespace

void ViewTimes::measured(double milliseconds) {
    ++turns;
    lastMs = milliseconds;
    tooLong += milliseconds > kTooLongMs;
    slowestMs = std::max(slowestMs, milliseconds);
}

GlCanvas::GlCanvas(std::unique_ptr<GlScene> scene, LinkedCamera& camera, QWidget* parent)
    : QOpenGLWidget(parent), m_scene(std::move(scene)), m_camera(camera) {
    setFormat(viewFormat());
    setAttribute(Qt::WA_TransparentForMouseEvents); // the view around it takes them
    m_turn.setSingleShot(true);
    m_turn.setInterval(0);
    connect(&m_turn, &QTimer::timeout, this, &GlCanvas::work);
    connect(&camera, &LinkedCamera::changed, this, &GlCanvas::schedule);
    connect(&camera, &LinkedCamera::movingChanged, this, &GlCanvas::schedule);
}

GlCanvas::~GlCanvas() {
    cleanUp();
}

void GlCanvas::initializeGL() {
    cleanUp(); // of an older context, when the view has moved to another window
    m_gl = QOpenGLVersionFunctionsFactory::get<Gl>(context());
    try {
        if (!m_gl || !m_gl->initializeOpenGLFunctions())
            throw GlError(openGlState().problem.toStdString());
        connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::cleanUp, Qt::UniqueConnection);
        m_scene->create(*m_gl);
        m_painter.create(*m_gl);
        m_titleQuad.create(*m_gl);
        m_tripodQuad.create(*m_gl);
        if (m_geometry)
            upload(m_geometry);
    } catch (const GlError& error) {
        m_gl = nullptr;
        emit failed(QString::fromStdString(error.what()));
    }
    schedule();
}

void GlCanvas::cleanUp() {
    if (!m_gl)
        return;
    makeCurrent();
    m_scene->release(*m_gl);
    m_painter.release(*m_gl);
    m_titleQuad.release(*m_gl);
    m_tripodQuad.release(*m_gl);
    doneCurrent();
    if (context())
        disconnect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::cleanUp);
    m_gl = nullptr;
}

void GlCanvas::setLook(const Look& look) {
    m_look = m_arrivingLook = look;
    schedule();
}

void GlCanvas::setScene(std::shared_ptr<const ViewGeometry> geometry, const Look& look) {
    m_geometry = std::move(geometry);
    m_arrivingLook = look;
    if (m_gl) {
        makeCurrent();
        upload(m_geometry);
        doneCurrent();
    }
    schedule();
}

void GlCanvas::upload(std::shared_ptr<const ViewGeometry> geometry) {
    try {
        m_scene->beginUpload(*m_gl, std::move(geometry));
    } catch (const GlError& error) {
        m_geometry = nullptr;
        emit failed(QString::fromStdString(error.what()));
    }
}

void GlCanvas::setOverlay(const QString& title, const QString& detail, bool visible) {
    if (title == m_title && detail == m_detail && visible == m_overlay)
        return;
    m_title = title;
    m_detail = detail;
    m_overlay = visible;
    m_titleImage = {};
    update();
}

QSize GlCanvas::pixelSize() const {
    return size() * devicePixelRatio();
}

PictureRequest GlCanvas::wanted() const {
    return {m_camera.camera(), pixelSize(), m_look.style, m_look.eyeDome, m_look.eyeDomeStrength, m_generation};
}

bool GlCanvas::isComplete() const {
    return m_gl && !m_scene->isUploading() && m_painter.isComplete(wanted());
}

bool GlCanvas::hasWork() const {
    return m_gl && isVisible() && (m_scene->isUploading() || m_painter.hasWork(wanted(), m_camera.isMoving()));
}

void GlCanvas::schedule() {
    if (hasWork() && !m_turn.isActive())
        m_turn.start();
}

void GlCanvas::work() {
    if (!hasWork())
        return;
    const WallTimer timer;
    makeCurrent();
    const bool fresh = goOn();
    doneCurrent();
    m_times.measured(timer.elapsedMs());
    if (fresh) {
        update();
        emit pictureShown();
    }
    schedule();
}

bool GlCanvas::goOn() {
    if (m_scene->isUploading()) {
        const bool arrived = m_scene->continueUpload(*m_gl, kUploadMs);
        if (!arrived && !m_painter.hasWork(wanted(), true))
            return false; // the rest of the turn is others'
        if (arrived) {
            ++m_generation;
            m_look = m_arrivingLook;
            return false; // drawn in the next turn
        }
    }
    return m_painter.work(*m_gl, *m_scene, wanted(), m_camera.isMoving());
}

void GlCanvas::resizeGL(int, int) {
    schedule();
}

void GlCanvas::showEvent(QShowEvent* event) {
    QOpenGLWidget::showEvent(event);
    schedule();
}

void GlCanvas::paintGL() {
    if (!m_gl)
        return;
    const WallTimer timer;
    m_painter.present(*m_gl, defaultFramebufferObject(), pixelSize());
    if (m_overlay)
        drawOverlay();
    m_times.measured(timer.elapsedMs());
}

void GlCanvas::drawOverlay() {
    const double ratio = devicePixelRatioF();
    if (m_titleImage.isNull() && !m_title.isEmpty())
        m_titleImage = titleImage(m_title, m_detail, font(), ratio);
    if (m_tripodImage.isNull() || m_tripodCamera != m_camera.camera()) {
        m_tripodImage = tripodImage(m_camera.camera(), font(), ratio);
        m_tripodCamera = m_camera.camera();
    }
    const int margin = overlayMargin(ratio);
    m_titleQuad.draw(*m_gl, m_titleImage, {margin, margin}, pixelSize());
    m_tripodQuad.draw(*m_gl, m_tripodImage, {margin, pixelSize().height() - m_tripodImage.height() - margin},
                      pixelSize());
}

std::optional<ScenePainter::Pick> GlCanvas::pick(QPointF pixel) {
    if (!m_gl)
        return std::nullopt;
    const WallTimer timer;
    makeCurrent();
    const QPointF at = pixel * devicePixelRatioF();
    const auto hit = m_painter.pick(*m_gl, *m_scene, wanted(),
                                    {static_cast<int>(std::floor(at.x())), static_cast<int>(std::floor(at.y()))});
    doneCurrent();
    m_times.measured(timer.elapsedMs());
    return hit;
}

} // namespace scanloupe::gui
