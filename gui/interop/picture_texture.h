#pragma once
// The rasterized picture on its way into a texture of OpenGL.
#include "engine/pipeline/pipeline.h"
#include "gui/interop/texture_writer.h"
#include "gui/views/gl_resources.h"

#include <QSize>
#include <QString>

namespace scanloupe::gui {

/// How the last picture came to the screen.
struct PictureTransfer {
    enum class Path {
        none,    ///< there is none yet
        painted, ///< without OpenGL, from host memory
        copied,  ///< through host memory
        interop, ///< CUDA has written the texture
    };
    Path path = Path::none;
    quint64 bytesToHost = 0; ///< that were copied from the device for it
    double ms = 0;           ///< from its being drawn to its being presented
    QString why;             ///< why a picture on the device was copied
};

/// The transfer in a few words, for the status bar.
QString transferText(const PictureTransfer& transfer);

/// Whether CUDA may write into OpenGL; where not, pictures are copied. $SCANLOUPE_INTEROP = off, or the
/// program's option --interop off.
bool isInteropWanted();
void setInteropWanted(bool wanted);

/// Holds one picture. GUI thread only, with the context current.
class PictureTexture {
public:
    void release(Gl& gl);
    /// Brings a picture into the texture, unless it is there.
    void take(Gl& gl, const std::shared_ptr<const Picture>& picture);
    /// Copies it to a framebuffer, stretched when the sizes differ. True when this is its first time.
    bool present(Gl& gl, GLuint framebuffer, QSize size);
    const PictureTransfer& transfer() const { return m_transfer; }

private:
    void resize(Gl& gl, QSize size);
    bool writeByCuda(const Picture& picture);
    void copy(Gl& gl, const Picture& picture);

    GLuint m_texture = 0, m_framebuffer = 0;
    QSize m_size;
    std::unique_ptr<TextureWriter> m_writer; ///< of the texture, once CUDA has written it
    QString m_problem;                       ///< why CUDA can't
    Buffer<std::uint32_t> m_pinned;          ///< what a picture on the device is copied to
    std::shared_ptr<const Picture> m_picture;
    PictureTransfer m_transfer;
    bool m_presented = false;
};

} // namespace scanloupe::gui
