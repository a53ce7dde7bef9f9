#pragma once
// Triangles: the triage of all, then those that wait for clipping or for a warp of their own.
#include "kernels/raster/cuda_cover.cuh"
#include "kernels/raster/cuda_fast.cuh"
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

/// The triage, for any number of blocks: a thread a triangle finds what can't be seen. Bits of the rest go to
/// `work.visible`, so that nothing can run over, and this loop has its registers for itself.
template <bool Orthographic>
__device__ void triageTriangles(const RasterWork& work) {
    const std::uint32_t count = work.scene.triangles; // below 2^30: steps do not run over
    const std::uint32_t stride = gridDim.x * kBlockSize;
    std::uint32_t triangle = blockIdx.x * kBlockSize + threadIdx.x;
    TriangleIndices ahead{};
    if (triangle < count)
        ahead = loadIndices(work, triangle);
    for (; triangle - laneIndex() < count; triangle += stride) {
        const TriangleIndices index = ahead;
        if (triangle + stride < count)
            ahead = loadIndices(work, triangle + stride);
        bool look = triangle < count;
        if (look) {
            if (::max(index.v[0], ::max(index.v[1], index.v[2])) < work.vertices) {
                Vec3f corners[3];
                loadCorners(work, index.v, corners);
                look = !isSurelyInvisible<Orthographic>(work.view(), work.fast, corners, work.backFaces,
                                                        QuickReciprocal{});
            } else {
                atomicMin(&work.counts->missingVertex, triangle);
                look = false;
            }
        }
        const unsigned looks = __ballot_sync(kAllLanes, look);
        if (laneIndex() == 0)
            work.visible[triangle / 32] = looks;
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
    if (listed) {
        const TriangleIndices index = loadIndices(work, triangle);
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

/// Words of 32 triangles' bits that a warp takes at once: as many as leave some for each warp.
__device__ inline std::uint32_t wordsAtOnce(std::uint32_t triangles) {
    const std::uint32_t each = (triangles + 31) / 32 / (gridDim.x * kWarps);
    return each < 1 ? 1 : each > 32 ? 32 : each;
}

/// What the triage has left, for any number of blocks: collected until it fills warps.
/// @param words of bits that a warp takes at once, 1 to 32
template <class Pixels>
__device__ void drawVisible(const RasterWork& work, TriangleSlots& slots, std::uint32_t words) {
    const Pixels pixels(work);
    WarpList list(slots.list);
    unsigned notFinite = 0;
    const auto drawList = [&] {
        std::uint32_t triangle;
        const bool listed = list.take(triangle);
        notFinite += drawListed(work, pixels, slots, listed, triangle) ? 1 : 0;
    };
    const std::uint32_t all = (work.scene.triangles + 31) / 32, stride = gridDim.x * kWarps * words;
    for (std::uint32_t first = (blockIdx.x * kWarps + threadIdx.x / 32) * words; first < all;
         first += stride) {
        const std::uint32_t mine = first + laneIndex();
        const unsigned bits = laneIndex() < words && mine < all ? work.visible[mine] : 0u;
        for (unsigned left = __ballot_sync(kAllLanes, bits != 0); left != 0; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1;
            const unsigned word = __shfl_sync(kAllLanes, bits, from);
            list.add((word >> laneIndex() & 1u) != 0,
                     (first + static_cast<std::uint32_t>(from)) * 32 + laneIndex());
            if (list.isFull())
                drawList();
        }
    }
    if (!list.isEmpty())
        drawList();
    addOverWarp(&work.counts->notFinite, notFinite);
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
