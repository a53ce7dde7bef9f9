#pragma once
// Declares the mask of the pixels within an outline in a view.
#include "kernels/core/buffer.h"

#include <array>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The pixels whose centres lie within a closed outline, in their bounding rectangle.
struct OutlineMask {
    /// pixels of the view; width 0 if the outline contains none
    int left = 0, top = 0, width = 0, height = 0;
    int rowWords = 0;
    Buffer<std::uint32_t> pixels; ///< [height, rowWords] bits
};

/// @param outline [K] corners in pixels of a view of `width` x `height`, x to the right, y downwards; by the
/// non-zero winding rule @throws Cancelled
OutlineMask outlineMask(std::span<const std::array<double, 2>> outline, int width, int height,
                        const std::stop_token& stop);

} // namespace scanloupe
