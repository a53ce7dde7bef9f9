#pragma once
// The rasterized picture on its way into a texture of OpenGL.
#include "engine/pipeline/pipeline.h"
#include "gui/interop/texture_writer.h"
#include "gui/interop/transfer.h"
#include "gui/views/gl_resources.h"

#include <QSize>

namespace scanloupe::gui {

/// Holds one picture. GUI thread only, with the context current.
class PictureTexture {
public:
    void release(Gl& gl);
    /// Brings a picture into the texture, unless it is there.
    void setPicture(Gl& gl, const std::shared_ptr<const Picture>& picture);
    /// Copies it to a framebuffer, stretched when the sizes differ. True when this is its first time.
    bool present(Gl& gl, GLuint framebuffer, QSize size);
    /// All but its times of waiting and presenting.
    const Transfer& transfer() const { return m_transfer; }

private:
    void resize(Gl& gl, QSize size);
    /// What hinders is told by the transfer.
    bool writeByCuda(const Picture& picture);
    void copy(Gl& gl, const Picture& picture);

    GLuint m_texture = 0, m_framebuffer = 0;
    QSize m_size;
    std::unique_ptr<TextureWriter> m_writer; ///< of the texture, once CUDA has written it
    QString m_problem;                       ///< why CUDA can't
    Buffer<std::uint32_t> m_pinned;          ///< what a picture on the device is copied to
    std::shared_ptr<const Picture> m_picture;
    Transfer m_transfer;
    bool m_presented = false;
};

} // namespace scanloupe::gui
