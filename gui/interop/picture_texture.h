#pragma once
// Declares the upload of rasterized pictures into an OpenGL texture.
#include "engine/pipeline/pipeline.h"
#include "gui/interop/texture_writer.h"
#include "gui/interop/transfer.h"
#include "gui/opengl/gl_resources.h"

#include <QSize>

namespace scanloupe::gui {

/// A texture that holds one picture. GUI thread only, with the context current.
class PictureTexture {
public:
    void release(Gl& gl);
    /// Uploads a picture, unless the texture holds it already. Null: none is shown.
    void setPicture(Gl& gl, const std::shared_ptr<const Picture>& picture);
    /// Blits the picture to a framebuffer, scaled when the sizes differ. True when it is presented for the
    /// first time.
    bool present(Gl& gl, GLuint framebuffer, QSize size);
    /// How the picture was uploaded; its times of waiting and presenting are left to the caller.
    const Transfer& transfer() const { return m_transfer; }

private:
    void resize(Gl& gl, QSize size);
    /// False when CUDA can't write the texture; the transfer then holds the reason.
    bool writeByCuda(const Picture& picture);
    void copy(Gl& gl, const Picture& picture);

    GLuint m_texture = 0, m_framebuffer = 0;
    QSize m_size;
    std::unique_ptr<TextureWriter> m_writer; ///< of the texture; null until CUDA first writes it
    QString m_problem;                       ///< why CUDA can't write the texture
    Buffer<std::uint32_t> m_pinned;          ///< staging memory for pictures on the device
    std::shared_ptr<const Picture> m_picture;
    Transfer m_transfer;
    bool m_presented = false;
};

} // namespace scanloupe::gui
