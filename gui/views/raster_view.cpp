// Shows the picture of the software rasterizer, as a texture or painted from host memory.
#include "gui/views/raster_view.h"

#include "engine/cloud/point_cloud.h"
#include "engine/picture/pick.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/scene/camera_frame.h"
#include "gui/views/surface/compare_pane.h"
#include "gui/views/surface/picture_image.h"
#include "gui/views/surface/view_overlay.h"
#include "gui/views/view_navigation.h"
#include "kernels/core/cost.h"

#include <QPainter>
#include <QShowEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr int kLargestPicture = 16384; // limit of Projection

} // namespace

RasterView::RasterView(const ViewContext& context, QWidget* parent)
    : QWidget(parent), m_camera(context.camera), m_interop(context.interop), m_texture(m_interop),
      m_copier([this](const Arrival& arrival) { showArrival(arrival); },
               // the device is lost: the next run reports it
               [](const std::exception_ptr&) {}) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 90);
    m_navigation = new ViewNavigation(*this, m_camera);
    m_requestTimer.setSingleShot(true);
    m_requestTimer.setInterval(0);
    connect(&m_requestTimer, &QTimer::timeout, this, &RasterView::requestPicture);
    connect(&m_camera, &LinkedCamera::changed, &m_requestTimer, qOverload<>(&QTimer::start));
    connect(m_navigation, &ViewNavigation::hovered, this, [this](std::optional<QPointF> pixel) {
        if (m_marks.setCursor(pixel))
            scheduleRepaint();
    });
    if (!openGlState().usable || openGlState().software)
        return; // without a GPU, compositing the window through OpenGL costs more than painting
    m_surface = makeWidgetSurface(*this, this);
    m_surface->widget()->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_surface->widget());
}

RasterView::~RasterView() {
    m_surface.reset(); // destroys the context while the objects in it still exist
}

void RasterView::prepare() {
    if (m_surface)
        m_surface->prepare();
}

void RasterView::contextFailed() {
    const auto paint = [this] {
        m_surface.reset();
        requestAgain();
    };
    // queued, since the widget may be inside its first paint event
    QMetaObject::invokeMethod(this, paint, Qt::QueuedConnection);
}

void RasterView::present(Gl& gl, GLuint framebuffer, QSize size) {
    try {
        if (!m_texture.setPicture(gl, m_picture)) // CUDA failed to write it
            QMetaObject::invokeMethod(this, &RasterView::requestAgain, Qt::QueuedConnection);
    } catch (const Error&) {
        m_texture.setPicture(gl, nullptr); // the device is lost: the next run reports it
    }
    if (!m_texture.present(gl, framebuffer, size))
        return;
    m_pending = {m_texture.transfer(), m_picture->finished};
    m_pending->transfer.waitedMs = m_arrival.waitedMs;
    m_pending->transfer.bytesToHost = m_arrival.bytesToHost;
    m_pending->transfer.copyMs += m_arrival.copyMs;
}

void RasterView::presented() {
    if (!m_pending || !m_picture)
        return;
    const PendingTransfer shown = *std::exchange(m_pending, std::nullopt);
    m_transfer = shown.transfer;
    m_transfer.presentedMs = millisecondsSince(shown.finished);
    emit transferred();
}

void RasterView::scheduleRepaint() {
    if (m_surface)
        m_surface->widget()->update();
    else
        update();
    if (m_compare)
        m_compare->update(); // paints the overlay over its part
}

Overlay RasterView::overlay() {
    const double ratio = devicePixelRatioF();
    const PlacedImage& marks = m_marks.image(m_camera.camera(), size(), font(), ratio);
    if (!m_style.overlay)
        return {{}, {}, {}, 0, 0, marks};
    const auto legend = m_snapshot ? legendOf(*m_snapshot, m_style.unit) : std::nullopt;
    return {m_overlay.title(title(), detail(), font(), width(), ratio),
            m_overlay.tripod(m_camera.camera(), font(), ratio),
            m_overlay.legend(legend, font(), ratio),
            overlayMargin(ratio),
            hasFocus() && !m_isGrabbing ? focusFrameWidth(ratio) : 0,
            marks};
}

QSize RasterView::pixelSize() const {
    return (QSizeF(size()) * devicePixelRatioF()).toSize().boundedTo({kLargestPicture, kLargestPicture});
}

void RasterView::requestPicture() {
    scheduleRepaint(); // the axes follow the camera immediately
    if (isVisible() && !pixelSize().isEmpty())
        emit pictureWanted(m_camera.camera(), pixelSize());
}

bool RasterView::needsCopy(const Picture& picture) const {
    if (!picture.image.onDevice())
        return false;
    // probes now, rather than within the first paint event
    const bool written = m_surface && m_interop.problem().isEmpty() && m_texture.problem().isEmpty();
    return !written && !picture.image.hasHost();
}

void RasterView::setSnapshot(const SnapshotPtr& snapshot) {
    const bool isNew = snapshot && snapshot->picture && snapshot->picture != m_picture;
    request({snapshot, ++m_requested, isNew ? millisecondsSince(snapshot->picture->finished) : 0});
}

void RasterView::request(const Arrival& arrival) {
    if (!arrival.snapshot || !arrival.snapshot->picture || !needsCopy(*arrival.snapshot->picture))
        return showArrival(arrival);
    m_copier.run([copied = arrival](const std::stop_token&) mutable {
        const WallTimer timer;
        const DeviceOrHost<Image>& image = copied.snapshot->picture->image;
        if (image.bringToHost()) {
            copied.bytesToHost = image->pixels.bytes();
            copied.copyMs = timer.elapsedMs();
        }
        return copied;
    });
}

void RasterView::requestAgain() {
    if (m_copier.isBusy())
        return;                // a newer picture is being copied to the host
    Arrival again = m_arrival; // describes the shown picture
    again.number = m_shown;
    request(again);
}

void RasterView::showArrival(const Arrival& arrival) {
    if (arrival.number < m_shown)
        return; // a newer picture needed no copy
    const auto before = m_picture;
    if (arrival.number > m_shown) {
        m_shown = arrival.number;
        m_snapshot = arrival.snapshot;
        if (!m_snapshot || m_snapshot->picture)
            m_picture = m_snapshot ? m_snapshot->picture : nullptr;
    }
    if (m_picture != before || arrival.bytesToHost > 0)
        m_arrival = arrival;
    if (m_snapshot && m_snapshot->picture == m_picture)
        m_arrival.snapshot = m_snapshot; // lets older results be freed
    if (m_surface)
        m_image = {};
    else if (m_picture != before || m_image.isNull())
        setPaintedPicture(m_picture);
    scheduleRepaint();
    if (isComplete())
        emit completed();
}

QImage RasterView::shownImage() {
    m_isGrabbing = true;
    QImage image = m_surface ? m_surface->grab() : grab().toImage();
    if (m_surface && m_compare) {
        image.setDevicePixelRatio(devicePixelRatioF());
        m_compare->render(&image, m_compare->pos(), {}, DrawChildren);
    }
    m_isGrabbing = false;
    return image;
}

void RasterView::setStyle(const ViewStyle& style) {
    m_style = style;
    if (m_compare)
        m_compare->setUnit(style.unit);
    scheduleRepaint();
}

void RasterView::setMarks(const SceneMarks& marks) {
    setMouseTracking(marks.wantsHover || marks.rubberFrom.has_value());
    if (m_marks.setMarks(marks))
        scheduleRepaint();
}

bool RasterView::isComplete() const {
    return m_shown == m_requested && m_snapshot && m_snapshot->picture && !m_snapshot->preview &&
           m_snapshot->picture->isWhole() &&
           QSize(m_picture->image->width, m_picture->image->height) == pixelSize() &&
           m_snapshot->picture->camera == m_camera.camera();
}

QString RasterView::detail() const {
    if (!m_snapshot || !m_snapshot->picture)
        return {};
    QString text;
    // a volume has only a mesh
    switch (m_snapshot->cloud ? m_snapshot->resolved->show : PictureContent::mesh) {
    case PictureContent::points:
        text = tr("points");
        break;
    case PictureContent::voxels:
        text = tr("voxels");
        break;
    case PictureContent::mesh:
        text = tr("mesh");
        break;
    }
    if (m_snapshot->preview)
        return text + tr(" · preview");
    if (m_snapshot->cloud && m_snapshot->cloud->subsampledFrom > 0)
        return text + (m_snapshot->cloud->isChosenForView ? tr(" · detail of this view") : tr(" · overview"));
    if (const PointParts parts = m_snapshot->picture->parts; parts.drawn < parts.all)
        return text + tr(" · %1 % of them so far").arg(100 * parts.drawn / parts.all);
    const int samples = m_snapshot->picture->samples;
    return samples > 1 ? text + tr(" · %n samples", nullptr, samples) : text;
}

void RasterView::setPaintedPicture(const std::shared_ptr<const Picture>& picture) {
    m_image = {};
    m_pending.reset();
    if (!picture || !picture->image.hasHost())
        return;
    m_image = imageOf(picture);
    Transfer transfer;
    transfer.path = Transfer::Path::painted;
    transfer.waitedMs = m_arrival.waitedMs;
    transfer.bytesToHost = m_arrival.bytesToHost;
    transfer.copyMs = m_arrival.copyMs;
    if (transfer.bytesToHost > 0)
        transfer.why = m_interop.problem();
    m_pending = {transfer, picture->finished};
}

bool RasterView::event(QEvent* event) {
    // another screen may have another pixel ratio
    bool isScaled = event->type() == QEvent::ScreenChangeInternal;
#if QT_VERSION >= QT_VERSION_CHECK(6, 6, 0)
    isScaled |= event->type() == QEvent::DevicePixelRatioChange;
#endif
    if (isScaled)
        m_requestTimer.start();
    return QWidget::event(event);
}

void RasterView::paintEvent(QPaintEvent*) {
    if (m_surface)
        return; // the compare pane covers this widget
    QPainter painter(this);
    if (m_image.isNull()) {
        painter.fillRect(rect(), viewBackground());
    } else {
        painter.setRenderHint(QPainter::SmoothPixmapTransform, m_image.size() != pixelSize());
        painter.drawImage(QRectF(rect()), m_image);
    }
    paintOverlay(painter, overlay(), QRectF(rect()));
    presented();
}

void RasterView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    scheduleRepaint();
}

void RasterView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    scheduleRepaint();
}

void RasterView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_compare)
        m_compare->setGeometry(rect());
    m_requestTimer.start();
}

void RasterView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_requestTimer.start();
}

void RasterView::setCompared(const SnapshotPtr& a) {
    if (!a) {
        delete std::exchange(m_compare, nullptr);
        return;
    }
    if (!m_compare) {
        m_compare = new ComparePane([this] { return overlay(); }, this);
        m_compare->setGeometry(rect());
        m_compare->setUnit(m_style.unit);
        m_compare->show();
    }
    m_compare->setSnapshot(a);
}

std::optional<Hit> RasterView::pick(QPointF pixel) {
    const SnapshotPtr& shown = m_compare && m_compare->isOfA(pixel) ? m_compare->snapshot() : m_snapshot;
    if (!shown || !shown->picture || !rect().contains(pixel.toPoint()) || size().isEmpty())
        return std::nullopt;
    const Picture& picture = *shown->picture;
    const DeviceOrHost<VisibilityBuffer>& buffer = picture.visibility;
    const QPointF at(pixel.x() * buffer->width / width(), pixel.y() * buffer->height / height());
    const int x = std::clamp(static_cast<int>(std::floor(at.x())), 0, buffer->width - 1),
              y = std::clamp(static_cast<int>(std::floor(at.y())), 0, buffer->height - 1);
    const auto [id, depth] = pickPixel(picture, x, y);
    if (primitiveKind(id) == PrimitiveKind::none)
        return std::nullopt;
    const CameraFrame frame(picture.camera, QSizeF(buffer->width, buffer->height));
    // the depth is that of the centre of the pixel
    return Hit{primitiveKind(id), primitiveIndex(id), frame.pointAt(QPointF(x + 0.5, y + 0.5), depth), shown};
}

} // namespace scanloupe::gui
