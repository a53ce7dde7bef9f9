#pragma once
// Declares test writes from CUDA into OpenGL objects, which probe their interoperability. Includes neither
// CUDA nor Qt headers: callers need no nvcc, and the implementation needs no Qt.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace scanloupe::gui {

/// OpenGL names of a texture and a buffer in the current context.
struct GlTargets {
    unsigned texture = 0; ///< GL_TEXTURE_2D of RGBA8, `width` x `height`, one level
    unsigned buffer = 0;  ///< holds at least width * height * 4 bytes
    std::size_t width = 0, height = 0;
};

/// Result of the test writes.
struct GlWrite {
    int drawingDevice = -1;  ///< CUDA device that draws for the context; -1 if none does
    bool sameDevice = false; ///< the drawing device is the one that CUDA computes on
    std::string problem;     ///< the CUDA call that failed, with its error string; empty on success
    double textureMs = 0;    ///< wall time to map, copy, unmap and synchronize, from the second call
    double bufferMs = 0;     ///< the same for the buffer
};

/// Writes `pixels` (width * height * 4 bytes, row by row) into both objects in the way of a picture: from
/// device memory, on a separate stream. Needs a usable device. Never throws, and leaves no pending CUDA error
/// for later checks. @note Synchronizes. Call it on the thread on which the context is current.
GlWrite writeToGl(const GlTargets& targets, std::span<const std::uint8_t> pixels);

} // namespace scanloupe::gui
