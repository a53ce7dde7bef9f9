#pragma once
// Declares the mask of the pixels inside an outline in a view.
#include "kernels/core/buffer.h"

#include <array>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The pixels whose centres are inside a closed outline, stored for their bounding rectangle.
struct OutlineMask {
    /// bounding rectangle in pixels of the view; width 0 if no pixel is inside
    int left = 0, top = 0, width = 0, height = 0;
    int rowWords = 0;
    Buffer<std::uint32_t> pixels; ///< [height, rowWords] one bit per pixel
};

/// Returns the pixels inside an outline by the non-zero winding rule. @param outline [K] corners in pixels of
/// a view of `width` x `height`, x to the right, y downwards @throws Cancelled
OutlineMask outlineMask(std::span<const std::array<double, 2>> outline, int width, int height,
                        const std::stop_token& stop);

} // namespace scanloupe
