// Replaces the .cu files in a build without nvcc: the probe reports that there is no CUDA backend.
#include "gui/interop/buffer_writer.h"
#include "gui/interop/gl_write.h"
#include "gui/interop/texture_writer.h"

namespace scanloupe::gui {

namespace {
constexpr const char* kNoCuda = "this build has no CUDA backend";
}

GlWrite writeToGl(const GlTargets&, std::span<const std::uint8_t>) {
    GlWrite result;
    result.problem = kNoCuda;
    return result;
}

std::unique_ptr<TextureWriter> makeTextureWriter(const GlTargets&, std::string& problem) {
    problem = kNoCuda;
    return nullptr;
}

std::unique_ptr<BufferWriter> makeBufferWriter(unsigned, std::string& problem) {
    problem = kNoCuda;
    return nullptr;
}

} // namespace scanloupe::gui
