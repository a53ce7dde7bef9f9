// Compiles the shaders of the views, and uploads buffers in pieces.
#include "gui/opengl/gl_resources.h"

#include "kernels/core/cost.h"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>

// outside of any namespace: the resources of a static library have to be registered
static void registerShaders() {
    Q_INIT_RESOURCE(shaders);
}

namespace scanloupe::gui {

namespace {

QByteArray read(const QString& name) {
    QFile file(":/shaders/" + name);
    if (!file.open(QIODevice::ReadOnly))
        throw GlError("the program lacks its shader " + name.toStdString());
    return file.readAll();
}

} // namespace

std::unique_ptr<QOpenGLShaderProgram> shaderProgram(const QString& vertex, const QString& fragment,
                                                    bool scene) {
    registerShaders();
    const QByteArray head =
        "#version 330 core\n" + (scene ? read("view.glsl") + read("colour.glsl") : QByteArray());
    auto program = std::make_unique<QOpenGLShaderProgram>();
    // each view has a context: the first one compiles, and the cache serves the others and the next start
    if (!program->addCacheableShaderFromSourceCode(QOpenGLShader::Vertex, head + read(vertex)) ||
        !program->addCacheableShaderFromSourceCode(QOpenGLShader::Fragment, head + read(fragment)) ||
        !program->link())
        throw GlError("the graphics driver rejects the shader " + vertex.toStdString() + ": " +
                      program->log().toStdString());
    return program;
}

void allocateBuffer(Gl& gl, GLuint buffer, std::size_t bytes) {
    for (int i = 0; i < 8 && gl.glGetError() != GL_NO_ERROR; ++i) { // discards earlier errors
    }
    gl.glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    gl.glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STATIC_DRAW);
    if (gl.glGetError() != GL_NO_ERROR)
        throw GlError("there is not enough graphics memory");
}

void PieceUpload::add(Gl& gl, GLuint buffer, std::span<const std::byte> data) {
    gl.glBindBuffer(GL_COPY_WRITE_BUFFER, buffer); // the first binding creates the buffer object
    m_waiting.push_back({buffer, data});
}

bool PieceUpload::run(Gl& gl, double milliseconds) {
    constexpr std::size_t kPiece = 1 << 20;
    const WallTimer timer;
    while (!m_waiting.empty()) {
        Item& item = m_waiting.back();
        if (!item.allocated) { // software drivers clear the memory, which takes a while
            allocateBuffer(gl, item.buffer, item.data.size());
            item.allocated = true;
            if (timer.elapsedMs() > milliseconds)
                break;
        }
        const std::size_t size = std::min(kPiece, item.data.size() - item.sent);
        gl.glBindBuffer(GL_COPY_WRITE_BUFFER, item.buffer);
        gl.glBufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(item.sent),
                           static_cast<GLsizeiptr>(size), item.data.data() + item.sent);
        item.sent += size;
        if (item.sent == item.data.size())
            m_waiting.pop_back();
        if (timer.elapsedMs() > milliseconds)
            break;
    }
    return m_waiting.empty();
}

} // namespace scanloupe::gui
