#pragma once
// Pictures on the device go into textures of OpenGL. Free of both, as gl_write.h.
#include "gui/interop/gl_write.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scanloupe::gui {

/// A texture that CUDA may write, registered once. Made, called and destroyed on the thread of the context,
/// which is current then, and before the texture is deleted.
class TextureWriter {
public:
    virtual ~TextureWriter() = default;
    /// Copies all its pixels from device memory, [height, width] RGBA, which must be there: no byte goes
    /// through the host, and OpenGL's next commands come after it. @note Waits for the copy, so that the
    /// pixels may go. @throws KernelError
    virtual void write(const std::uint32_t* pixels) = 0;
};

/// Of GlTargets::texture. Null where CUDA can't write it: `problem` says why.
std::unique_ptr<TextureWriter> makeTextureWriter(const GlTargets& targets, std::string& problem);

} // namespace scanloupe::gui
