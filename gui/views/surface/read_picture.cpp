// Reads a picture back from OpenGL.
#include "gui/views/surface/read_picture.h"

#include <cstring>
#include <vector>

namespace scanloupe::gui {

QImage readPicture(Gl& gl, QSize size, const std::function<void(GLuint framebuffer)>& present) {
    if (size.isEmpty())
        return {};
    GLuint framebuffer = 0, colour = 0;
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glGenRenderbuffers(1, &colour);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.glBindRenderbuffer(GL_RENDERBUFFER, colour);
    gl.glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, size.width(), size.height());
    gl.glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    present(framebuffer);
    QImage image(size, QImage::Format_RGB32);
    std::vector<std::uint32_t> rows(static_cast<std::size_t>(size.width()) *
                                    static_cast<std::size_t>(size.height()));
    gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    gl.glReadPixels(0, 0, size.width(), size.height(), GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, rows.data());
    const auto width = static_cast<std::size_t>(size.width());
    for (int y = 0; y < size.height(); ++y) // OpenGL's first row is the lowest
        std::memcpy(image.scanLine(size.height() - 1 - y), &rows[static_cast<std::size_t>(y) * width],
                    width * sizeof rows[0]);
    gl.glDeleteFramebuffers(1, &framebuffer);
    gl.glDeleteRenderbuffers(1, &colour);
    return image;
}

} // namespace scanloupe::gui
