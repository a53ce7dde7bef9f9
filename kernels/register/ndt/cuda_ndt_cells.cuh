#pragma once
// Looks up and reads the NDT cells around a point, in global memory.
#include "kernels/register/ndt/cuda_ndt.cuh"

#include <type_traits>

namespace scanloupe::cuda {

__device__ inline bool inRange(Vec3i cell) {
    const auto in = [](std::int32_t c) { return c >= -kNdtReach && c < kNdtReach; };
    return in(cell.x) && in(cell.y) && in(cell.z);
}
/// A slot as three 16-byte loads.
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

/// Reads the slot of a cell.
__device__ inline void loadSlot(const NdtTableView& map, std::uint32_t index, SlotBits& bits) {
    const auto* from = reinterpret_cast<const uint4*>(map.cellSlots + index);
#pragma unroll
    for (int i = 0; i < 3; ++i)
        bits.parts[i] = __ldg(from + i);
}

/// A bucket of the index, in two 16-byte loads.
struct Bucket {
    uint4 low, high;

    __device__ Bucket() {}
    __device__ Bucket(const NdtIndex& of, std::uint64_t hash) {
        const auto* from = reinterpret_cast<const uint4*>(of.buckets + (hash & of.mask) * kNdtBucket);
        low = __ldg(from);
        high = __ldg(from + 1);
    }
    /// Returns the smallest index among the entries whose high bits equal those of `entry`; a value >= none()
    /// if there is no such entry.
    __device__ std::uint32_t index(std::uint32_t entry) const {
        const std::uint32_t a = ::min(low.x ^ entry, low.y ^ entry), b = ::min(low.z ^ entry, low.w ^ entry),
                            c = ::min(high.x ^ entry, high.y ^ entry),
                            d = ::min(high.z ^ entry, high.w ^ entry);
        return ::min(::min(a, b), ::min(c, d));
    }
    __device__ bool isFull() const { return high.w != kNoNdtEntry; }
};

/// Looks up the slots of the neighbours `first` to `first + kCount - 1` of a cell.
template <int kCount>
struct NeighbourIndices {
    std::uint64_t key;           ///< key of the cell
    int first;                   ///< number of the first neighbour
    std::uint32_t index[kCount]; ///< index of the slot with a matching hash; too large if there is none
    unsigned full = 0; ///< bit k is set if the bucket of neighbour k is full, so its entries may have
                       ///< overflowed

    __device__ NeighbourIndices(const NdtTableView& map, Vec3i cell, int from)
        : key(ndtKey(cell)), first(from) {
        const std::uint64_t product = key * kNdtGolden;
        const auto hash = [=](int k) { return ndtHashOfProduct(product + keyStep(from + k) * kNdtGolden); };
        Bucket buckets[kCount]; // all loads are issued before the first result is used
#pragma unroll
        for (int k = 0; k < kCount; ++k)
            buckets[k] = Bucket(map.index, hash(k));
#pragma unroll
        for (int k = 0; k < kCount; ++k) {
            index[k] = buckets[k].index(ndtEntry(hash(k), map.index.bits));
            full |= buckets[k].isFull() ? 1U << k : 0;
        }
        if (inRange(cell - Vec3i{1, 1, 1}) && inRange(cell + Vec3i{1, 1, 1}))
            return;
#pragma unroll
        for (int k = 0; k < kCount; ++k) // keys of neighbours out of range wrap around
            if (!inRange(cell + ndtNeighbour(from + k))) {
                index[k] = kNoCell;
                full &= ~(1U << k);
            }
    }
    /// Starts to load the likely slot of neighbour `k`; loads slot 0 if there is none.
    __device__ void request(const NdtTableView& map, int k, SlotBits& bits) const {
        loadSlot(map, isLikely(map, k) ? index[k] : 0, bits);
    }
    /// Checks the key of the slot that was loaded, and searches again where the first look-up was
    /// inconclusive. @returns whether neighbour `k` has a slot, whose contents are then in `bits`
    __device__ bool confirm(const NdtTableView& map, int k, SlotBits& bits) const {
        const std::uint64_t there = key + keyStep(first + k);
        bool has = isLikely(map, k) && bits.slot.key == there;
        // the slot belongs to another key with the same hash bits, or the entry overflowed into the next
        // bucket
        if (!has && (isLikely(map, k) || (full >> k & 1) != 0)) {
            const NdtSlot* found = ndtFind(map, there);
            has = found != nullptr;
            if (has)
                loadSlot(map, static_cast<std::uint32_t>(found - map.cellSlots), bits);
        }
        return has;
    }

private:
    __device__ static std::uint64_t keyStep(int neighbour) {
        return ndtKeyStep(ndtNeighbour(neighbour));
    }
    __device__ bool isLikely(const NdtTableView& map, int k) const {
        return index[k] < map.index.none();
    }
};

/// Looks up the slots of a cell and of its face neighbours with a single neighbour list. NeighbourIndices
/// instead looks them up one by one.
class NeighbourListIndices {
public:
    __device__ NeighbourListIndices(const NdtTableView& map, Vec3i cell, int) {
        const std::uint64_t key = ndtKey(cell), hash = ndtHash(key);
        const Bucket bucket(map.neighbourListIndex, hash);
        const std::uint32_t row = bucket.index(ndtEntry(hash, map.neighbourListIndex.bits));
        const bool isLikely = row < map.neighbourListIndex.none();
        read(map.neighbourLists + (isLikely ? row : 0));
        if (isLikely && m_bits.row.key == key)
            return;
        const NdtNeighbourList* found =
            isLikely || bucket.isFull() ? ndtFindNeighbourList(map, key) : nullptr;
        if (found) {
            read(found);
        } else {
#pragma unroll
            for (std::uint32_t& index : m_bits.row.indices)
                index = kNoCell;
        }
    }
    __device__ void request(const NdtTableView& map, int k, SlotBits& bits) const {
        loadSlot(map, index(k), bits);
    }
    __device__ bool confirm(const NdtTableView&, int k, SlotBits&) const {
        return has(k);
    }
    /// Returns whether neighbour `k` has a slot.
    __device__ bool has(int k) const {
        return m_bits.row.indices[k] != kNoCell;
    }
    /// Returns the index of the slot of neighbour `k`; 0 if it has no slot.
    __device__ std::uint32_t index(int k) const {
        return has(k) ? m_bits.row.indices[k] : 0;
    }

private:
    union Bits {
        uint4 parts[3];
        struct {
            std::uint64_t key;
            std::uint32_t indices[NdtNeighbourList::kSlots];
        } row;
        __device__ Bits() {}
    };
    static_assert(sizeof(Bits) == sizeof(NdtNeighbourList));

    __device__ void read(const NdtNeighbourList* from) {
#pragma unroll
        for (int i = 0; i < 3; ++i)
            m_bits.parts[i] = __ldg(reinterpret_cast<const uint4*>(from) + i);
    }

    Bits m_bits;
};
/// Type of the look-up for a point's neighbours: with neighbour lists for 7 neighbours, otherwise cell by
/// cell.
template <int kAround>
using IndicesOf = std::conditional_t<kAround == NdtNeighbourList::kSlots, NeighbourListIndices,
                                     NeighbourIndices<kAround == 27 ? 9 : kAround>>;

/// The slots around a cell, kept in shared memory so that a loop can index them. With registers, the loop
/// would be unrolled, and its instructions would exceed the multiprocessor's instruction cache.
template <int kCount>
class Neighbours {
public:
    static constexpr int kWords = 9; ///< words per slot: its mean and inverse covariance
    /// Returns the size in bytes of the shared memory of a block of `threads` threads.
    static constexpr std::size_t bytes(unsigned threads) { return threads * kCount * kWords * sizeof(float); }

    /// @param room bytes(blockDim.x) bytes of shared memory
    __device__ explicit Neighbours(float* room)
        : m_room(room + threadIdx.x / kLanes * (kCount * kWords * kLanes) + threadIdx.x % kLanes) {}

    __device__ void load(const NdtTableView& map, Vec3i cell) {
        const IndicesOf<kCount> indices(map, cell, 0);
        SlotBits bits[kCount];
#pragma unroll
        for (int k = 0; k < kCount; ++k)
            indices.request(map, k, bits[k]);
        m_found = 0;
#pragma unroll
        for (int k = 0; k < kCount; ++k) {
            m_found |= indices.confirm(map, k, bits[k]) ? 1U << k : 0;
#pragma unroll
            for (int i = 0; i < 3; ++i)
                word(k, i) = __int_as_float(bits[k].slot.mean[i]);
#pragma unroll
            for (int i = 0; i < 6; ++i)
                word(k, 3 + i) = bits[k].slot.inverse[i];
        }
    }
    /// Same as ndtNearPoint.
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
        return m_room[static_cast<unsigned>(k * kWords + i) * kLanes];
    }

    float* m_room;        ///< [kCount * kWords] words of this thread, interleaved by the lanes of its warp
    unsigned m_found = 0; ///< bit k is set if neighbour k has a slot
};

/// Same as ndtNearPoint. @param kAtOnce number of slots that are loaded at once, limited by the registers
template <int kAround, int kAtOnce>
__device__ std::uint32_t nearPoint(const NdtTableView& map, const NdtPlace& place, NdtNear<float>& near) {
    constexpr int kIndices = kAround == 27 ? 9 : kAround;
    std::uint32_t best = kNoCell;
#pragma unroll 1
    for (int first = 0; first < kAround; first += kIndices) {
        const IndicesOf<kAround> indices(map, place.cell, first);
#pragma unroll
        for (int next = 0; next < kIndices; next += kAtOnce) {
            SlotBits bits[kAtOnce];
#pragma unroll
            for (int k = next; k < next + kAtOnce && k < kIndices; ++k)
                indices.request(map, k, bits[k - next]);
#pragma unroll
            for (int k = next; k < next + kAtOnce && k < kIndices; ++k) {
                const Vec3i step = ndtNeighbour(first + k);
                const bool has = indices.confirm(map, k, bits[k - next]);
                const NdtSlot slot = slotOf(bits[k - next]);
                if (ndtAddSlot(map, slot, has, place.inside, step, near))
                    best = slot.cell;
            }
        }
    }
    return best;
}

/// Calls `body` with the number of neighbours as a compile-time constant.
template <class Body>
__device__ void withAround(int around, const Body& body) {
    if (around == 1)
        body(std::integral_constant<int, 1>{});
    else if (around == 7)
        body(std::integral_constant<int, 7>{});
    else
        body(std::integral_constant<int, 27>{});
}

} // namespace scanloupe::cuda
