#pragma once
// The sums of a pose over a scan's points, on the device; ndt_float.h says in what order.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt_climb.h"
#include "kernels/register/ndt_device.h"

#include <nv/target>

namespace scanloupe::cuda {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kAllOfWarp = 0xffffffffU;
inline constexpr unsigned kMostWarps = 8;   ///< of a block
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

// ---- how cells are read: `load(map, index, bits)` gives the slot of a cell

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
    __device__ void load(const NdtTableView& map, std::uint32_t index, SlotBits& bits) const {
        const auto* from = reinterpret_cast<const uint4*>(map.cellSlots + index);
#pragma unroll
        for (int i = 0; i < 3; ++i)
            bits.parts[i] = __ldg(from + i);
    }
};

struct TextureFetch {
    cudaTextureObject_t texture; // uint4, three a slot
    __device__ void load(const NdtTableView&, std::uint32_t index, SlotBits& bits) const {
#pragma unroll
        for (int i = 0; i < 3; ++i)
            bits.parts[i] = tex1Dfetch<uint4>(texture, static_cast<int>(3 * index) + i);
    }
};

/// Cells that the block's points had around them at the start, kept in shared memory; others come from the
/// map. Read only once it is filled.
struct CachedFetch {
    static constexpr unsigned kCells = 512;
    NdtSlot* cache; // [kCells], shared
    __device__ void load(const NdtTableView& map, std::uint32_t index, SlotBits& bits) const {
        const NdtSlot& kept = cache[index % kCells];
        if (kept.cell == index) {
            const auto* from = reinterpret_cast<const uint4*>(&kept);
#pragma unroll
            for (int i = 0; i < 3; ++i)
                bits.parts[i] = from[i];
        } else {
            GlobalFetch{}.load(map, index, bits);
        }
    }
    /// Empties it. All threads of the block have to call it.
    __device__ void clear() const {
        for (unsigned i = threadIdx.x; i < kCells; i += blockDim.x)
            cache[i].cell = kNoCell;
        __syncthreads();
    }
    /// Takes a slot, unless another has its place.
    __device__ void offer(const NdtSlot& found) const {
        NdtSlot& place = cache[found.cell % kCells];
        if (atomicCAS(&place.cell, kNoCell, found.cell) != kNoCell)
            return;
        place.key = found.key;
        for (int i = 0; i < 3; ++i)
            place.mean[i] = found.mean[i];
        for (int i = 0; i < 6; ++i)
            place.inverse[i] = found.inverse[i];
    }
};

/// A bucket of the table, in two reads.
struct Bucket {
    uint4 low, high;

    __device__ Bucket() {}
    __device__ Bucket(const NdtTableView& map, std::uint64_t hash) {
        const auto* from = reinterpret_cast<const uint4*>(map.buckets + (hash & map.mask) * kNdtBucket);
        low = __ldg(from);
        high = __ldg(from + 1);
    }
    /// The least index of the entries that begin as `entry`; too large where there is none.
    __device__ std::uint32_t index(std::uint32_t entry) const {
        const std::uint32_t a = ::min(low.x ^ entry, low.y ^ entry), b = ::min(low.z ^ entry, low.w ^ entry),
                            c = ::min(high.x ^ entry, high.y ^ entry),
                            d = ::min(high.z ^ entry, high.w ^ entry);
        return ::min(::min(a, b), ::min(c, d));
    }
    __device__ bool isFull() const { return high.w != kNoNdtEntry; }
};

/// Where the neighbours `first` to `first + kCount - 1` of a cell are to be looked for.
template <int kCount>
struct NeighbourIndices {
    std::uint32_t index[kCount]; ///< of a slot that may be the one; too large where there is none
    unsigned full = 0;           ///< a bit for each whose bucket has overflowed, or may have

    __device__ NeighbourIndices(const NdtTableView& map, Vec3i cell, int first) {
        Bucket buckets[kCount]; // all their reads are under way before the first is waited for
#pragma unroll
        for (int k = 0; k < kCount; ++k)
            buckets[k] = Bucket(map, ndtHash(ndtKey(cell + ndtNeighbour(first + k))));
#pragma unroll
        for (int k = 0; k < kCount; ++k) {
            const std::uint64_t hash = ndtHash(ndtKey(cell + ndtNeighbour(first + k)));
            index[k] = buckets[k].index(ndtEntry(hash, map.indexBits));
            full |= buckets[k].isFull() ? 1U << k : 0;
        }
    }
    /// Begins to read what may be the slot of neighbour `k`.
    template <class Fetch>
    __device__ void request(const NdtTableView& map, const Fetch& fetch, int k, SlotBits& bits) const {
#pragma unroll
        for (int i = 0; i < 3; ++i)
            bits.parts[i] = {0, 0, 0, 0};
        if (isLikely(map, k))
            fetch.load(map, index[k], bits);
    }
    /// Whether neighbour `k`, which lies at `there`, has a slot; `bits` are then its.
    __device__ bool confirm(const NdtTableView& map, Vec3i there, int k, SlotBits& bits) const {
        const std::uint64_t key = ndtKey(there);
        bool has = isLikely(map, k) && bits.slot.key == key;
        if (!has &&
            (isLikely(map, k) || (full >> k & 1) != 0)) { // another has its hash, or it's behind the bucket
            const NdtSlot* found = ndtFind(map, key);
            has = found != nullptr;
#pragma unroll
            for (int i = 0; i < 3; ++i)
                bits.parts[i] = has ? __ldg(reinterpret_cast<const uint4*>(found) + i) : uint4{0, 0, 0, 0};
        }
        return has && inReach(there);
    }

private:
    __device__ bool isLikely(const NdtTableView& map, int k) const {
        return index[k] < (1U << map.indexBits) - 1;
    }
};

/// The slots around a cell, as a thread keeps them: in shared memory, where a loop can run over them.
/// Unrolled over registers, an iteration's instructions are more than what is kept of them near the
/// multiprocessor.
template <int kCount>
class Neighbours {
public:
    static constexpr int kWords = 9; ///< of a slot that pairs need
    /// Of a block of so many threads.
    static constexpr std::size_t bytes(unsigned threads) { return threads * kCount * kWords * sizeof(float); }

    /// @param room bytes(blockDim.x), shared
    __device__ explicit Neighbours(float* room) : m_room(room + threadIdx.x) {}

    template <class Fetch>
    __device__ void load(const NdtTableView& map, const Fetch& fetch, Vec3i cell) {
        const NeighbourIndices<kCount> indices(map, cell, 0);
        SlotBits bits[kCount];
#pragma unroll
        for (int k = 0; k < kCount; ++k)
            indices.request(map, fetch, k, bits[k]);
        m_found = 0;
#pragma unroll
        for (int k = 0; k < kCount; ++k) {
            m_found |= indices.confirm(map, cell + ndtNeighbour(k), k, bits[k]) ? 1U << k : 0;
#pragma unroll
            for (int i = 0; i < 3; ++i)
                word(k, i) = __int_as_float(bits[k].slot.mean[i]);
#pragma unroll
            for (int i = 0; i < 6; ++i)
                word(k, 3 + i) = bits[k].slot.inverse[i];
        }
    }
    /// As ndtNearPoint.
    __device__ void add(const NdtTableView& map, const NdtPlace& place, NdtNear<float>& near) const {
#pragma unroll 2
        for (int k = 0; k < kCount; ++k) {
            NdtSlot slot;
#pragma unroll
            for (int i = 0; i < 3; ++i)
                slot.mean[i] = __float_as_int(word(k, i));
#pragma unroll
            for (int i = 0; i < 6; ++i)
                slot.inverse[i] = word(k, 3 + i);
            ndtAddSlot(map, slot, (m_found >> k & 1) != 0, place.inside, ndtNeighbour(k), near);
        }
    }

private:
    __device__ float& word(int k, int i) const {
        return m_room[static_cast<unsigned>(k * kWords + i) * blockDim.x];
    }

    float* m_room;        ///< [kCount * kWords] of this thread, blockDim.x apart
    unsigned m_found = 0; ///< a bit for each
};

/// As ndtNearPoint. @param kAtOnce slots that are read at once: what there are registers for
template <int kAround, int kAtOnce, class Fetch>
__device__ std::uint32_t nearPoint(const NdtTableView& map, const Fetch& fetch, const NdtPlace& place,
                                   NdtNear<float>& near) {
    constexpr int kIndices = kAround == 27 ? 9 : kAround;
    std::uint32_t best = kNoCell;
#pragma unroll 1
    for (int first = 0; first < kAround; first += kIndices) {
        const NeighbourIndices<kIndices> indices(map, place.cell, first);
#pragma unroll
        for (int next = 0; next < kIndices; next += kAtOnce) {
            SlotBits bits[kAtOnce];
#pragma unroll
            for (int k = next; k < next + kAtOnce && k < kIndices; ++k)
                indices.request(map, fetch, k, bits[k - next]);
#pragma unroll
            for (int k = next; k < next + kAtOnce && k < kIndices; ++k) {
                const Vec3i step = ndtNeighbour(first + k);
                const bool has = indices.confirm(map, place.cell + step, k, bits[k - next]);
                const NdtSlot slot = slotOf(bits[k - next]);
                if (ndtAddSlot(map, slot, has, place.inside, step, near))
                    best = slot.cell;
            }
        }
    }
    return best;
}

/// Calls `body` with the number of neighbours as a constant.
template <class Body>
__device__ void withAround(int around, const Body& body) {
    if (around == 1)
        body(std::integral_constant<int, 1>{});
    else if (around == 7)
        body(std::integral_constant<int, 7>{});
    else
        body(std::integral_constant<int, 27>{});
}

// ---- sums over lanes

/// Gives half of the terms that a lane has to the lane `kHalf` away, and adds what it gets to the other half.
template <int kHalf, class T>
__device__ void halve(const T (&from)[2 * kHalf], T (&to)[kHalf]) {
    const bool upper = (threadIdx.x & kHalf) != 0;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
        const T give = upper ? from[i] : from[i + kHalf], keep = upper ? from[i + kHalf] : from[i];
        const T got = __shfl_xor_sync(kAllOfWarp, give, kHalf);
        to[i] = keep + got;
    }
}

/// Adds up the lanes' 32 terms as a tree, halves first: lane t gets the sum of term t. A step halves the
/// terms that a lane still has, so that 31 exchanges do what 160 would.
__device__ inline double sumOverLanes(const float (&terms)[kNdtTerms]) {
    float half[16], quarter[8], eighth[4];
    halve<16>(terms, half);
    halve<8>(half, quarter);
    halve<4>(quarter, eighth);
    const double wide[4] = {eighth[0], eighth[1], eighth[2], eighth[3]};
    double two[2], one[1];
    halve<2>(wide, two);
    halve<1>(two, one);
    return one[0];
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
    float part[16];
#pragma unroll
    for (unsigned i = 0; i < 16; ++i)
        part[i] = room.terms[i][lane] + room.terms[i + 16][lane];
#pragma unroll
    for (unsigned half = 8; half >= 4; half /= 2)
#pragma unroll
        for (unsigned i = 0; i < half; ++i)
            part[i] += part[i + half];
    return (double{part[0]} + double{part[2]}) + (double{part[1]} + double{part[3]});
}

struct ShuffleReduce {
    __device__ double operator()(const float (&terms)[kNdtTerms]) const { return sumOverLanes(terms); }
};

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
    double m_levels[11];
    unsigned m_count = 0, m_top = 0;
};

/// A point's terms at a pose, each given to `take(term, value)`; none of a point without cells.
template <int kAround, int kAtOnce, class Fetch, class Take>
__device__ void termsOfPoint(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                             const RigidTransform& pose, std::uint64_t i, const Take& take) {
    NdtPlace place;
    if (i >= job.count || !ndtPlace(map, pose, job.middle, job.points[i], place))
        return;
    NdtNear<float> near;
    nearPoint<kAround, kAtOnce>(map, fetch, place, near);
    ndtPointSums(near, place.turned.as<float>(), take);
}

/// The sums of warp `warp` of `warps` over its points: lane t gets term t. All lanes have to call it.
template <int kAround, int kAtOnce, class Fetch, class Reduce>
__device__ double sumOfWarp(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                            const RigidTransform& pose, unsigned warp, unsigned warps, const Reduce& reduce) {
    const std::uint64_t stride = std::uint64_t{warps} * kLanes, mine = warp * kLanes + threadIdx.x % kLanes;
    const auto ofTile = [&](std::uint64_t first) {
        float terms[kNdtTerms];
#pragma unroll
        for (float& term : terms)
            term = 0;
        if (job.count <= stride) { // a point a lane: what is not added to needs no registers meanwhile
            termsOfPoint<kAround, kAtOnce>(map, fetch, job, pose, first,
                                           [&](int term, float value) { terms[term] = value; });
        } else {
#pragma unroll 1
            for (unsigned k = 0; k < kNdtTile; ++k)
                termsOfPoint<kAround, kAtOnce>(map, fetch, job, pose, first + k * stride,
                                               [&](int term, float value) { terms[term] += value; });
        }
        __syncwarp();
        return reduce(terms);
    };
    if (job.count <= stride)
        return ofTile(mine);
    double sum = 0;
    for (std::uint64_t first = 0; first < job.count; first += stride * kNdtTile) // for all lanes alike
        sum += ofTile(first + mine);
    return sum;
}

/// The sums of warp `warp` of a block's warps, which takes `runs` of the warps that ndt_float.h speaks of.
template <int kAround, int kAtOnce, class Fetch, class Reduce>
__device__ double sumOfRuns(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                            const RigidTransform& pose, unsigned warp, unsigned runs, const Reduce& reduce) {
    const unsigned warps = ndtWarps(job.count);
    TreeSum sum;
    for (unsigned run = 0; run < runs; ++run) {
        const unsigned next = warp * runs + run;
        const bool any = next * kLanes < job.count; // for all lanes alike
        sum.add(any ? sumOfWarp<kAround, kAtOnce>(map, fetch, job, pose, next, warps, reduce) : 0);
    }
    return sum.sum();
}

/// A point that a thread keeps, with the cells around it: they are read again where it leaves its cell.
template <int kAround>
class HeldPoint {
public:
    /// Point `i` of a job, or none.
    /// @param room of Neighbours
    __device__ HeldPoint(const NdtDeviceJob& job, std::uint64_t i, float* room)
        : m_neighbours(room), m_any(i < job.count) {
        if (m_any)
            m_point = job.points[i].as<double>() - job.middle;
    }
    /// The point's terms at a pose, which are 0 for a point without cells.
    template <class Fetch>
    __device__ void terms(const NdtTableView& map, const Fetch& fetch, const RigidTransform& pose,
                          bool alwaysRead, float (&terms)[kNdtTerms]) {
#pragma unroll
        for (float& term : terms)
            term = 0;
        NdtPlace place;
        if (!m_any || !ndtPlace(map, pose, m_point, place)) {
            m_read = false;
            return;
        }
        if (!m_read || alwaysRead || !(place.cell == m_cell)) {
            m_neighbours.load(map, fetch, place.cell);
            m_cell = place.cell;
            m_read = true;
        }
        NdtNear<float> near;
        m_neighbours.add(map, place, near);
        ndtPointSums(near, place.turned.as<float>(), [&](int term, float value) { terms[term] = value; });
    }
    /// Whether the point has moved less than `settled` metres since this was last false.
    __device__ bool isSettled(const RigidTransform& pose, double settled) {
        const Vec3d now = pose(m_point), by = now - m_taken;
        if (m_read && dot(by, by) < settled * settled)
            return true;
        m_taken = now;
        return false;
    }

private:
    Vec3d m_point; ///< from the scan's middle
    Vec3d m_taken; ///< where it lay when it was last not settled
    Vec3i m_cell;  ///< that m_neighbours lie around
    Neighbours<kAround> m_neighbours;
    bool m_any, m_read = false;
};

// ---- sums over warps and blocks

/// A row of 32 sums for each warp of a block.
struct WarpRows {
    double rows[kMostWarps][kLanes + 1];

    /// Sum of the first `count` rows as a tree, neighbours first: lane t gets term t.
    __device__ double sum(unsigned count) const {
        double v[kMostWarps];
#pragma unroll
        for (unsigned r = 0; r < kMostWarps; ++r)
            v[r] = r < count ? rows[r][threadIdx.x % kLanes] : 0;
#pragma unroll
        for (unsigned n = kMostWarps / 2; n > 0; n /= 2)
#pragma unroll
            for (unsigned r = 0; r < n; ++r)
                v[r] = v[2 * r] + v[2 * r + 1];
        return v[0];
    }
};

constexpr unsigned kRowsAtOnce = 8;
/// Sum of the rows `first` to `first + count - 1`, a power of two of them, as a tree, neighbours first:
/// `read(row, count, values)` fills up to 8 of the calling lane's term, all at once.
template <class Read>
__device__ double sumOfRows(unsigned first, unsigned count, const Read& read) {
    TreeSum sum;
    for (unsigned next = 0; next < count; next += kRowsAtOnce) {
        double v[kRowsAtOnce];
        read(first + next, ::min(count, kRowsAtOnce), v);
#pragma unroll
        for (unsigned n = kRowsAtOnce / 2; n > 0; n /= 2)
#pragma unroll
            for (unsigned r = 0; r < n; ++r)
                v[r] = v[2 * r] + v[2 * r + 1];
        if (count <= kRowsAtOnce)
            return v[0];
        sum.add(v[0]);
    }
    return sum.sum();
}

/// Sums of `blocks` rows, `ofBlocks` being a power of two that is not smaller; those beyond are 0. All warps
/// of the block read some; the first has term t in lane t then. All threads have to call it.
template <class Read>
__device__ double sumOverBlocks(WarpRows& space, unsigned ofBlocks, const Read& read) {
    const unsigned warp = threadIdx.x / kLanes, warps = blockDim.x / kLanes;
    const unsigned share = ::max(ofBlocks / warps, 1U);
    double part = 0;
    if (warp * share < ofBlocks)
        part = sumOfRows(warp * share, share, read);
    space.rows[warp][threadIdx.x % kLanes] = part;
    __syncthreads();
    return warp == 0 ? space.sum(::min(warps, ofBlocks)) : 0;
}

// ---- the step, by a warp

/// Each lane tries a shift. All lanes of one warp have to call it.
__device__ inline void solveByLanes(const NdtTotals& at, double radius, NdtSolved& solved) {
    const auto lane = static_cast<int>(threadIdx.x % kLanes);
    double x[6];
    const bool positive = solveShifted(at, radius, lane, x);
    const unsigned enough = __ballot_sync(kAllOfWarp, positive);
    const int chosen = chooseShift([enough](int shift) { return (enough >> shift & 1) != 0; });
    if (lane != chosen)
        return;
#pragma unroll
    for (int i = 0; i < 6; ++i)
        solved.x[i] = x[i];
    solved.positive = positive;
}
static_assert(kNdtShifts == kLanes);

/// As solveShifted without a shift, by L D L^T: lane i (i + 1) / 2 + j has what is at row i and column j <=
/// i. All lanes of one warp have to call it.
__device__ inline void solveByWarp(const NdtTotals& at, double radius, NdtSolved& solved) {
    const unsigned lane = threadIdx.x % kLanes;
    unsigned i = 0;
    while ((i + 1) * (i + 2) / 2 <= lane && i < 6)
        ++i;
    const unsigned j = lane - i * (i + 1) / 2;
    const bool has = i < 6;
    const double arc = 1 / radius;
    const auto scale = [arc](unsigned n) { return n < 3 ? 1 : arc; };
    const auto element = [&](unsigned row, unsigned column) {
        return -at.hessian(static_cast<int>(row), static_cast<int>(column)) * scale(row) * scale(column);
    };
    const auto place = [](unsigned row, unsigned column) { return row * (row + 1) / 2 + column; };
    double a = has ? element(i, j) : 0;
    double x = lane < 6 ? at.gradient(static_cast<int>(lane)) * scale(lane) : 0; // lane k has the k-th
    bool positive = true;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        const double pivot = __shfl_sync(kAllOfWarp, a, static_cast<int>(place(k, k)));
        const double diagonal = element(k, k);
        if (!(diagonal > 0) || !(pivot > kLeastPivot * diagonal))
            positive = false;
        const double inverse = 1 / pivot;
        const bool inner = has && j > k;
        const double row = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(i, k) : lane));
        const double column = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(j, k) : lane));
        const bool below = lane > k && lane < 6;
        const double ofX = __shfl_sync(kAllOfWarp, a, static_cast<int>(below ? place(lane, k) : lane));
        const double known = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        if (inner)
            a = fma(-(row * inverse), column, a);
        if (below)
            x = fma(-(ofX * inverse), known, x);
    }
    const double mine = __shfl_sync(kAllOfWarp, a, static_cast<int>(lane < 6 ? place(lane, lane) : 0));
    const double inverse = 1 / mine;
    x *= inverse;
#pragma unroll
    for (unsigned k = 5; k > 0; --k) {
        const double known = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        const bool above = lane < k;
        const double column = __shfl_sync(kAllOfWarp, a, static_cast<int>(above ? place(k, lane) : lane));
        if (above)
            x = fma(-(column * inverse), known, x);
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

// ---- words that blocks of a grid hand each other: a sum and the turn that it belongs to, in one access

struct alignas(16) NdtWord {
    double sum;
    std::uint64_t turn;
};
__device__ inline void writeWord(NdtWord* to, double sum, std::uint64_t turn) {
    asm volatile("{ .reg .b128 word; mov.b128 word, {%1, %2}; st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(
                     __cvta_generic_to_global(to)),
                 "l"(__double_as_longlong(sum)), "l"(turn)
                 : "memory");
}
__device__ inline double readWord(const NdtWord* from, std::uint64_t& turn) {
    long long sum;
    asm volatile("{ .reg .b128 word; ld.relaxed.gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }"
                 : "=l"(sum), "=l"(turn)
                 : "l"(__cvta_generic_to_global(from))
                 : "memory");
    return __longlong_as_double(sum);
}

} // namespace scanloupe::cuda
