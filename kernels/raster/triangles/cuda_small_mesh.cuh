#pragma once
// Draws small meshes in one kernel, without transforming their vertices beforehand.
#include "kernels/raster/triangles/cuda_triangles.cuh"

namespace scanloupe::cuda {

/// Shared memory of a warp that draws a small mesh.
struct SmallMeshSlots {
    TriangleSlots triangles;
    std::uint32_t list[WarpList::kCapacity];
};

/// Draws all triangles of a small mesh, with one lane per triangle. Correct for any number of blocks.
__device__ inline void drawSmallMesh(const RasterWork& work, SmallMeshSlots& slots) {
    const std::uint32_t count = work.scene.triangles;
    const ScatteredRuns runs(count, 4);
    const Pixels pixels(work);
    WarpList list(slots.list);
    unsigned notFinite = 0;
    for (std::uint32_t step = 0; step < runs.steps; ++step) {
        const std::uint32_t triangle = runs.item(step);
        list.add(triangle < count && mayBeSeen(work, triangle), triangle);
        while (list.isFull() || (step + 1 == runs.steps && !list.isEmpty())) {
            syncGridDependency(); // waits until the picture has been cleared
            std::uint32_t popped;
            const bool listed = list.pop(popped);
            const TriangleIndices index = loadIndices(work, popped);
            notFinite +=
                drawListed<ProjectedVertices>(work, pixels, slots.triangles, listed, popped, index) ? 1 : 0;
        }
    }
    syncGridDependency();
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
