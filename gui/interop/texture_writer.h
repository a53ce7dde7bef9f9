#pragma once
// Declares the writer of device pictures into OpenGL textures (CUDA/OpenGL interoperability). Includes
// neither CUDA nor Qt headers, as gl_write.h.
#include "gui/interop/gl_write.h"

#include <cstdint>
#include <memory>
#include <string>

namespace scanloupe::gui {

/// An OpenGL texture that is registered with CUDA. Constructed, called and destroyed on the context's thread
/// with the context current, and destroyed before the texture is deleted.
class TextureWriter {
public:
    virtual ~TextureWriter() = default;
    /// Copies all pixels from device memory, [height, width] RGBA, into the texture: no byte goes through the
    /// host. Later OpenGL commands are ordered after the copy. @note Synchronizes, so that the pixels may be
    /// freed afterwards. @throws KernelError
    virtual void write(const std::uint32_t* pixels) = 0;
};

/// Writer of GlTargets::texture. Null if CUDA can't write it; `problem` then holds the reason.
std::unique_ptr<TextureWriter> makeTextureWriter(const GlTargets& targets, std::string& problem);

} // namespace scanloupe::gui
