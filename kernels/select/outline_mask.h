#pragma once
// Declares the pixels within an outline that was drawn in a view.
#include "kernels/core/buffer.h"

#include <array>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The pixels whose centres lie within a closed outline, in the smallest rectangle that holds them.
struct OutlineMask {
    int left = 0, top = 0, width = 0, height = 0; ///< pixels of the view; 0 wide if the outline holds none
    int rowWords = 0;
    Buffer<std::uint32_t> pixels; ///< [height, rowWords] bits
};

/// @param outline [K] corners in pixels of a view of `width` x `height`, x to the right, y downwards; where
/// it crosses itself, all that it goes round is within it @throws Cancelled
OutlineMask outlineMask(std::span<const std::array<double, 2>> outline, int width, int height,
                        const std::stop_token& stop);

} // namespace scanloupe
