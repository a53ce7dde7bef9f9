#pragma once
// Draws voxels by ray-box tests at pixel centres: small boxes row by row, medium boxes by one warp each,
// large boxes tile by tile.
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/voxels/voxel_box.h"

namespace scanloupe::cuda {

/// Projection of a voxel to the screen.
struct ProjectedVoxel {
    VoxelBox box;
    PixelBox pixels;       ///< pixels to test; may be empty
    std::uint32_t nearest; ///< upper bound of the voxel's depth keys; for a tiny voxel the depth key of its
                           ///< centre
    bool tiny;             ///< the voxel is drawn in its single pixel, even if the pixel's ray misses it
};

__device__ inline ProjectedVoxel projectVoxel(const RasterWork& work, std::uint32_t voxel) {
    const RasterView& view = work.view();
    ProjectedVoxel projected;
    projected.box = voxelBox(view, work.scene.shape, work.scene.voxelScale,
                             work.scene.shape.cell(work.scene.keys[voxel]));
    const BoxBounds bounds = boundBox(view, projected.box);
    projected.tiny = bounds.visible && bounds.tiny;
    projected.pixels = bounds.visible ? boxPixels(view, bounds) : PixelBox{0, 0, -1, -1};
    projected.nearest = depthKey(projected.tiny ? bounds.centre : bounds.nearest, view.orthographic);
    return projected;
}

template <class Box>
__device__ void testPixel(const RasterWork& work, const Pixels& pixels, const Box& box, int x, int y,
                          std::uint32_t nearest, std::uint32_t id) {
    if (pixels.keyAt(x, y) > nearest)
        return;
    const BoxHit hit = box.hit(pixelRay(work.view(), x, y));
    if (hit.depth > 0)
        pixels.draw(x, y, fragment(depthKey(hit.depth, work.view().orthographic), id));
}

/// Small voxels of a warp, one per slot, as a structure of arrays: word w of all slots is contiguous.
class SmallBoxes {
public:
    template <class Box>
    __device__ void put(unsigned slot, const Box& box, const ProjectedVoxel& projected, std::uint32_t id) {
        const auto words = std::bit_cast<Words<Box>>(box);
#pragma unroll
        for (unsigned i = 0; i < wordsOf<Box>(); ++i)
            m_words[i][slot] = words.w[i];
        // columns fit 14 bits, since pictures are at most 2^14 pixels wide
        m_words[kPlace][slot] = static_cast<std::uint32_t>(projected.pixels.minX) |
                                static_cast<std::uint32_t>(projected.pixels.minY) << 16;
        m_words[kWidth][slot] = static_cast<std::uint32_t>(projected.pixels.maxX - projected.pixels.minX);
        m_words[kNearest][slot] = projected.nearest;
        m_words[kId][slot] = id;
    }
    template <class Box>
    __device__ void drawRow(const RasterWork& work, const Pixels& pixels, unsigned slot, unsigned row) const {
        Words<Box> words;
#pragma unroll
        for (unsigned i = 0; i < wordsOf<Box>(); ++i)
            words.w[i] = m_words[i][slot];
        const auto box = __builtin_bit_cast(Box, words); // std::bit_cast would require constexpr constructors
                                                         // of Box
        const int first = static_cast<int>(m_words[kPlace][slot] & 0xffff),
                  last = first + static_cast<int>(m_words[kWidth][slot]),
                  y = static_cast<int>(m_words[kPlace][slot] >> 16) + static_cast<int>(row);
        for (int x = first; x <= last; ++x)
            testPixel(work, pixels, box, x, y, m_words[kNearest][slot], m_words[kId][slot]);
    }

private:
    template <class Box>
    __device__ static constexpr unsigned wordsOf() {
        static_assert(sizeof(Box) % 4 == 0 && sizeof(Box) / 4 <= kPlace);
        return sizeof(Box) / 4;
    }
    template <class Box>
    struct Words {
        std::uint32_t w[sizeof(Box) / 4];
    };
    enum Word { kPlace = 13, kWidth, kNearest, kId, kWords };
    std::uint32_t m_words[kWords][32];
};

/// Ray-tests a voxel, the same for all lanes, with the whole warp.
template <class Box>
__device__ void drawVoxelByWarp(const RasterWork& work, const Pixels& pixels, std::uint32_t voxel) {
    const ProjectedVoxel projected = projectVoxel(work, voxel);
    const Box box(work.view(), projected.box);
    const int lane = static_cast<int>(laneIndex());
    for (int y = projected.pixels.minY + lane / 8; y <= projected.pixels.maxY; y += 4)
        for (int x = projected.pixels.minX + lane % 8; x <= projected.pixels.maxX; x += 8)
            testPixel(work, pixels, box, x, y, projected.nearest, primitiveId(PrimitiveKind::voxel, voxel));
}

/// Draws all voxels, with one thread per voxel. Correct for any number of blocks.
template <class Box>
__device__ void drawVoxels(const RasterWork& work, SmallBoxes& slots) {
    const Pixels pixels(work);
    const std::uint32_t count = work.scene.voxels, stride = gridDim.x * kBlockSize;
    for (std::uint32_t voxel = blockIdx.x * kBlockSize + threadIdx.x; voxel - laneIndex() < count;
         voxel += stride) {
        ProjectedVoxel projected{};
        int covers = 0;
        if (voxel < count) {
            projected = projectVoxel(work, voxel);
            if (!projected.pixels.empty())
                covers = static_cast<int>(projected.pixels.count());
        }
        const std::uint32_t id = primitiveId(PrimitiveKind::voxel, voxel);
        if (covers > 0 && projected.tiny) {
            const std::uint64_t value = fragment(projected.nearest, id);
            if (pixels.keyAt(projected.pixels.minX, projected.pixels.minY) <= projected.nearest)
                pixels.draw(projected.pixels.minX, projected.pixels.minY, value);
            covers = 0;
        }
        const bool small = covers > 0 && covers <= work.maxSmallVoxelPixels;
        const bool large = covers > work.maxMediumPixels;
        const bool medium = covers > 0 && !small && !large;
        const bool mediumLeft = append(work.mediumVoxels, &work.counts->mediumVoxels, medium, voxel);
        const bool largeLeft = append(work.largeVoxels, &work.counts->largeVoxels, large, voxel);
        const unsigned which = __ballot_sync(kAllLanes, small);
        if (which != 0) {
            if (small)
                slots.put(static_cast<unsigned>(__popc(which & lanesBefore())),
                          Box(work.view(), projected.box), projected, id);
            __syncwarp();
            balanceOverWarp(small ? static_cast<unsigned>(projected.pixels.maxY - projected.pixels.minY + 1)
                                  : 0u,
                            [&](bool has, unsigned slot, unsigned row) {
                                if (has)
                                    slots.template drawRow<Box>(work, pixels, slot, row);
                            });
            __syncwarp();
        }
        unsigned left = __ballot_sync(kAllLanes, mediumLeft || largeLeft);
        if (left != 0 && laneIndex() == 0)
            atomicAdd(&work.counts->drawnInline, static_cast<unsigned long long>(__popc(left)));
        for (; left != 0; left &= left - 1)
            drawVoxelByWarp<Box>(work, pixels,
                                 __shfl_sync(kAllLanes, voxel, __ffs(static_cast<int>(left)) - 1));
    }
}

inline constexpr int kVoxelTileWidth = 128, kVoxelTileHeight = 64; ///< pixels

/// Draws the queued voxels: one warp per medium voxel, one block per tile of a large one. Correct for any
/// number of blocks.
template <class Box>
__device__ void drawWaitingVoxels(const RasterWork& work) {
    const Pixels pixels(work);
    const RasterView& view = work.view();
    const std::uint32_t mediums = ::min(work.counts->mediumVoxels, work.mediumVoxels.capacity),
                        larges = ::min(work.counts->largeVoxels, work.largeVoxels.capacity);
    for (std::uint32_t i = blockIdx.x * kWarps + threadIdx.x / 32; i < mediums; i += gridDim.x * kWarps)
        drawVoxelByWarp<Box>(work, pixels, work.mediumVoxels.items[i]);
    const auto columns = static_cast<std::uint32_t>((view.width + kVoxelTileWidth - 1) / kVoxelTileWidth),
               rows = static_cast<std::uint32_t>((view.height + kVoxelTileHeight - 1) / kVoxelTileHeight);
    const std::uint64_t parts = std::uint64_t{larges} * (columns * rows);
    for (std::uint64_t part = blockIdx.x; part < parts; part += gridDim.x) {
        const std::uint32_t voxel = work.largeVoxels.items[part / (columns * rows)];
        const auto tile = static_cast<std::uint32_t>(part % (columns * rows));
        const int x0 = static_cast<int>(tile % columns) * kVoxelTileWidth,
                  y0 = static_cast<int>(tile / columns) * kVoxelTileHeight;
        const ProjectedVoxel projected = projectVoxel(work, voxel);
        const int minX = ::max(x0, projected.pixels.minX),
                  maxX = ::min(x0 + kVoxelTileWidth - 1, projected.pixels.maxX);
        const int minY = ::max(y0, projected.pixels.minY),
                  maxY = ::min(y0 + kVoxelTileHeight - 1, projected.pixels.maxY);
        if (minX > maxX || minY > maxY)
            continue;
        const Box box(view, projected.box);
        for (int y = minY + static_cast<int>(threadIdx.x / 32); y <= maxY; y += static_cast<int>(kWarps))
            for (int x = minX + static_cast<int>(laneIndex()); x <= maxX; x += 32)
                testPixel(work, pixels, box, x, y, projected.nearest,
                          primitiveId(PrimitiveKind::voxel, voxel));
    }
}

} // namespace scanloupe::cuda
