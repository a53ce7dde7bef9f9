// Probes CUDA/OpenGL interoperability with a texture and a buffer in an offscreen context.
#include "gui/interop/interop_probe.h"

#include "engine/compute/build_info.h"
#include "gui/opengl/gl_resources.h"
#include "gui/opengl/opengl_probe.h"

#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLVersionFunctionsFactory>
#include <vector>

namespace scanloupe::gui {

namespace {

constexpr int kSide = 64; // pixels: larger than one tile of any GPU's texture layout

/// Pseudo-random pixels, in which neighbours, channels and rows differ: a picture that arrives shifted,
/// swizzled or tiled does not compare equal.
std::vector<std::uint8_t> testPattern() {
    std::vector<std::uint8_t> pixels(std::size_t{kSide} * kSide * 4);
    // linear congruential generator of Numerical Recipes; its high byte is random enough
    std::uint32_t state = 1;
    for (std::uint8_t& value : pixels) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<std::uint8_t>(state >> 24);
    }
    return pixels;
}

/// A texture and a buffer, both black, in the current context.
class Targets {
public:
    Targets(Gl& gl, std::size_t bytes) : m_gl(gl) {
        const std::vector<std::uint8_t> black(bytes, 0);
        m_gl.glGenTextures(1, &m_texture);
        m_gl.glBindTexture(GL_TEXTURE_2D, m_texture);
        // without mipmaps, this makes the texture complete, which CUDA requires
        m_gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        m_gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        m_gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        m_gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                          black.data());
        m_gl.glGenBuffers(1, &m_buffer);
        m_gl.glBindBuffer(GL_ARRAY_BUFFER, m_buffer);
        m_gl.glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes), black.data(), GL_DYNAMIC_COPY);
    }
    ~Targets() {
        m_gl.glDeleteBuffers(1, &m_buffer);
        m_gl.glDeleteTextures(1, &m_texture);
    }
    Targets(const Targets&) = delete;
    Targets& operator=(const Targets&) = delete;

    GlTargets names() const { return {m_texture, m_buffer, kSide, kSide}; }
    bool textureHolds(const std::vector<std::uint8_t>& pixels) {
        std::vector<std::uint8_t> found(pixels.size());
        m_gl.glBindTexture(GL_TEXTURE_2D, m_texture);
        m_gl.glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, found.data());
        return found == pixels;
    }
    bool bufferHolds(const std::vector<std::uint8_t>& pixels) {
        std::vector<std::uint8_t> found(pixels.size());
        m_gl.glBindBuffer(GL_ARRAY_BUFFER, m_buffer);
        m_gl.glGetBufferSubData(GL_ARRAY_BUFFER, 0, GLsizeiptr(found.size()), found.data());
        return found == pixels;
    }

private:
    Gl& m_gl;
    GLuint m_texture = 0, m_buffer = 0;
};

void probeWrites(InteropProbeResult& result) {
    QOpenGLContext context;
    context.setFormat(viewFormat());
    QOffscreenSurface surface;
    const bool created = context.create();
    surface.setFormat(context.format());
    surface.create();
    if (!created || !surface.isValid() || !context.makeCurrent(&surface))
        return;
    auto* gl = QOpenGLVersionFunctionsFactory::get<Gl>(&context);
    if (gl && gl->initializeOpenGLFunctions()) {
        const auto text = [gl](GLenum name) {
            return QString::fromUtf8(reinterpret_cast<const char*>(gl->glGetString(name)));
        };
        result.glVendor = text(GL_VENDOR);
        result.glRenderer = text(GL_RENDERER);
        const std::vector<std::uint8_t> pixels = testPattern();
        Targets targets(*gl, pixels.size());
        result.write = writeToGl(targets.names(), pixels);
        result.textureArrived = targets.textureHolds(pixels);
        result.bufferArrived = targets.bufferHolds(pixels);
    }
    context.doneCurrent();
}

} // namespace

InteropState probeInterop() {
    InteropProbeResult result;
    result.cudaBuilt = !buildInfo().cuda.empty();
    result.device = probeDevice();
    if (result.device.usable)
        probeWrites(result);
    return describeInterop(result);
}

} // namespace scanloupe::gui
