// Draws images as textured quads.
#include "gui/views/surface/image_quad.h"

#include <QVector4D>

namespace scanloupe::gui {

void ImageQuad::create(Gl& gl) {
    m_program = shaderProgram("screen.vert", "label.frag", false);
    gl.glGenTextures(1, &m_texture);
    gl.glGenVertexArrays(1, &m_vertexArray);
    m_sent = 0;
}

void ImageQuad::release(Gl& gl) {
    gl.glDeleteTextures(1, &m_texture);
    gl.glDeleteVertexArrays(1, &m_vertexArray);
    m_texture = m_vertexArray = 0;
    m_program.reset();
}

void ImageQuad::draw(Gl& gl, const QImage& image, QPoint at, QSize framebuffer) {
    if (image.isNull())
        return;
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glBindTexture(GL_TEXTURE_2D, m_texture);
    if (m_sent != image.cacheKey()) {
        const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888_Premultiplied);
        gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, rgba.width(), rgba.height(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                        rgba.constBits());
        gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        m_sent = image.cacheKey();
    }
    const auto x = [&](int pixel) { return 2.0f * float(pixel) / float(framebuffer.width()) - 1; };
    const auto y = [&](int pixel) { return 1 - 2.0f * float(pixel) / float(framebuffer.height()); };
    m_program->bind();
    m_program->setUniformValue("image", 0);
    m_program->setUniformValue(
        "rectangle", QVector4D(x(at.x()), y(at.y() + image.height()), x(at.x() + image.width()), y(at.y())));
    gl.glEnable(GL_BLEND);
    gl.glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl.glDisable(GL_DEPTH_TEST);
    gl.glBindVertexArray(m_vertexArray);
    gl.glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    gl.glBindVertexArray(0);
    gl.glDisable(GL_BLEND);
}

} // namespace scanloupe::gui
