#pragma once
// Where a picture that OpenGL has drawn appears in the window.
#include "gui/views/gl_resources.h"

#include <QImage>
#include <QSize>
#include <memory>

class QWidget;

namespace scanloupe::gui {

/// Small pictures over a view, in device pixels: the title above, the axes below, on the left, the legend of
/// the colours below on the right; null when hidden.
struct Overlay {
    QImage title, tripod, legend;
    int margin = 0; ///< from the borders
    int frame = 0;  ///< width of the frame that tells which view has the keys; 0: another
};

/// What draws. All calls come on the GUI thread, with the context current.
class GlClient {
public:
    virtual ~GlClient() = default;
    /// There is a context.
    virtual void contextReady(Gl& gl) = 0;
    /// The context is about to go, with all that lives in it.
    virtual void contextLost(Gl& gl) = 0;
    /// There can't be a context.
    virtual void contextFailed() = 0;
    /// Copies the last picture to a framebuffer of `size` pixels.
    virtual void present(Gl& gl, GLuint framebuffer, QSize size) = 0;
    /// What present() drew last is on the screen now, as far as the program can know. @note The context need
    /// not be current.
    virtual void presented() = 0;
    virtual Overlay overlay() = 0;
    /// The surface has another size, or is seen again. @note The context need not be current.
    virtual void surfaceChanged() = 0;
};

/// A widget and its context.
class GlSurface {
public:
    virtual ~GlSurface() = default;
    virtual QWidget* widget() = 0;
    /// Null while there is no context; else makes it current.
    virtual Gl* makeCurrent() = 0;
    virtual void doneCurrent() = 0;
    /// There is a new picture; the context is current.
    virtual void pictureChanged(Gl& gl) = 0;
    /// What the widget shows.
    virtual QImage grab() = 0;
};

/// A QOpenGLWidget: the picture stays on the GPU.
std::unique_ptr<GlSurface> makeWidgetSurface(GlClient& client, QWidget* parent);
/// A context apart from the window; pictures are read back and painted as images. For OpenGL in software,
/// where putting a window together through OpenGL costs more than drawing what is in it.
std::unique_ptr<GlSurface> makeImageSurface(GlClient& client, QWidget* parent);

} // namespace scanloupe::gui
