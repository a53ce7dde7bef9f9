// Writes OpenGL textures from CUDA.
#include "gui/interop/gl_mapped.cuh"
#include "gui/interop/texture_writer.h"

#include <exception>

namespace scanloupe::gui {

namespace {

class CudaTextureWriter : public TextureWriter {
public:
    explicit CudaTextureWriter(const GlTargets& targets)
        : m_width(targets.width), m_height(targets.height),
          m_texture(RegisteredResource::texture(targets.texture)) {}

    void write(const std::uint32_t* pixels) override {
        copyToTexture(m_texture, pixels, m_width * sizeof *pixels, m_height, m_stream);
        m_stream.view().synchronize();
    }

private:
    std::size_t m_width, m_height;
    /// A separate stream with high priority, since the GUI thread waits for this copy, and must not wait for
    /// frames that are queued on the worker's stream.
    Stream m_stream{StreamPriority::high};
    RegisteredResource m_texture;
};

} // namespace

std::unique_ptr<TextureWriter> makeTextureWriter(const GlTargets& targets, std::string& problem) {
    try {
        return std::make_unique<CudaTextureWriter>(targets);
    } catch (const std::exception& error) {
        problem = error.what();
        return nullptr;
    }
}

} // namespace scanloupe::gui
