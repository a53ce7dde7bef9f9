// Uploads rasterized pictures into an OpenGL texture, from CUDA or through host memory, and blits them to the
// screen.
#include "gui/interop/picture_texture.h"

#include "engine/results/snapshot.h"
#include "kernels/core/cost.h"

namespace scanloupe::gui {

void PictureTexture::release(Gl& gl) {
    m_writer.reset(); // unregisters the texture before it is deleted
    gl.glDeleteFramebuffers(1, &m_framebuffer);
    gl.glDeleteTextures(1, &m_texture);
    m_framebuffer = m_texture = 0;
    m_size = {};
    m_picture = nullptr;
}

void PictureTexture::resize(Gl& gl, QSize size) {
    if (size == m_size)
        return;
    release(gl);
    m_size = size;
    gl.glGenTextures(1, &m_texture);
    gl.glBindTexture(GL_TEXTURE_2D, m_texture);
    // without mipmaps, this makes the texture complete, which CUDA requires
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width(), size.height(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                    nullptr);
    gl.glGenFramebuffers(1, &m_framebuffer);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, m_framebuffer);
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_texture, 0);
}

bool PictureTexture::setPicture(Gl& gl, const std::shared_ptr<const Picture>& picture) {
    if (picture == m_picture)
        return true;
    if (!picture || picture->image->width < 1 || picture->image->height < 1) {
        m_picture = nullptr;
        m_transfer = {};
        return true;
    }
    resize(gl, {picture->image->width, picture->image->height});
    m_transfer = {};
    const WallTimer timer;
    if (!writeByCuda(*picture)) {
        if (!picture->image.hasHost())
            return false;
        copy(gl, picture->image.host());
    }
    m_transfer.copyMs = timer.elapsedMs();
    m_picture = picture;
    m_presented = false;
    return true;
}

bool PictureTexture::writeByCuda(const Picture& picture) {
    if (!picture.image.onDevice())
        return false;
    m_transfer.why = m_interop.problem();
    if (m_transfer.why.isEmpty())
        m_transfer.why = m_problem;
    if (!m_transfer.why.isEmpty())
        return false;
    std::string problem;
    if (!m_writer)
        m_writer = makeTextureWriter(
            {m_texture, 0, std::size_t(m_size.width()), std::size_t(m_size.height())}, problem);
    if (m_writer) {
        try {
            m_writer->write(picture.image.device().pixels.data());
            m_transfer.path = Transfer::Path::interop;
            return true;
        } catch (const std::exception& error) {
            problem = error.what();
            m_writer.reset();
        }
    }
    // a failure is final: CUDA is not tried again
    m_problem = m_transfer.why = QString::fromStdString(problem);
    return false;
}

void PictureTexture::copy(Gl& gl, const Image& image) {
    gl.glBindTexture(GL_TEXTURE_2D, m_texture);
    gl.glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl.glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, m_size.width(), m_size.height(), GL_RGBA, GL_UNSIGNED_BYTE,
                       image.pixels.data());
    m_transfer.path = Transfer::Path::copied;
}

bool PictureTexture::present(Gl& gl, GLuint framebuffer, QSize size) {
    gl.glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    if (!m_picture) {
        const auto channel = [](int i) { return float(Shading{}.background >> (8 * i) & 255u) / 255.0f; };
        gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl.glViewport(0, 0, size.width(), size.height());
        gl.glClearColor(channel(0), channel(1), channel(2), 1);
        gl.glClear(GL_COLOR_BUFFER_BIT);
        return false;
    }
    gl.glBindFramebuffer(GL_READ_FRAMEBUFFER, m_framebuffer);
    // flipped vertically: the picture's first row is the top one, OpenGL's the bottom one
    gl.glBlitFramebuffer(0, 0, m_size.width(), m_size.height(), 0, size.height(), size.width(), 0,
                         GL_COLOR_BUFFER_BIT, size == m_size ? GL_NEAREST : GL_LINEAR);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    if (m_presented)
        return false;
    m_presented = true;
    return true;
}

} // namespace scanloupe::gui
