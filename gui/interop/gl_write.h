#pragma once
// CUDA writes into objects of OpenGL. Free of both: what calls it needs no nvcc, what implements it no Qt.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace scanloupe::gui {

/// A texture and a buffer of the OpenGL context that is current, by OpenGL's numbers.
struct GlTargets {
    unsigned texture = 0; ///< GL_TEXTURE_2D of RGBA8, `width` x `height`, one level
    unsigned buffer = 0;  ///< holds at least width * height * 4 bytes
    std::size_t width = 0, height = 0;
};

/// How far CUDA came with them.
struct GlWrite {
    int drawingDevice = -1;  ///< CUDA's number of the GPU that draws for the context; -1 when it knows none
    bool sameDevice = false; ///< that is the GPU that CUDA computes on
    std::string problem;     ///< the call that failed, and CUDA's words; empty when both were written
    double textureMs = 0;    ///< wall time of mapping, copying, unmapping and waiting, not the first time
    double bufferMs = 0;     ///< the same for the buffer
};

/// Writes `pixels` (width * height * 4 bytes, row by row) into both, as a picture would be written: from
/// device memory, on a stream of its own. Needs a usable device. Never throws, and leaves no error for later
/// checks to meet. @note Synchronizes. Of the thread on which the context is current.
GlWrite writeToGl(const GlTargets& targets, std::span<const std::uint8_t> pixels);

} // namespace scanloupe::gui
