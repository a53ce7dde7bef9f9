#pragma once
// Sets up, clips and draws the triangles that may cover several pixels, with the same result as on the CPU.
#include "kernels/raster/triangles/cuda_cover.cuh"
#include "kernels/raster/triangles/triangle_clip.h"
#include "kernels/raster/triangles/triangle_coverage.h"

namespace scanloupe::cuda {

__device__ inline void loadCorners(const RasterWork& work, const std::uint32_t (&index)[3],
                                   Vec3f (&corners)[3]) {
#pragma unroll
    for (int i = 0; i < 3; ++i)
        corners[i] = work.scene.positions[index[i]];
}

struct TriangleIndices {
    std::uint32_t v[3];
};
__device__ inline TriangleIndices loadIndices(const RasterWork& work, std::uint32_t triangle) {
    const std::uint32_t* index = work.scene.indices + 3 * static_cast<std::size_t>(triangle);
    return {{__ldg(index), __ldg(index + 1), __ldg(index + 2)}};
}

/// Tests a single triangle conservatively. @returns false for a triangle that certainly draws nothing
__device__ inline bool mayBeSeen(const RasterWork& work, std::uint32_t triangle) {
    const TriangleIndices index = loadIndices(work, triangle);
    if (::max(index.v[0], ::max(index.v[1], index.v[2])) >= work.vertices)
        return true; // missing vertices are reported when the triangle is drawn
    const bool orthographic = work.view().orthographic;
    const auto reciprocal = [orthographic](float z) {
        return orthographic ? 1.0f : ApproximateReciprocal{}(z);
    };
    ApproximateCorner c[3];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        c[i] = approximateCorner<false>(work.view(), work.cull, work.scene.positions[index.v[i]], reciprocal);
    return !isConservativelyCulled(work.cull, c[0], c[1], c[2], work.backFaces);
}

/// Returns whether a triangle with corners that are not drawable must be clipped. This function and the next
/// are not inlined, since double precision takes many registers.
static __device__ __noinline__ bool needsClipping(const RasterWork& work, std::uint32_t triangle) {
    const TriangleIndices index = loadIndices(work, triangle);
    Vec3f corners[3];
    loadCorners(work, index.v, corners);
    return !isClearlyOutside(work.view(), corners);
}
/// Clips a triangle. @param fan receives the corners of the drawable part @returns their number
static __device__ __noinline__ int clippedFan(const RasterWork& work, std::uint32_t triangle,
                                              ScreenVertex* fan) {
    const TriangleIndices index = loadIndices(work, triangle);
    Vec3f corners[3];
    loadCorners(work, index.v, corners);
    ScreenVertex screen[3];
    for (int i = 0; i < 3; ++i)
        screen[i] = projectVertex(work.view(), corners[i]);
    return clipTriangle(work.view(), corners, screen, fan);
}
/// Draws or queues the clipped triangles of the lanes with `clipped`, as fans. Must be called by all lanes.
__device__ inline __noinline__ void drawClipped(const RasterWork& work, TriangleSlots& slots, bool clipped,
                                                std::uint32_t triangle) {
    const Pixels pixels(work);
    const RasterView& view = work.view();
    ScreenVertex fan[kClipVertices];
    const int count = clipped ? clippedFan(work, triangle, fan) : 0;
    for (int i = 2; __any_sync(kAllLanes, i < count); ++i) {
        TriangleSetup t{};
        bool drawable = false;
        if (i < count)
            drawable = setupTriangle(fan[0], fan[i - 1], fan[i], view.width, view.height, work.backFaces, t);
        drawOrQueue(work, pixels, slots, drawable, t, primitiveId(PrimitiveKind::triangle, triangle));
    }
}

/// Projects vertices when they are read.
struct ProjectedVertices {
    __device__ static ScreenVertex at(const RasterWork& work, std::uint32_t vertex) {
        return projectVertex(work.view(), work.scene.positions[vertex]);
    }
};

/// Sets up a triangle per lane and draws or queues it. Must be called by all lanes. @param index vertex
/// indices of the lane's triangle
/// @returns whether this lane's triangle has a corner that is not finite
template <class Vertices>
__device__ bool drawListed(const RasterWork& work, const Pixels& pixels, TriangleSlots& slots, bool listed,
                           std::uint32_t triangle, const TriangleIndices& index) {
    const RasterView& view = work.view();
    TriangleSetup t{};
    bool drawable = false, clipped = false, notFinite = false;
    bool there = false; // whether all vertices of the triangle exist
    if (listed) {
        there = ::max(index.v[0], ::max(index.v[1], index.v[2])) < work.vertices;
        if (!there)
            atomicMin(&work.counts->missingVertex, triangle);
    }
    if (there) {
        const ScreenVertex a = Vertices::at(work, index.v[0]), b = Vertices::at(work, index.v[1]),
                           c = Vertices::at(work, index.v[2]);
        const auto states = static_cast<unsigned>(a.state | b.state | c.state);
        if (states == ScreenVertex::drawable)
            drawable = setupTriangle(a, b, c, view.width, view.height, work.backFaces, t);
        else if (states & ScreenVertex::notFinite)
            notFinite = true;
        else
            clipped = needsClipping(work, triangle);
    }
    drawOrQueue(work, pixels, slots, drawable, t, primitiveId(PrimitiveKind::triangle, triangle));
    if (__any_sync(kAllLanes, clipped))
        drawClipped(work, slots, clipped, triangle);
    return notFinite;
}

/// Draws the triangles that are queued for a warp. Correct for any number of blocks.
__device__ inline void drawMediums(const RasterWork& work) {
    const Pixels pixels(work);
    const std::uint32_t mediums = ::min(work.counts->medium, work.medium.capacity),
                        warp = blockIdx.x * kWarps + threadIdx.x / 32, warps = gridDim.x * kWarps;
    for (std::uint32_t i = warp; i < mediums; i += warps)
        drawByWarp(pixels, work.medium.items[i].setup, work.medium.items[i].id, work.view().orthographic);
}

} // namespace scanloupe::cuda
