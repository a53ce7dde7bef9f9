#pragma once
// Declares the surfaces of the views: widgets with an OpenGL context that show finished pictures.
#include "gui/opengl/gl_resources.h"

#include <QImage>
#include <QPoint>
#include <QSize>
#include <memory>

class QWidget;

namespace scanloupe::gui {

/// An image over a view, with its upper left corner at `at`, in device pixels; null when hidden.
struct PlacedImage {
    QImage image = {};
    QPoint at = {};
};

/// Images over a view, in device pixels: the title at the top left, the axes at the bottom left, the legend
/// of the colours at the bottom right; null when hidden.
struct Overlay {
    QImage title, tripod, legend;
    int margin = 0;         ///< distance from the borders
    int frame = 0;          ///< width of the focus frame; 0: the view has no focus
    PlacedImage marks = {}; ///< marks at places of the scan, below the other images
};

/// Renders the content of a surface. All calls are made on the GUI thread, with the context current.
class GlClient {
public:
    virtual ~GlClient() = default;
    /// Called after the context has been created.
    virtual void contextReady(Gl& gl) = 0;
    /// Called before the context and all its objects are destroyed.
    virtual void contextLost(Gl& gl) = 0;
    /// Called if the context can't be created.
    virtual void contextFailed() = 0;
    /// Copies the last picture to a framebuffer of `size` pixels.
    virtual void present(Gl& gl, GLuint framebuffer, QSize size) = 0;
    /// The picture that present() drew last is presumably on the screen. @note The context need not be
    /// current.
    virtual void presented() = 0;
    virtual Overlay overlay() = 0;
    /// The surface was resized or is shown again. @note The context need not be current.
    virtual void surfaceChanged() = 0;
};

/// A widget and its context.
class GlSurface {
public:
    virtual ~GlSurface() = default;
    virtual QWidget* widget() = 0;
    /// Creates the context, if the widget has not been shown yet. @note Its window is on the screen.
    virtual void prepare() = 0;
    /// Makes the context current; null while there is none.
    virtual Gl* makeCurrent() = 0;
    virtual void doneCurrent() = 0;
    /// A new picture is finished; the context is current.
    virtual void pictureChanged(Gl& gl) = 0;
    /// Image of the widget.
    virtual QImage grab() = 0;
};

/// A QOpenGLWidget: the picture stays on the GPU.
std::unique_ptr<GlSurface> makeWidgetSurface(GlClient& client, QWidget* parent);
/// An offscreen context; pictures are read back and painted as images. For OpenGL in software, where
/// compositing the window through OpenGL costs more than drawing its content.
std::unique_ptr<GlSurface> makeImageSurface(GlClient& client, QWidget* parent);

} // namespace scanloupe::gui
