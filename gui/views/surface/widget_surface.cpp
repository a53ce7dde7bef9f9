// Shows pictures in a QOpenGLWidget, with the overlay as textured quads.
#include "gui/opengl/opengl_probe.h"
#include "gui/views/surface/gl_surface.h"
#include "gui/views/surface/image_quad.h"
#include "gui/views/surface/view_overlay.h"

#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <QOpenGLWidget>
#include <utility>

namespace scanloupe::gui {

namespace {

class WidgetSurface : public QOpenGLWidget, public GlSurface {
public:
    WidgetSurface(GlClient& client, QWidget* parent) : QOpenGLWidget(parent), m_client(client) {
        setFormat(viewFormat());
        connect(this, &QOpenGLWidget::frameSwapped, this, [this] {
            if (std::exchange(m_drawn, false)) // the window is composited for other widgets, too
                m_client.presented();
        });
    }
    ~WidgetSurface() override { releaseContext(); }

    QWidget* widget() override { return this; }
    void prepare() override {
        if (!context())
            grabFramebuffer(); // creates the context
    }
    Gl* makeCurrent() override {
        if (m_gl)
            QOpenGLWidget::makeCurrent();
        return m_gl;
    }
    void doneCurrent() override { QOpenGLWidget::doneCurrent(); }
    void pictureChanged(Gl&) override { update(); }
    QImage grab() override { return grabFramebuffer(); }

protected:
    void initializeGL() override {
        releaseContext(); // drops the previous context, if the view has moved to another window
        m_gl = QOpenGLVersionFunctionsFactory::get<Gl>(context());
        try {
            if (!m_gl || !m_gl->initializeOpenGLFunctions())
                throw GlError("no functions");
            connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] { releaseContext(); });
            m_title.create(*m_gl);
            m_tripod.create(*m_gl);
            m_legend.create(*m_gl);
            m_marks.create(*m_gl);
            m_client.contextReady(*m_gl);
        } catch (const GlError&) {
            m_gl = nullptr;
            m_client.contextFailed();
        }
    }
    void resizeGL(int, int) override { m_client.surfaceChanged(); }
    void paintGL() override {
        if (!m_gl)
            return;
        const QSize pixels = size() * devicePixelRatio();
        m_client.present(*m_gl, defaultFramebufferObject(), pixels);
        m_drawn = true;
        const Overlay overlay = m_client.overlay();
        drawFrame(overlay.frame, pixels);
        m_marks.draw(*m_gl, overlay.marks.image, overlay.marks.at, pixels);
        m_title.draw(*m_gl, overlay.title, {overlay.margin, overlay.margin}, pixels);
        m_tripod.draw(*m_gl, overlay.tripod,
                      {overlay.margin, pixels.height() - overlay.tripod.height() - overlay.margin}, pixels);
        if (hasRoomForLegend(overlay, pixels))
            m_legend.draw(*m_gl, overlay.legend,
                          {pixels.width() - overlay.legend.width() - overlay.margin,
                           pixels.height() - overlay.legend.height() - overlay.margin},
                          pixels);
    }
    void showEvent(QShowEvent* event) override {
        QOpenGLWidget::showEvent(event);
        m_client.surfaceChanged();
    }

private:
    void drawFrame(int width, QSize view) {
        if (width <= 0)
            return;
        const QColor colour = focusColour();
        m_gl->glEnable(GL_SCISSOR_TEST);
        m_gl->glClearColor(colour.redF(), colour.greenF(), colour.blueF(), 1);
        for (const QRect& side : {QRect(0, 0, view.width(), width), QRect(0, 0, width, view.height()),
                                  QRect(0, view.height() - width, view.width(), width),
                                  QRect(view.width() - width, 0, width, view.height())}) {
            m_gl->glScissor(side.x(), side.y(), side.width(), side.height());
            m_gl->glClear(GL_COLOR_BUFFER_BIT);
        }
        m_gl->glDisable(GL_SCISSOR_TEST);
    }
    void releaseContext() {
        if (!m_gl)
            return;
        disconnect(context(), &QOpenGLContext::aboutToBeDestroyed, this, nullptr);
        QOpenGLWidget::makeCurrent();
        m_client.contextLost(*m_gl);
        m_title.release(*m_gl);
        m_tripod.release(*m_gl);
        m_legend.release(*m_gl);
        m_marks.release(*m_gl);
        QOpenGLWidget::doneCurrent();
        m_gl = nullptr;
    }

    GlClient& m_client;
    Gl* m_gl = nullptr;
    bool m_drawn = false; ///< a new picture was drawn since the window was last composited
    ImageQuad m_title, m_tripod, m_legend, m_marks;
};

} // namespace

std::unique_ptr<GlSurface> makeWidgetSurface(GlClient& client, QWidget* parent) {
    return std::make_unique<WidgetSurface>(client, parent);
}

} // namespace scanloupe::gui
