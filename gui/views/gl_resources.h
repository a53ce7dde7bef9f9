#pragma once
// OpenGL for the views: one set of functions, shaders from the resources, uploads in pieces. GUI thread only,
// with the context current.
#include <QOpenGLFunctions_3_3_Core>
#include <QOpenGLShaderProgram>
#include <QString>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace scanloupe::gui {

/// OpenGL 3.3 core holds all that the views need; they take glClipControl (4.5) where it is there.
using Gl = QOpenGLFunctions_3_3_Core;

/// Something that this OpenGL can't do, in a sentence.
struct GlError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Compiles and links `:/shaders/<vertex>` and `<fragment>`, each after view.glsl and colour.glsl when
/// `scene`.
/// @throws GlError with the driver's log.
std::unique_ptr<QOpenGLShaderProgram> shaderProgram(const QString& vertex, const QString& fragment,
                                                    bool scene);

/// Gives a buffer, which has none, memory for `bytes`. @throws GlError when graphics memory is short
void allocateBuffer(Gl& gl, GLuint buffer, std::size_t bytes);

/// Buffers whose content arrives in pieces, so that no frame waits for all of it.
class PieceUpload {
public:
    /// `data` must live until it has been sent.
    void add(Gl& gl, GLuint buffer, std::span<const std::byte> data);
    /// Allocates buffers and sends pieces for about so long; true when all is there.
    /// @throws GlError when graphics memory is short
    bool run(Gl& gl, double milliseconds);
    void clear() { m_waiting.clear(); }

private:
    struct Item {
        GLuint buffer;
        std::span<const std::byte> data;
        std::size_t sent = 0;
        bool allocated = false;
    };

    std::vector<Item> m_waiting;
};

} // namespace scanloupe::gui
