#pragma once
// Clears the visibility buffer and the counters of a frame.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

__device__ inline void resetCounts(const RasterWork& work) {
    RasterCounts none{};
    none.missingVertex = kNoTriangle;
    *work.counts = none;
}
/// Clears `count` pixels and the counters. Correct for any number of blocks.
__device__ inline void clearPixels(const RasterWork& work, std::size_t count) {
    const std::size_t index = globalIndex(), pairs = count / 2;
    if (index == 0) {
        resetCounts(work);
        if (count % 2 != 0)
            work.pixels[count - 1] = 0;
    }
    auto* const to = reinterpret_cast<ulonglong2*>(work.pixels);
    for (std::size_t i = index; i < pairs; i += std::size_t{gridDim.x} * kBlockSize)
        to[i] = {0, 0};
}
/// Clears all pixels of the picture.
__device__ inline void clearPicture(const RasterWork& work) {
    clearPixels(work,
                static_cast<std::size_t>(work.view().width) * static_cast<std::size_t>(work.view().height));
}
inline constexpr std::size_t kClearedAtOnce = 8; ///< pixels per thread, if a kernel only clears

} // namespace scanloupe::cuda
