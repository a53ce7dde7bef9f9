#pragma once
// Shades the visibility buffer into an image, block by block.
#include "kernels/raster/core/cuda_raster.cuh"
#include "kernels/raster/resolve/resolve_element.h"

namespace scanloupe::cuda {

inline constexpr int kShadeWidth = 32,
                     /// height of a block's part of the picture, pixels
    kShadeHeight = static_cast<int>(kBlockSize) / kShadeWidth;

/// Nearness of a block's pixels and of their neighbours, see nearness(); in shared memory.
struct ShadeShared {
    float near[kShadeHeight + 2][kShadeWidth + 2];
};

inline __host__ __device__ int shadeBlocksAcross(int width) {
    return (width + kShadeWidth - 1) / kShadeWidth;
}
inline __host__ __device__ int shadeBlocks(int width, int height) {
    return shadeBlocksAcross(width) * ((height + kShadeHeight - 1) / kShadeHeight);
}

/// Shades part `block` of the picture, and counts the drawn pixels. Must be called by all threads of the
/// block.
__device__ inline void shadeBlock(const RasterWork& work, ShadeShared& shared, int block) {
    const Pixels pixels(work);
    const RasterView& view = work.view();
    const int x0 = block % shadeBlocksAcross(view.width) * kShadeWidth,
              y0 = block / shadeBlocksAcross(view.width) * kShadeHeight;
    const auto inPicture = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < view.width && y < view.height;
    };
    const auto thread = static_cast<int>(threadIdx.x);
    const int column = thread % kShadeWidth, row = thread / kShadeWidth, x = x0 + column, y = y0 + row;
    const bool mine = inPicture(x, y);
    const Pixel pixel = mine ? *pixels.at(x, y) : Pixel{0};
    float steps = 0;
    if (work.eyeDome) {
        constexpr int wide = kShadeWidth + 2, all = wide * (kShadeHeight + 2);
        __syncthreads(); // all threads have read the previous contents
        for (int i = thread; i < all; i += static_cast<int>(kBlockSize)) {
            const int nx = x0 + i % wide - 1, ny = y0 + i / wide - 1;
            shared.near[i / wide][i % wide] =
                inPicture(nx, ny) ? nearness(*pixels.at(nx, ny), view.orthographic) : kFarthest;
        }
        __syncthreads();
        const float own = shared.near[row + 1][column + 1];
        const auto step = [&](int dx, int dy) {
            return eyeDomeStep(own, shared.near[row + 1 + dy][column + 1 + dx]);
        };
        steps = step(1, 0) + step(-1, 0) + step(0, -1) + step(0, 1) + step(1, -1) + step(-1, -1) +
                step(1, 1) + step(-1, 1); // same order of addition as on the CPU
    }
    const int drawn = __syncthreads_count(pixel != 0);
    if (thread == 0 && drawn != 0)
        atomicAdd(&work.counts->drawnPixels, static_cast<unsigned long long>(drawn));
    if (!mine)
        return;
    std::uint32_t id = pixel == 0 ? 0 : ~static_cast<std::uint32_t>(pixel);
    if (id != 0 && !isInScene(work.scene, id)) {
        atomicAdd(&work.counts->unknown, 1u);
        id = 0;
    }
    std::uint32_t colour = pixelColour(work.scene, id, x, y);
    if (steps > 0)
        colour = scaled(colour, eyeDomeFactor(steps, work.eyeDomeStrength));
    work.image[static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
               static_cast<std::size_t>(x)] = colour;
}

} // namespace scanloupe::cuda
