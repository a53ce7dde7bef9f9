// Which slots the points of a cell are compared with, searched for once for all of a map.
#include "kernels/register/cuda_ndt_cells.cuh"
#include "kernels/register/cuda_ndt_index.cuh"

#include <bit>

namespace scanloupe::cuda {

namespace {

constexpr int kSlots = NdtSurroundings::kSlots;

/// A set of keys, at least twice as wide as there are keys.
struct KeySet {
    unsigned long long* keys; // [mask + 1], kNoNdtKey at first
    std::uint64_t mask;

    /// Enters a key. @returns whether it was not there
    __device__ bool enter(std::uint64_t key) const {
        for (std::uint64_t at = ndtHash(key) & mask;; at = (at + 1) & mask) {
            const unsigned long long was = atomicCAS(keys + at, kNoNdtKey, key);
            if (was == kNoNdtKey || was == key)
                return was == kNoNdtKey;
        }
    }
};

/// A cell whose points have a cell to be compared with: pair / 7 is that one.
__device__ Vec3i cellOfPair(const Vec3i* places, std::size_t pair) {
    return places[pair / kSlots] + ndtNeighbour(static_cast<int>(pair % kSlots));
}

/// @param isFirst of all pairs that give a cell [pairs]
__global__ void findFirst(const Vec3i* places, std::size_t pairs, KeySet set, std::uint8_t* isFirst,
                          unsigned* count) {
    const std::size_t pair = globalIndex();
    bool first = false;
    if (pair < pairs) {
        const Vec3i cell = cellOfPair(places, pair);
        first = inReach(cell) && set.enter(ndtKey(cell));
        isFirst[pair] = first ? 1 : 0;
    }
    const int number = __popc(__ballot_sync(kAllOfWarp, first));
    if (threadIdx.x % kLanes == 0 && number != 0)
        atomicAdd(count, static_cast<unsigned>(number));
}

/// Which row a cell gets depends on who comes first; what is found for it does not.
__global__ void enterSurroundings(NdtTableView map, const Vec3i* places, std::size_t pairs,
                                  const std::uint8_t* isFirst, unsigned* next, NdtSurroundings* rows,
                                  NewIndex index) {
    const std::size_t pair = globalIndex();
    if (pair >= pairs || isFirst[pair] == 0)
        return;
    const Vec3i cell = cellOfPair(places, pair);
    NdtSurroundings row;
    row.key = ndtKey(cell);
    for (int k = 0; k < kSlots; ++k) {
        const Vec3i there = cell + ndtNeighbour(k);
        const NdtSlot* slot = inReach(there) ? ndtFind(map, ndtKey(there)) : nullptr;
        row.indices[k] = slot ? slot->cell : kNoCell;
    }
    const std::uint32_t at = atomicAdd(next, 1U);
    rows[at] = row;
    index.enter(ndtHash(row.key), at);
}

} // namespace

void NdtDeviceMap::findSurroundings(StreamView stream) {
    const std::size_t pairs = m_places.size() * kSlots;
    requireTable(pairs);
    const std::uint64_t room = std::bit_ceil(2 * pairs);
    auto keys = Buffer<unsigned long long>::in(MemorySpace::device, room, stream);
    auto isFirst = Buffer<std::uint8_t>::in(MemorySpace::device, pairs, stream);
    auto counts = Buffer<unsigned>::in(MemorySpace::device, 2, stream); // of cells, and of rows taken
    check(cudaMemsetAsync(keys.data(), 0xff, keys.bytes(), ownStream(stream)), "cudaMemsetAsync");
    check(cudaMemsetAsync(counts.data(), 0, counts.bytes(), ownStream(stream)), "cudaMemsetAsync");
    launch("findFirst", pairs, stream, findFirst, m_places.data(), pairs, KeySet{keys.data(), room - 1},
           isFirst.data(), counts.data());
    unsigned count = 0;
    detail::copyBytes(&count, MemorySpace::host, counts.data(), MemorySpace::device, sizeof count, stream);
    stream.synchronize();
    m_surroundings = Buffer<NdtSurroundings>::in(MemorySpace::device, count, stream);
    m_surroundingsBuckets = newBuckets(count, stream);
    launch("enterSurroundings", pairs, stream, enterSurroundings, table(NdtNeighbours::direct7, 0.5),
           m_places.data(), pairs, isFirst.data(), counts.data() + 1, m_surroundings.data(),
           NewIndex(m_surroundingsBuckets.data(), count));
    stream.synchronize();
}

} // namespace scanloupe::cuda
