#pragma once
// Declares the OpenGL resources of the views: the functions, shaders from the Qt resources, and uploads in
// pieces. GUI thread only, with the context current.
#include <QOpenGLFunctions_3_3_Core>
#include <QOpenGLShaderProgram>
#include <QString>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace scanloupe::gui {

/// OpenGL 3.3 core suffices for the views; they use glClipControl (4.5) where it is available.
using Gl = QOpenGLFunctions_3_3_Core;

/// An operation that this OpenGL can't perform, in a sentence.
struct GlError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Compiles and links `:/shaders/<vertex>` and `<fragment>`, each preceded by view.glsl and colour.glsl if
/// `scene`. @throws GlError with the driver's log
std::unique_ptr<QOpenGLShaderProgram> shaderProgram(const QString& vertex, const QString& fragment,
                                                    bool scene);

/// Allocates `bytes` for a buffer without storage. @throws GlError when graphics memory is short
void allocateBuffer(Gl& gl, GLuint buffer, std::size_t bytes);

/// Uploads buffers in pieces, so that no frame waits for all of them.
class PieceUpload {
public:
    /// Queues an upload; `data` must stay valid until it is uploaded.
    void add(Gl& gl, GLuint buffer, std::span<const std::byte> data);
    /// Allocates buffers and uploads pieces for about `milliseconds`; true when everything is uploaded.
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
