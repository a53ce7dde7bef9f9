#pragma once
// Declares the upload of rasterized pictures into an OpenGL texture.
#include "gui/interop/interop_choice.h"
#include "gui/interop/texture_writer.h"
#include "gui/interop/transfer.h"
#include "gui/opengl/gl_resources.h"

#include <QSize>

namespace scanloupe {
struct Image;
struct Picture;
} // namespace scanloupe

namespace scanloupe::gui {

/// A texture that holds one picture. GUI thread only, with the context current.
class PictureTexture {
public:
    explicit PictureTexture(InteropChoice& interop) : m_interop(interop) {}

    void release(Gl& gl);
    /// Uploads a picture, unless the texture holds it already. Null: none is shown. False when the picture
    /// is on the device only and CUDA can't write it; the previous picture then stays until a host copy
    /// exists.
    bool setPicture(Gl& gl, const std::shared_ptr<const Picture>& picture);
    /// Blits the picture to a framebuffer, scaled when the sizes differ. True when it is presented for the
    /// first time.
    bool present(Gl& gl, GLuint framebuffer, QSize size);
    /// Why CUDA can't write the texture; empty while it can.
    const QString& problem() const { return m_problem; }
    /// How the picture was uploaded. The caller fills in the times of waiting and presenting, and the path to
    /// the host.
    const Transfer& transfer() const { return m_transfer; }

private:
    void resize(Gl& gl, QSize size);
    /// False when CUDA can't write the texture; the transfer then holds the reason.
    bool writeByCuda(const Picture& picture);
    void copy(Gl& gl, const Image& image);

    InteropChoice& m_interop;
    GLuint m_texture = 0, m_framebuffer = 0;
    QSize m_size;
    std::unique_ptr<TextureWriter> m_writer; ///< writer of the texture; null until CUDA first writes it
    QString m_problem;                       ///< why CUDA can't write the texture
    std::shared_ptr<const Picture> m_picture;
    Transfer m_transfer;
    bool m_presented = false;
};

} // namespace scanloupe::gui
