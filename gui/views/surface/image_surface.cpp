// Draws in an offscreen context, and paints the pictures as images (for OpenGL in software).
#include "gui/opengl/opengl_probe.h"
#include "gui/views/surface/gl_surface.h"
#include "gui/views/surface/read_picture.h"
#include "gui/views/surface/view_overlay.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <QPainter>
#include <QWidget>

namespace scanloupe::gui {

namespace {

class ImageSurface : public QWidget, public GlSurface {
public:
    ImageSurface(GlClient& client, QWidget* parent) : QWidget(parent), m_client(client) {
        setAttribute(Qt::WA_OpaquePaintEvent);
        m_context.setFormat(viewFormat());
        if (!m_context.create())
            return;
        m_offscreen.setFormat(m_context.format());
        m_offscreen.create();
    }
    ~ImageSurface() override {
        if (ImageSurface::makeCurrent())
            m_client.contextLost(*m_gl);
        m_context.doneCurrent();
    }

    QWidget* widget() override { return this; }
    void prepare() override {
        if (!m_tried)
            start();
    }
    Gl* makeCurrent() override { return m_gl && m_context.makeCurrent(&m_offscreen) ? m_gl : nullptr; }
    void doneCurrent() override { m_context.doneCurrent(); }
    void pictureChanged(Gl& gl) override {
        readBack(gl);
        update();
    }
    QImage grab() override { return QWidget::grab().toImage(); }

protected:
    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        prepare();
        m_client.surfaceChanged();
    }
    void resizeEvent(QResizeEvent* event) override {
        QWidget::resizeEvent(event);
        m_client.surfaceChanged();
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        if (m_image.isNull()) {
            painter.fillRect(rect(), viewBackground());
        } else {
            painter.setRenderHint(QPainter::SmoothPixmapTransform, m_image.size() != pixelSize());
            painter.drawImage(QRectF(rect()), m_image);
        }
        paintOverlay(painter, m_client.overlay(), QRectF(rect()));
        if (!m_image.isNull())
            m_client.presented();
    }

private:
    QSize pixelSize() const { return size() * devicePixelRatio(); }

    void start() {
        m_tried = true;
        if (m_context.isValid() && m_context.makeCurrent(&m_offscreen))
            m_gl = QOpenGLVersionFunctionsFactory::get<Gl>(&m_context);
        if (!m_gl || !m_gl->initializeOpenGLFunctions()) {
            m_gl = nullptr;
            m_client.contextFailed();
            return;
        }
        m_client.contextReady(*m_gl);
        m_context.doneCurrent();
    }
    void readBack(Gl& gl) {
        const QSize size = pixelSize();
        const QImage image =
            readPicture(gl, size, [&](GLuint framebuffer) { m_client.present(gl, framebuffer, size); });
        if (!image.isNull())
            m_image = image;
    }

    GlClient& m_client;
    QOffscreenSurface m_offscreen;
    QOpenGLContext m_context;
    Gl* m_gl = nullptr;
    bool m_tried = false;
    QImage m_image;
};

} // namespace

std::unique_ptr<GlSurface> makeImageSurface(GlClient& client, QWidget* parent) {
    return std::make_unique<ImageSurface>(client, parent);
}

} // namespace scanloupe::gui
