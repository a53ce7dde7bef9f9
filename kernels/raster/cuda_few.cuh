#pragma once
// Meshes of few triangles: without a triage of their own.
#include "kernels/raster/cuda_triangles.cuh"

namespace scanloupe::cuda {

inline constexpr std::uint32_t kRunsALane = 16; ///< from where on runs get longer

/// All triangles of a mesh that has few, for any number of blocks: a lane each, in short runs from all over
/// the mesh.
template <class Pixels>
__device__ void drawFew(const RasterWork& work, TriangleSlots& slots) {
    const std::uint32_t count = work.scene.triangles, warps = gridDim.x * kWarps;
    std::uint32_t run = 4;
    while (run < 32 && count / (2 * run) >= kRunsALane * warps)
        run *= 2;
    const std::uint32_t runs = (count + run - 1) / run, stride = 32 / run * warps;
    const std::uint32_t mine = blockIdx.x * kWarps + threadIdx.x / 32 + laneIndex() / run * warps;
    const Pixels pixels(work);
    WarpList list(slots.list);
    unsigned notFinite = 0;
    for (std::uint32_t base = 0; base < runs || !list.isEmpty(); base += stride) {
        const std::uint32_t triangle = (base + mine) * run + laneIndex() % run;
        list.add(base + mine < runs && triangle < count && mayBeSeen(work, triangle), triangle);
        if (list.isFull() || base + stride >= runs) {
            waitForEarlierWork();
            std::uint32_t listed;
            const bool has = list.take(listed);
            notFinite += drawListed(work, pixels, slots, has, listed) ? 1 : 0;
        }
    }
    waitForEarlierWork();
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
