#pragma once
// The sums of a pose over a scan's points, on the device; ndt_float.h says in what order.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt_climb.h"
#include "kernels/register/ndt_device.h"

#include <nv/target>

namespace scanloupe::cuda {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kAllOfWarp = 0xffffffffU;
inline constexpr unsigned kMostWarps = 32;  ///< of a block
inline constexpr unsigned kMostBlocks = 16; ///< of a cluster
static_assert(kNdtTerms == kLanes);         // lane t of a warp has term t

/// One alignment.
struct NdtDeviceJob {
    const Vec3f* points = nullptr; // [count] metres, relative to the scan's origin
    std::uint32_t count = 0;
    Vec3d middle; ///< NdtSpread::middle
    double radius = 1;
    RigidTransform start; ///< the local pose, see NdtFrame
};
/// Where it ended.
struct NdtDeviceEnd {
    RigidTransform pose;
    NdtTotals totals, wide;
    int iterations = 0;
    NdtEnd end = NdtEnd::noPoints;
};

// ---- how cells are read: `get(cell, slot)` gives the slot of a cell, if there is one

__device__ inline bool inReach(Vec3i cell) {
    const auto in = [](std::int32_t c) { return c >= -kNdtReach && c < kNdtReach; };
    return in(cell.x) && in(cell.y) && in(cell.z);
}
union SlotBits {
    uint4 parts[3];
    struct {
        std::uint64_t key;
        std::int32_t mean[3];
        float inverse[6];
        std::uint32_t cell;
    } slot;
    __device__ SlotBits() {}
};
static_assert(sizeof(SlotBits) == sizeof(NdtSlot));
__device__ inline NdtSlot slotOf(const SlotBits& bits) {
    NdtSlot slot;
    slot.key = bits.slot.key;
#pragma unroll
    for (int i = 0; i < 3; ++i)
        slot.mean[i] = bits.slot.mean[i];
#pragma unroll
    for (int i = 0; i < 6; ++i)
        slot.inverse[i] = bits.slot.inverse[i];
    slot.cell = bits.slot.cell;
    return slot;
}

struct GlobalFetch {
    __device__ bool get(const NdtTableView& map, Vec3i cell, NdtSlot& slot) const {
        const std::uint64_t key = ndtKey(cell);
        for (std::uint64_t at = ndtHash(key) & map.mask;; at = (at + 1) & map.mask) {
            const auto* from = reinterpret_cast<const uint4*>(map.entries + at);
            SlotBits bits; // all of it at once: most slots that are looked at are the one, or empty
#pragma unroll
            for (int i = 0; i < 3; ++i)
                bits.parts[i] = __ldg(from + i);
            if (bits.slot.key == key) {
                slot = slotOf(bits);
                return true;
            }
            if (bits.slot.key == kNoNdtKey)
                return false;
        }
    }
};

struct TextureFetch {
    cudaTextureObject_t texture; // uint4, three a slot
    __device__ bool get(const NdtTableView& map, Vec3i cell, NdtSlot& slot) const {
        const std::uint64_t key = ndtKey(cell);
        for (std::uint64_t at = ndtHash(key) & map.mask;; at = (at + 1) & map.mask) {
            SlotBits bits;
#pragma unroll
            for (int i = 0; i < 3; ++i)
                bits.parts[i] = tex1Dfetch<uint4>(texture, static_cast<int>(3 * at) + i);
            if (bits.slot.key == key) {
                slot = slotOf(bits);
                return true;
            }
            if (bits.slot.key == kNoNdtKey)
                return false;
        }
    }
};

/// Cells that the block's points had around them at the start, kept in shared memory; others come from the
/// table. Read only once it is filled.
struct CachedFetch {
    static constexpr unsigned kCells = 512;
    NdtSlot* cache; // [kCells], shared
    __device__ bool get(const NdtTableView& map, Vec3i cell, NdtSlot& slot) const {
        const std::uint64_t key = ndtKey(cell);
        const NdtSlot& kept = cache[ndtHash(key) % kCells];
        if (kept.key == key) {
            slot = kept;
            return true;
        }
        return GlobalFetch{}.get(map, cell, slot);
    }
    /// Takes what no other cell has taken the place of. All threads of the block have to call it, then sync.
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < kCells; i += blockDim.x)
            cache[i].key = kNoNdtKey;
        __syncthreads();
    }
    __device__ void offer(const NdtTableView& map, Vec3i cell) const {
        NdtSlot found;
        if (!GlobalFetch{}.get(map, cell, found))
            return;
        NdtSlot& place = cache[ndtHash(found.key) % kCells];
        auto* key = reinterpret_cast<unsigned long long*>(&place.key);
        if (atomicCAS(key, kNoNdtKey, found.key) != kNoNdtKey)
            return;
        for (int i = 0; i < 3; ++i)
            place.mean[i] = found.mean[i];
        for (int i = 0; i < 6; ++i)
            place.inverse[i] = found.inverse[i];
        place.cell = found.cell;
    }
};

/// As ndtNearPoint.
template <class Fetch>
__device__ std::uint32_t nearPoint(const NdtTableView& map, const Fetch& fetch, const NdtPlace& place,
                                   NdtNear<float>& near) {
    std::uint32_t best = kNoCell;
    for (int k = 0; k < map.around; ++k) {
        const Vec3i step = ndtNeighbour(k);
        const Vec3i cell = place.cell + step;
        NdtSlot slot;
        if (!inReach(cell) || !fetch.get(map, cell, slot))
            continue;
        if (ndtAddSlot(map, slot, place.inside, step, near))
            best = slot.cell;
    }
    return best;
}

// ---- sums over lanes

/// Adds up the lanes' 32 terms as a tree, halves first: lane t gets the sum of term t. A step halves the
/// terms that a lane still has, so that 31 exchanges do what 160 would.
__device__ inline double sumOverLanes(const float (&terms)[kNdtTerms]) {
    const unsigned lane = threadIdx.x % kLanes;
    double left[16];
    {
        const bool upper = (lane & 16) != 0;
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            const float give = upper ? terms[i] : terms[i + 16], keep = upper ? terms[i + 16] : terms[i];
            const float got = __shfl_xor_sync(kAllOfWarp, give, 16);
            left[i] = static_cast<double>(keep) + static_cast<double>(got);
        }
    }
#pragma unroll
    for (int half = 8; half > 0; half /= 2) {
        const bool upper = (lane & static_cast<unsigned>(half)) != 0;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            const double give = upper ? left[i] : left[i + half], keep = upper ? left[i + half] : left[i];
            const double got = __shfl_xor_sync(kAllOfWarp, give, half);
            left[i] = keep + got;
        }
    }
    return left[0];
}

/// The same tree by way of shared memory, with a room for each warp.
struct LaneRoom {
    float terms[kLanes][kLanes + 1];
};
__device__ inline double sumOverLanesShared(const float (&terms)[kNdtTerms], LaneRoom& room) {
    const unsigned lane = threadIdx.x % kLanes;
    __syncwarp();
#pragma unroll
    for (unsigned i = 0; i < kNdtTerms; ++i)
        room.terms[lane][i] = terms[i];
    __syncwarp();
    double part[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i)
        part[i] = static_cast<double>(room.terms[i][lane]) + static_cast<double>(room.terms[i + 16][lane]);
#pragma unroll
    for (unsigned half = 8; half > 0; half /= 2)
#pragma unroll
        for (unsigned i = 0; i < half; ++i)
            part[i] += part[i + half];
    return part[0];
}

/// The sums of warp `warp` of `warps` over its points: lane t gets term t. All lanes have to call it.
template <class Fetch, class Reduce>
__device__ double sumOfWarp(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                            const RigidTransform& pose, unsigned warp, unsigned warps, const Reduce& reduce) {
    const std::uint64_t stride = std::uint64_t{warps} * kLanes;
    double sum = 0;
    for (std::uint64_t first = std::uint64_t{warp} * kLanes; first < job.count; first += stride * kNdtTile) {
        float terms[kNdtTerms];
#pragma unroll
        for (float& term : terms)
            term = 0;
#pragma unroll 1
        for (unsigned k = 0; k < kNdtTile; ++k) {
            const std::uint64_t i = first + threadIdx.x % kLanes + k * stride;
            NdtPlace place;
            if (i >= job.count)
                break; // lanes meet again before they exchange
            if (!ndtPlace(map, pose, job.middle, job.points[i], place))
                continue;
            NdtNear<float> near;
            nearPoint(map, fetch, place, near);
            ndtPointSums(near, place.turned.as<float>(),
                         [&](int term, float value) { terms[term] += value; });
        }
        __syncwarp();
        sum += reduce(terms);
    }
    return sum;
}

/// Adds up a power of two of numbers, as they come, as a tree with neighbours first.
class TreeSum {
public:
    __device__ void add(double value) {
        unsigned at = 0;
        for (unsigned rest = m_count++; rest & 1; rest >>= 1)
            value = m_levels[at++] + value;
        m_levels[at] = value;
        m_top = at;
    }
    __device__ double sum() const { return m_levels[m_top]; }

private:
    double m_levels[10];
    unsigned m_count = 0, m_top = 0;
};

/// What a block needs to add up: `partial` has a row for each warp.
struct BlockSums {
    double partial[kMostWarps][kLanes + 1];
};

/// Adds up the rows of the block's warps as a tree, neighbours first. Thread `term * warps + 0` gets the sum
/// of `term`; `write(term, sum)` is called by it. All threads have to call it.
template <class Write>
__device__ void sumOverBlock(BlockSums& sums, double ofWarp, const Write& write) {
    const unsigned warps = blockDim.x / kLanes;
    sums.partial[threadIdx.x / kLanes][threadIdx.x % kLanes] = ofWarp;
    __syncthreads();
    const unsigned term = threadIdx.x / warps, row = threadIdx.x % warps; // 32 * warps threads: all of them
    double sum = sums.partial[row][term];
    for (unsigned apart = 1; apart < warps; apart *= 2) {
        const double other = __shfl_xor_sync(kAllOfWarp, sum, apart);
        sum += other;
    }
    if (row == 0)
        write(term, sum);
}

/// The sums of part `part` of `parts`, which one block is: each of its warps takes a run of the warps that
/// ndt_float.h speaks of. All threads have to call it.
template <class Fetch, class Reduce, class Write>
__device__ void sumOfBlock(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                           const RigidTransform& pose, unsigned part, unsigned parts, BlockSums& space,
                           const Reduce& reduce, const Write& write) {
    const unsigned warps = ndtWarps(job.count), mine = blockDim.x / kLanes;
    const unsigned runs = warps / (parts * mine); // each a power of two
    const unsigned first = (part * mine + threadIdx.x / kLanes) * runs;
    TreeSum sum;
    for (unsigned run = 0; run < runs; ++run)
        sum.add(sumOfWarp(map, fetch, job, pose, first + run, warps, reduce));
    sumOverBlock(space, sum.sum(), write);
}

// ---- the step, by a warp

/// As solvePositive for -H and the gradient, to the bit: lane i (i + 1) / 2 + j has what is at row i and
/// column j <= i. All lanes of one warp have to call it.
__device__ inline void solveByWarp(const NdtTotals& at, NdtSolved& solved) {
    const unsigned lane = threadIdx.x % kLanes;
    unsigned i = 0;
    while ((i + 1) * (i + 2) / 2 <= lane && i < 6)
        ++i;
    const unsigned j = lane - i * (i + 1) / 2;
    const bool has = i < 6;
    const auto place = [](unsigned row, unsigned column) { return row * (row + 1) / 2 + column; };
    double a = has ? -at.hessian(static_cast<int>(i), static_cast<int>(j)) : 0;
    double x = lane < 6 ? at.gradient(static_cast<int>(lane)) : 0; // lane k has the k-th
    bool positive = true;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        const double pivot = __shfl_sync(kAllOfWarp, a, static_cast<int>(place(k, k)));
        const double diagonal = -at.hessian(static_cast<int>(k), static_cast<int>(k));
        if (!(diagonal > 0) || !(pivot > kLeastPivot * diagonal))
            positive = false;
        if (has && j == k && i > k)
            a /= pivot;
        const bool inner = has && j > k;
        const double rowL = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(i, k) : lane));
        const double columnL = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(j, k) : lane));
        if (inner)
            a -= rowL * columnL * pivot;
        const double known = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        const bool below = lane > k && lane < 6;
        const double l = __shfl_sync(kAllOfWarp, a, static_cast<int>(below ? place(lane, k) : lane));
        if (below)
            x -= l * known;
    }
    const double pivot = __shfl_sync(kAllOfWarp, a, static_cast<int>(lane < 6 ? place(lane, lane) : 0));
    x /= pivot;
#pragma unroll
    for (unsigned k = 5; k > 0; --k) {
        const double known = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        const bool above = lane < k;
        const double l = __shfl_sync(kAllOfWarp, a, static_cast<int>(above ? place(k, lane) : lane));
        if (above)
            x -= l * known;
    }
    if (lane < 6)
        solved.x[lane] = x;
    if (lane == 0)
        solved.positive = positive;
}

// ---- clusters: by their instructions, since the headers of CUDA have them for some architectures only

__device__ inline unsigned clusterRank() {
    unsigned rank = 0;
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));))
    return rank;
}
/// All threads of all blocks of the cluster wait for each other; what they wrote to shared memory is seen.
/// Not the aligned form, which wants a warp's threads to be together.
__device__ inline void clusterBarrier() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("barrier.cluster.arrive.release;" ::
                                                      : "memory");
                                     asm volatile("barrier.cluster.wait.acquire;" ::
                                                      : "memory");))
}
/// Reads what lies at `address` in the shared memory of another block.
__device__ inline double readFromBlock(const double* address, unsigned rank) {
    double value = 0;
    NV_IF_TARGET(NV_PROVIDES_SM_90,
                 (const auto local = static_cast<unsigned>(__cvta_generic_to_shared(address));
                  unsigned remote; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                                                : "=r"(remote)
                                                : "r"(local), "r"(rank));
                  asm volatile("ld.shared::cluster.f64 %0, [%1];"
                               : "=d"(value)
                               : "r"(remote)
                               : "memory");))
    return value;
}

} // namespace scanloupe::cuda
