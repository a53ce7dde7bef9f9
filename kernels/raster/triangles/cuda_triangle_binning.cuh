#pragma once
// Draws large meshes without clusters: projects each vertex once, bins the triangles by how many pixels they
// may cover (none, one, or more), and draws each bin.
#include "kernels/raster/triangles/cuda_triangles.cuh"

namespace scanloupe::cuda {

/// Projects all vertices, two per thread, such that the vertices of a warp are contiguous. Correct for any
/// number of blocks.
__device__ inline void projectVertices(const RasterWork& work) {
    const std::uint32_t pairs = work.vertices / 2, stride = gridDim.x * kBlockSize;
    const auto* const from = reinterpret_cast<const float2*>(work.scene.positions);
    auto* const to = reinterpret_cast<int4*>(work.screenPositions);
#pragma unroll 2
    for (std::uint32_t pair = blockIdx.x * kBlockSize + threadIdx.x; pair < pairs; pair += stride) {
        const float2* two = from + 3 * std::size_t{pair};
        const float2 a = __ldcs(two), b = __ldcs(two + 1), c = __ldcs(two + 2);
        const ScreenPosition first = screenPosition(work.view(), {a.x, a.y, b.x}),
                             second = screenPosition(work.view(), {b.y, c.x, c.y});
        to[pair] = {first.x, first.y, second.x, second.y};
    }
    if (work.vertices % 2 != 0 && blockIdx.x == 0 && threadIdx.x == 0)
        work.screenPositions[work.vertices - 1] =
            screenPosition(work.view(), work.scene.positions[work.vertices - 1]);
}
__device__ inline ScreenPosition loadScreenPosition(const RasterWork& work, std::uint32_t vertex) {
    const int2 place = reinterpret_cast<const int2*>(work.screenPositions)[vertex];
    return {place.x, place.y};
}

/// Reads the screen positions that projectVertices() has computed.
struct PreprojectedVertices {
    __device__ static ScreenVertex at(const RasterWork& work, std::uint32_t vertex) {
        return vertexAt(work.view(), loadScreenPosition(work, vertex), work.scene.positions[vertex]);
    }
};

/// Capacity of a warp's list of triangles that may cover several pixels. The list is moved to
/// `work.multiPixel` when 32 more triangles might not fit.
inline constexpr unsigned kMultiPixelCapacity = 96;

/// A triangle with its vertex indices, kept so that they need not be loaded again.
struct alignas(16) Candidate {
    std::uint32_t triangle;
    TriangleIndices index;
};
using CandidateList = WarpListOf<Candidate>;

/// Shared memory of a warp that bins triangles.
struct BinningSlots {
    Candidate candidates[CandidateList::kCapacity], singles[CandidateList::kCapacity];
    std::uint32_t multiPixel[kMultiPixelCapacity];
};
/// Shared memory of a block that bins triangles.
struct BinningShared {
    BinningSlots slots[kWarps];
    std::uint32_t ends[kWarps]; ///< number of each warp's triangles, then end of their range in
                                ///< `work.multiPixel`
};

/// Lists of a warp's triangles that may draw something. Each stage collects triangles until they fill the
/// warp.
class TriangleBins {
public:
    __device__ TriangleBins(const RasterWork& work, BinningSlots& slots)
        : m_work(work), m_pixels(work), m_candidates(slots.candidates), m_singles(slots.singles),
          m_multiPixel(slots.multiPixel) {}

    /// Adds a triangle per lane. Must be called by all lanes.
    __device__ void add(bool has, const Candidate& candidate) {
        m_candidates.add(has, candidate);
        if (m_candidates.isFull())
            classify();
    }
    /// Processes the listed triangles, except those that may cover several pixels. @returns the list of the
    /// latter
    __device__ WarpList& finish() {
        if (!m_candidates.isEmpty())
            classify();
        if (!m_singles.isEmpty())
            drawSingles();
        return m_multiPixel;
    }

private:
    __device__ void classify() {
        const RasterView& view = m_work.view();
        Candidate c;
        const bool has = m_candidates.pop(c);
        const TriangleIndices& index = c.index;
        // missing vertices are reported later, by drawMultiPixel()
        TriangleCoverage coverage = TriangleCoverage::unknown;
        if (has && ::max(index.v[0], ::max(index.v[1], index.v[2])) < m_work.vertices)
            coverage = triangleCoverage(
                loadScreenPosition(m_work, index.v[0]), loadScreenPosition(m_work, index.v[1]),
                loadScreenPosition(m_work, index.v[2]), view.width, view.height, m_work.backFaces);
        m_singles.add(has && coverage == TriangleCoverage::single, c);
        m_multiPixel.add(has && coverage == TriangleCoverage::unknown, c.triangle);
        if (m_singles.isFull())
            drawSingles();
        if (m_multiPixel.count() > kMultiPixelCapacity - 32) {
            std::uint32_t end = 0;
            if (laneIndex() == 0)
                end = atomicAdd(&m_work.counts->multiPixel, m_multiPixel.count());
            m_multiPixel.moveTo(m_work.multiPixel + __shfl_sync(kAllLanes, end, 0));
        }
    }
    __device__ void drawSingles() {
        const RasterView& view = m_work.view();
        Candidate c;
        if (!m_singles.pop(c))
            return;
        const SingleFragment f = singleFragment(PreprojectedVertices::at(m_work, c.index.v[0]),
                                                PreprojectedVertices::at(m_work, c.index.v[1]),
                                                PreprojectedVertices::at(m_work, c.index.v[2]));
        m_pixels.draw(
            f.x, f.y,
            fragment(depthKey(f.depth, view.orthographic), primitiveId(PrimitiveKind::triangle, c.triangle)));
    }

    const RasterWork& m_work;
    const Pixels m_pixels;
    CandidateList m_candidates, m_singles;
    WarpList m_multiPixel;
};

/// Bins the triangles; each thread culls two of them at a time. Must be called by all threads of a block.
/// Correct for any number of blocks.
__device__ inline void binTriangles(const RasterWork& work, BinningShared& shared) {
    const int width = work.view().width, height = work.view().height;
    const std::uint32_t count = work.scene.triangles, pairs = count / 2, stride = gridDim.x * kBlockSize;
    const unsigned warp = threadIdx.x / 32;
    TriangleBins lists(work, shared.slots[warp]);
    struct Pair {
        uint2 a, b, c;
    };
    const auto load = [&](std::uint32_t pair) {
        const auto* const from = reinterpret_cast<const uint2*>(work.scene.indices) + 3 * std::size_t{pair};
        return Pair{__ldcs(from), __ldcs(from + 1), __ldcs(from + 2)};
    };
    // Proceeds from the last triangle to the first: the vertices that were projected last are the most likely
    // to be cached.
    std::uint32_t left = pairs - ::min(pairs, blockIdx.x * kBlockSize + threadIdx.x - laneIndex());
    // the index wraps around, and is ignored, if there is no pair
    const auto place = [&](std::uint32_t end) { return end - 1 - laneIndex(); };
    Pair ahead{};
    if (place(left) < pairs)
        ahead = load(place(left));
    while (left != 0) {
        const std::uint32_t pair = place(left);
        const Pair v = ahead;
        left -= ::min(left, stride);
        if (place(left) < pairs)
            ahead = load(place(left));
        bool first = pair < pairs, second = first;
        const std::uint32_t largest =
            ::max(::max(::max(v.a.x, v.a.y), v.b.x), ::max(::max(v.b.y, v.c.x), v.c.y));
        if (first && largest < work.vertices) { // missing vertices are reported later, by drawMultiPixel()
            const ScreenPosition p[6] = {loadScreenPosition(work, v.a.x), loadScreenPosition(work, v.a.y),
                                         loadScreenPosition(work, v.b.x), loadScreenPosition(work, v.b.y),
                                         loadScreenPosition(work, v.c.x), loadScreenPosition(work, v.c.y)};
            first = !isCulled(p[0], p[1], p[2], width, height, work.backFaces);
            second = !isCulled(p[3], p[4], p[5], width, height, work.backFaces);
        }
        if (!__any_sync(kAllLanes, first || second))
            continue;
        lists.add(first, {2 * pair, {v.a.x, v.a.y, v.b.x}});
        lists.add(second, {2 * pair + 1, {v.b.y, v.c.x, v.c.y}});
    }
    WarpList& multiPixel = lists.finish();
    // an odd last triangle is added without culling
    multiPixel.add(count % 2 != 0 && blockIdx.x == 0 && threadIdx.x == 0, count - 1);
    // appends the remaining triangles of the warps' lists, with one atomic operation per block
    if (laneIndex() == 0)
        shared.ends[warp] = multiPixel.count();
    __syncthreads();
    if (threadIdx.x == 0) {
        std::uint32_t all = 0;
        for (const std::uint32_t own : shared.ends)
            all += own;
        std::uint32_t end = all != 0 ? atomicAdd(&work.counts->multiPixel, all) : 0;
        for (std::uint32_t& of : shared.ends) {
            const std::uint32_t own = of;
            of = end;
            end += own;
        }
    }
    __syncthreads();
    multiPixel.moveTo(work.multiPixel + shared.ends[warp]);
}

/// Draws the triangles that may cover several pixels. Correct for any number of blocks.
__device__ inline void drawMultiPixel(const RasterWork& work, TriangleSlots& slots) {
    const Pixels pixels(work);
    const std::uint32_t multiPixel = work.counts->multiPixel, warps = gridDim.x * kWarps;
    unsigned notFinite = 0;
    for (std::uint32_t base = (blockIdx.x * kWarps + threadIdx.x / 32) * 32; base < multiPixel;
         base += 32 * warps) {
        const std::uint32_t place = base + laneIndex();
        const bool has = place < multiPixel;
        const std::uint32_t triangle = has ? work.multiPixel[place] : 0;
        const TriangleIndices index = loadIndices(work, triangle);
        notFinite += drawListed<PreprojectedVertices>(work, pixels, slots, has, triangle, index) ? 1 : 0;
    }
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
