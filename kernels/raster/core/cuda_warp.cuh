#pragma once
// Provides warp-level primitives: reductions, queues, lists and load balancing. Each function must be called
// by all 32 lanes.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

__device__ inline unsigned laneIndex() {
    return threadIdx.x % 32;
}
/// Returns the mask of the lanes below this one.
__device__ inline unsigned lanesBefore() {
    return (1u << laneIndex()) - 1;
}

__device__ inline unsigned orOverWarp(unsigned bits) {
    NV_IF_ELSE_TARGET(
        NV_PROVIDES_SM_80, (bits = __reduce_or_sync(kAllLanes, bits);),
        (for (int lanes = 16; lanes > 0; lanes /= 2) bits |= __shfl_xor_sync(kAllLanes, bits, lanes);))
    return bits;
}
template <class T>
__device__ T maxOverWarp(T value) {
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const T other = __shfl_xor_sync(kAllLanes, value, lanes);
        value = other > value ? other : value;
    }
    return value;
}
__device__ inline std::uint32_t minOverWarp(std::uint32_t value) {
    return ~maxOverWarp(~value);
}
/// Sums the lanes' values; the warp's first lane adds the sum to `total`, unless it is 0.
__device__ inline void addOverWarp(unsigned long long* total, unsigned value) {
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(kAllLanes, value, lanes);
    if (laneIndex() == 0 && value != 0)
        atomicAdd(total, static_cast<unsigned long long>(value));
}
/// Computes an inclusive prefix sum over the lanes.
__device__ inline unsigned inclusiveSum(unsigned value) {
#pragma unroll
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned left = __shfl_up_sync(kAllLanes, value, lanes);
        value += laneIndex() >= lanes ? left : 0;
    }
    return value;
}

/// Appends an item for each lane that has one, up to the queue's capacity. @returns whether this lane's item
/// did not fit
template <class T>
__device__ bool append(const Queue<T>& queue, std::uint32_t* end, bool has, const T& item) {
    const unsigned which = __ballot_sync(kAllLanes, has);
    if (which == 0)
        return false;
    const int leader = __ffs(static_cast<int>(which)) - 1;
    std::uint32_t first = 0;
    if (static_cast<int>(laneIndex()) == leader)
        first = atomicAdd(end, static_cast<std::uint32_t>(__popc(which)));
    first = __shfl_sync(kAllLanes, first, leader);
    const std::uint32_t place = first + static_cast<std::uint32_t>(__popc(which & lanesBefore()));
    const bool fits = has && place >= first && place < queue.capacity; // the end may exceed the capacity
    if (fits)
        queue.items[place] = item;
    return has && !fits;
}

/// A stack shared by a warp: lanes push items individually, and the warp pops 32 items at a time.
template <class T>
class WarpListOf {
public:
    /// Returns the capacity of a list that is drained to below 32 items after every `adds` calls of `add`.
    static constexpr unsigned capacityFor(unsigned adds) { return 32 * (adds + 1); }
    static constexpr unsigned kCapacity = 64; ///< capacity of a list that is drained after each call
    __device__ explicit WarpListOf(T* items) : m_items(items), m_before(lanesBefore()) {}

    __device__ void add(bool has, const T& item) {
        const unsigned which = __ballot_sync(kAllLanes, has);
        if (has)
            m_items[m_count + static_cast<unsigned>(__popc(which & m_before))] = item;
        m_count += static_cast<unsigned>(__popc(which));
    }
    /// Adds the items `first` to `first + kCount - 1` of each lane with `has`; the items of a lane are
    /// consecutive in the list.
    template <unsigned kCount>
    __device__ void addRun(bool has, std::uint32_t first) {
        const unsigned which = __ballot_sync(kAllLanes, has);
        if (has) {
            const unsigned place = m_count + kCount * static_cast<unsigned>(__popc(which & m_before));
#pragma unroll
            for (unsigned k = 0; k < kCount; ++k)
                m_items[place + k] = first + k;
        }
        m_count += kCount * static_cast<unsigned>(__popc(which));
    }
    /// Adds item `first + k` for each set bit k of `bits`, at most 7 items.
    __device__ void addSome(unsigned bits, std::uint32_t first) {
        const unsigned mine = static_cast<unsigned>(__popc(bits));
        unsigned place = m_count;
#pragma unroll
        for (unsigned digit = 0; digit < 3; ++digit) {
            const unsigned which = __ballot_sync(kAllLanes, (mine >> digit & 1u) != 0);
            place += static_cast<unsigned>(__popc(which & m_before)) << digit;
            m_count += static_cast<unsigned>(__popc(which)) << digit;
        }
        for (; bits != 0; bits &= bits - 1)
            m_items[place++] = first + static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
    }
    /// Returns whether there are items for a whole warp.
    __device__ bool isFull() const {
        return m_count >= 32;
    }
    __device__ bool isEmpty() const {
        return m_count == 0;
    }
    /// Returns the number of items, which is equal in all lanes; as a reference, so that LocalMemorySpill can
    /// move it.
    __device__ unsigned& count() {
        return m_count;
    }
    /// Moves all items to `to`.
    __device__ void moveTo(T* to) {
        __syncwarp(); // makes added items visible to all lanes
        for (unsigned i = laneIndex(); i < m_count; i += 32)
            to[i] = m_items[i];
        __syncwarp();
        m_count = 0;
    }
    /// Pops up to 32 items. @returns whether this lane received an item
    __device__ bool pop(T& item) {
        __syncwarp(); // makes added items visible to all lanes
        const unsigned popped = m_count < 32 ? m_count : 32;
        m_count -= popped;
        const bool has = laneIndex() < popped;
        item = has ? m_items[m_count + laneIndex()] : T{};
        __syncwarp();
        return has;
    }

private:
    T* m_items;           // items of this warp's list
    unsigned m_before;    // mask of the lower lanes
    unsigned m_count = 0; // number of items, equal in all lanes
};
using WarpList = WarpListOf<std::uint32_t>; ///< list of item numbers

/// Distributes consecutive items over the warps of a grid, one item per lane at a time. Each warp processes
/// short runs that are spread over all items, since neighbouring items are usually culled or drawn together.
/// Very many items have longer runs.
struct ScatteredRuns {
    std::uint32_t steps; ///< number of steps of every warp; the last steps may have no items

    /// @param items fewer than 2^31 @param shortest length of a run, a power of two up to 32
    __device__ ScatteredRuns(std::uint32_t items, std::uint32_t shortest) {
        constexpr std::uint32_t runsALane = 16; // number of runs per lane above which runs get longer
        const std::uint32_t warps = gridDim.x * kWarps;
        run = shortest;
        while (run < 32 && items / (2 * run) >= runsALane * warps)
            run *= 2;
        stride = 32 / run * warps;
        first = blockIdx.x * kWarps + threadIdx.x / 32 + laneIndex() / run * warps;
        steps = ((items + run - 1) / run + stride - 1) / stride;
    }
    /// Returns this lane's item of a step; the result may exceed the last item.
    __device__ std::uint32_t item(std::uint32_t step) const {
        return (step * stride + first) * run + laneIndex() % run;
    }

private:
    std::uint32_t run, stride, first;
};

/// Balances work over the lanes: calls draw(has, slot, i) for each i in [0, count) of every lane, 32 calls at
/// a time. `slot` numbers the lanes whose count is not 0. All lanes take part in each call; `has` is false
/// for lanes without an item.
template <class Draw>
__device__ void balanceOverWarp(unsigned count, Draw&& draw) {
    const unsigned end = inclusiveSum(count), total = __shfl_sync(kAllLanes, end, 31);
    unsigned slotsBefore = 0, startBefore = 0; // totals of the slots that begin before `base`
    for (unsigned base = 0; base < total; base += 32) {
        const unsigned start = end - count;
        const bool startsHere = count > 0 && start >= base && start < base + 32;
        const unsigned starts = orOverWarp(startsHere ? 1u << (start - base) : 0u);
        const unsigned upToMe = starts & (lanesBefore() | 1u << laneIndex());
        const unsigned slot = slotsBefore + static_cast<unsigned>(__popc(upToMe)) - 1;
        const unsigned first =
            upToMe != 0 ? base + 31u - static_cast<unsigned>(__clz(static_cast<int>(upToMe))) : startBefore;
        draw(base + laneIndex() < total, slot, base + laneIndex() - first);
        slotsBefore += static_cast<unsigned>(__popc(starts));
        if (starts != 0)
            startBefore = base + 31u - static_cast<unsigned>(__clz(static_cast<int>(starts)));
    }
}

} // namespace scanloupe::cuda
