#pragma once
// All triangles of a large mesh: its vertices by the quick way, the triage of its triangles, and those that
// are left.
#include "kernels/raster/cuda_triangles.cuh"

namespace scanloupe::cuda {

/// The quick way to the screen for all vertices, for any number of blocks.
template <bool Orthographic>
__device__ void placeCorners(const RasterWork& work) {
    const std::uint32_t groups = (work.vertices + kLoadedAtOnce - 1) / kLoadedAtOnce,
                        stride = gridDim.x * kBlockSize;
    const bool wide = canLoadWide(work.scene.positions);
    for (std::uint32_t group = blockIdx.x * kBlockSize + threadIdx.x; group < groups; group += stride) {
        Vec3f positions[kLoadedAtOnce];
        loadAtOnce(work.scene.positions, work.vertices, group, wide, positions);
        FastCorner corners[kLoadedAtOnce];
#pragma unroll
        for (int k = 0; k < kLoadedAtOnce; ++k)
            corners[k] = fastCorner<Orthographic>(work.view(), work.fast, positions[k], QuickReciprocal{});
        auto* const to = reinterpret_cast<float4*>(work.corners + std::size_t{group} * kLoadedAtOnce);
        to[0] = {corners[0].x, corners[0].y, corners[1].x, corners[1].y}; // there is room for the last ones
        to[1] = {corners[2].x, corners[2].y, corners[3].x, corners[3].y};
    }
}

struct PairIndices {
    std::uint32_t v[6];
};
/// The corners of triangles 2 * `pair` and the one after it; of the first twice where there is none.
__device__ inline PairIndices loadPair(const RasterWork& work, std::uint32_t pair) {
    const std::uint32_t* index = work.scene.indices + 6 * static_cast<std::size_t>(pair);
    if (2 * pair + 1 < work.scene.triangles) {
        const auto* two = reinterpret_cast<const uint2*>(index);
        const uint2 a = __ldg(two), b = __ldg(two + 1), c = __ldg(two + 2);
        return {{a.x, a.y, b.x, b.y, c.x, c.y}};
    }
    const std::uint32_t a = index[0], b = index[1], c = index[2];
    return {{a, b, c, a, b, c}};
}

__device__ inline FastCorner loadCorner(const RasterWork& work, std::uint32_t vertex) {
    const float2 corner = reinterpret_cast<const float2*>(work.corners)[vertex];
    return {corner.x, corner.y};
}

/// The triage, for any number of blocks: a thread for two triangles finds what can't be seen. Bits of the
/// rest go to `work.visible`, so that nothing can run over, and this loop has its registers for itself: a
/// word of a warp's first triangles, then one of its second. Triangles that name a vertex that is not there
/// are left to the exact look.
__device__ inline void triageTriangles(const RasterWork& work) {
    const std::uint32_t count = work.scene.triangles; // below 2^30: steps do not run over
    const std::uint32_t pairs = (count + 1) / 2, stride = gridDim.x * kBlockSize;
    std::uint32_t pair = blockIdx.x * kBlockSize + threadIdx.x;
    PairIndices ahead{};
    if (pair < pairs)
        ahead = loadPair(work, pair);
    for (; pair - laneIndex() < pairs; pair += stride) {
        const PairIndices index = ahead;
        if (pair + stride < pairs)
            ahead = loadPair(work, pair + stride);
        bool first = false, second = false;
        if (pair < pairs) {
            const std::uint32_t largest = ::max(::max(::max(index.v[0], index.v[1]), index.v[2]),
                                                ::max(::max(index.v[3], index.v[4]), index.v[5]));
            first = second = true;
            if (largest < work.vertices) {
                FastCorner c[6];
#pragma unroll
                for (int i = 0; i < 3; ++i)
                    c[i] = loadCorner(work, index.v[i]);
#pragma unroll
                for (int i = 3; i < 6; ++i) { // most are the first one's, and loads are what this waits for
                    const std::uint32_t v = index.v[i];
                    const bool isFirst = v == index.v[0], isSecond = v == index.v[1],
                               isThird = v == index.v[2];
                    FastCorner own{};
                    if (!(isFirst | isSecond | isThird))
                        own = loadCorner(work, v);
                    c[i].x = isFirst ? c[0].x : isSecond ? c[1].x : isThird ? c[2].x : own.x;
                    c[i].y = isFirst ? c[0].y : isSecond ? c[1].y : isThird ? c[2].y : own.y;
                }
                first = !isSurelyInvisible(work.fast, c[0], c[1], c[2], work.backFaces);
                second = !isSurelyInvisible(work.fast, c[3], c[4], c[5], work.backFaces);
            }
        }
        const unsigned firsts = __ballot_sync(kAllLanes, first),
                       seconds = __ballot_sync(kAllLanes, second && 2 * pair + 1 < count);
        if (laneIndex() == 0)
            reinterpret_cast<uint2*>(work.visible)[pair / 32] = {firsts, seconds};
    }
}

inline constexpr std::uint32_t kMostLog2Parts = 3; ///< of a word of 32 triangles' bits
inline constexpr std::uint32_t kPartsAWarp = 8;    ///< where there are few words

/// What the triage has left, for any number of blocks: collected until it fills warps. Each warp takes words
/// from all over the mesh, since triangles that lie together are seen together.
template <class Pixels>
__device__ void drawVisible(const RasterWork& work, TriangleSlots& slots) {
    const Pixels pixels(work);
    WarpList list(slots.list);
    unsigned notFinite = 0;
    const auto drawList = [&] {
        std::uint32_t triangle;
        const bool listed = list.take(triangle);
        notFinite += drawListed(work, pixels, slots, listed, triangle) ? 1 : 0;
    };
    const std::uint32_t words = (work.scene.triangles + 63) / 64 * 2, warps = gridDim.x * kWarps;
    std::uint32_t log2Parts = 0;
    while (log2Parts < kMostLog2Parts && words << (log2Parts + 1) <= kPartsAWarp * warps)
        ++log2Parts;
    const std::uint32_t all = words << log2Parts, partLanes = 32u >> log2Parts;
    // A lane's words lie in a run of one for each warp. Runs of large meshes begin elsewhere for each lane:
    // where vertices form a lattice, a warp would have words of one column only.
    std::uint32_t shifted = blockIdx.x * kWarps + threadIdx.x / 32;
    if (all > 32 * warps) {
        shifted += warps / 32 * laneIndex();
        shifted -= shifted < warps ? 0 : warps;
    }
    shifted += laneIndex() * warps;
    for (std::uint32_t base = 0; base < all; base += 32 * warps) {
        const std::uint32_t mine = base + shifted, word = mine >> log2Parts;
        unsigned bits = 0;
        if (mine < all) {
            const unsigned part = mine & ((1u << log2Parts) - 1);
            bits = work.visible[word] & kAllLanes >> (32 - partLanes) << part * partLanes;
        }
        const unsigned some = __ballot_sync(kAllLanes, bits != 0);
        if (largestOverWarp(static_cast<unsigned>(__popc(bits))) <
            static_cast<unsigned>(__popc(some))) { // a triangle of each word at a time
            const std::uint32_t from = word / 2 * 64 + word % 2;
            while (__any_sync(kAllLanes, bits != 0)) {
                list.add(bits != 0, from + 2 * (static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1));
                bits &= bits - 1;
                if (list.isFull())
                    drawList();
            }
        } else { // a word at a time
            for (unsigned left = some; left != 0; left &= left - 1) {
                const int from = __ffs(static_cast<int>(left)) - 1;
                const unsigned bitsThere = __shfl_sync(kAllLanes, bits, from);
                const std::uint32_t there = __shfl_sync(kAllLanes, word, from);
                list.add((bitsThere >> laneIndex() & 1u) != 0, there / 2 * 64 + laneIndex() * 2 + there % 2);
                if (list.isFull())
                    drawList();
            }
        }
    }
    if (!list.isEmpty())
        drawList();
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
