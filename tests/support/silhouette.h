#pragma once
// Silhouettes of pictures: which pixels show something.
#include "kernels/raster/core/rasterizer.h"

#include <cstddef>

namespace scanloupe::test {

/// Intersection over union of the pixels that two visibility buffers of one size drew; 1 when both are empty.
inline double silhouetteIoU(const VisibilityBuffer& a, const VisibilityBuffer& b) {
    std::size_t both = 0, either = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i) {
        const bool inA = a.pixels[i] != 0, inB = b.pixels[i] != 0;
        both += inA && inB;
        either += inA || inB;
    }
    return either == 0 ? 1.0 : double(both) / double(either);
}

} // namespace scanloupe::test
