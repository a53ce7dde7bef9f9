#pragma once
// Declares the drawing of images as textured quads.
#include "gui/opengl/gl_resources.h"

#include <QImage>
#include <QRect>

namespace scanloupe::gui {

/// A small image, such as a label, over a view.
class ImageQuad {
public:
    /// @throws GlError
    void create(Gl& gl);
    void release(Gl& gl);
    /// Draws `image` (premultiplied) with its upper left corner at `at`, both in pixels of the bound
    /// framebuffer.
    void draw(Gl& gl, const QImage& image, QPoint at, QSize framebuffer);

private:
    std::unique_ptr<QOpenGLShaderProgram> m_program;
    GLuint m_texture = 0, m_vertexArray = 0;
    qint64 m_sent = 0; ///< cacheKey of the image that the texture holds
};

} // namespace scanloupe::gui
