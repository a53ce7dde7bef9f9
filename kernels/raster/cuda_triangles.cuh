#pragma once
// Triangles that have to be drawn as they are on the CPU, then those that wait for clipping or for a warp of
// their own.
#include "kernels/raster/cuda_cover.cuh"
#include "kernels/raster/triangle_clip.h"

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

/// The quick look at a triangle by itself. @returns false for what draws nothing
__device__ inline bool mayBeSeen(const RasterWork& work, std::uint32_t triangle) {
    const TriangleIndices index = loadIndices(work, triangle);
    if (::max(index.v[0], ::max(index.v[1], index.v[2])) >= work.vertices)
        return true; // the exact look tells
    const bool orthographic = work.view().orthographic;
    const auto reciprocal = [orthographic](float z) { return orthographic ? 1.0f : QuickReciprocal{}(z); };
    FastCorner c[3];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        c[i] = fastCorner<false>(work.view(), work.fast, work.scene.positions[index.v[i]], reciprocal);
    return !isSurelyInvisible(work.fast, c[0], c[1], c[2], work.backFaces);
}

/// Whether a triangle with corners that can't be drawn as they are has to be clipped. Apart from the rest, as
/// the next two, for the many registers of its double precision.
static __device__ __noinline__ bool needsClipping(const RasterWork& work, std::uint32_t triangle) {
    const TriangleIndices index = loadIndices(work, triangle);
    Vec3f corners[3];
    loadCorners(work, index.v, corners);
    return !isClearlyOutside(work.view(), corners);
}
/// Clips a triangle.
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
/// Draws a triangle that found the queue for clipping full.
template <class Pixels>
__device__ __noinline__ void drawClipped(const RasterWork& work, std::uint32_t triangle) {
    const Pixels pixels(work);
    const RasterView& view = work.view();
    ScreenVertex fan[kClipVertices];
    const int count = clippedFan(work, triangle, fan);
    for (int i = 2; i < count; ++i) {
        TriangleSetup t;
        if (!setupTriangle(fan[0], fan[i - 1], fan[i], view.width, view.height, work.backFaces, t))
            continue;
        coverTriangle<std::int64_t>(t, t.box.minY, t.box.maxY, [&](int x, int y, float depth) {
            pixels.draw(
                x, y,
                fragment(depthKey(depth, view.orthographic), primitiveId(PrimitiveKind::triangle, triangle)));
        });
    }
}

/// Projects a warp's triangles, sets them up and draws or queues them. @returns whether this lane's has a
/// corner that is not finite
template <class Pixels>
__device__ bool drawListed(const RasterWork& work, const Pixels& pixels, TriangleSlots& slots, bool listed,
                           std::uint32_t triangle) {
    const RasterView& view = work.view();
    TriangleSetup t{};
    bool drawable = false, clipped = false, notFinite = false;
    TriangleIndices index{};
    bool there = false; // all its vertices
    if (listed) {
        index = loadIndices(work, triangle);
        there = ::max(index.v[0], ::max(index.v[1], index.v[2])) < work.vertices;
        if (!there)
            atomicMin(&work.counts->missingVertex, triangle);
    }
    if (there) {
        Vec3f corners[3];
        loadCorners(work, index.v, corners);
        const ScreenVertex a = projectVertex(view, corners[0]), b = projectVertex(view, corners[1]),
                           c = projectVertex(view, corners[2]);
        const auto states = static_cast<unsigned>(a.state | b.state | c.state);
        if (states == ScreenVertex::drawable)
            drawable = setupTriangle(a, b, c, view.width, view.height, work.backFaces, t);
        else if (states & ScreenVertex::notFinite)
            notFinite = true;
        else
            clipped = needsClipping(work, triangle);
    }
    drawOrQueue(work, pixels, slots, drawable, t, primitiveId(PrimitiveKind::triangle, triangle), true);
    if (__any_sync(kAllLanes, clipped)) {
        const bool left = append(work.clip, &work.counts->clip, clipped, triangle);
        if (left)
            drawClipped<Pixels>(work, triangle);
        __syncwarp();
        addOverWarp(&work.counts->drawnInline, left ? 1u : 0u);
    }
    return notFinite;
}

/// Triangles that wait for clipping, a thread each, then those that wait for a warp.
template <class Pixels>
__device__ void drawWaiting(const RasterWork& work, TriangleSlots& slots) {
    const Pixels pixels(work);
    const RasterView& view = work.view();
    const std::uint32_t clips = ::min(work.counts->clip, work.clip.room),
                        mediums = ::min(work.counts->medium, work.medium.room);
    const std::uint32_t warp = blockIdx.x * kWarps + threadIdx.x / 32, warps = gridDim.x * kWarps;
    for (std::uint64_t base = std::uint64_t{warp} * 32; base < clips; base += std::uint64_t{warps} * 32) {
        const bool has = base + laneIndex() < clips;
        std::uint32_t triangle = 0;
        ScreenVertex fan[kClipVertices];
        int count = 0;
        if (has) {
            triangle = work.clip.items[base + laneIndex()];
            count = clippedFan(work, triangle, fan);
        }
        for (int i = 2; __any_sync(kAllLanes, i < count); ++i) {
            TriangleSetup t{};
            bool drawable = false;
            if (i < count)
                drawable =
                    setupTriangle(fan[0], fan[i - 1], fan[i], view.width, view.height, work.backFaces, t);
            drawOrQueue(work, pixels, slots, drawable, t, primitiveId(PrimitiveKind::triangle, triangle),
                        false);
        }
    }
    for (std::uint32_t i = warp; i < mediums; i += warps)
        drawByWarp(pixels, work.medium.items[i].setup, work.medium.items[i].id, view.orthographic);
}

} // namespace scanloupe::cuda
