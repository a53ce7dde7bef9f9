// Builds the neighbour list of every cell of a map, once, so that a point needs one lookup instead of seven.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/register/ndt/cuda_ndt_cells.cuh"
#include "kernels/register/ndt/cuda_ndt_index.cuh"

#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

constexpr int kSlots = NdtNeighbourList::kSlots;

/// Returns the cell of a pair. A pair consists of a cell with a slot and the number of a neighbour; its cell
/// is that neighbour. The same cell occurs in one pair for each slot among its own neighbours.
__device__ Vec3i cellOfPair(const Vec3i* places, std::size_t pair) {
    return places[pair / kSlots] + ndtNeighbour(static_cast<int>(pair % kSlots));
}
__device__ const NdtSlot* slotAround(const NdtTableView& map, Vec3i cell, int neighbour) {
    const Vec3i there = cell + ndtNeighbour(neighbour);
    return inRange(there) ? ndtFind(map, ndtKey(there)) : nullptr;
}

/// Marks one pair for each cell: among the pairs with that cell, the one of the cell's first neighbour with a
/// slot. @param isFirst [pairs] output
__global__ void findFirst(NdtTableView map, const Vec3i* places, std::size_t pairs, std::uint32_t* isFirst) {
    const std::size_t pair = globalIndex();
    if (pair >= pairs)
        return;
    const Vec3i cell = cellOfPair(places, pair);
    const NdtSlot* slot = nullptr;
    for (int k = 0; k < kSlots && !slot && inRange(cell); ++k)
        slot = slotAround(map, cell, k);
    isFirst[pair] = slot && slot->cell == pair / kSlots ? 1 : 0;
}

/// Writes the neighbour list of each marked pair. @param ranks inclusive sums of the marks, [pairs]
__global__ void insertNeighbourLists(NdtTableView map, const Vec3i* places, std::size_t pairs,
                                     const std::uint32_t* ranks, NdtNeighbourList* rows, IndexBuilder index) {
    const std::size_t pair = globalIndex();
    if (pair >= pairs || ranks[pair] == (pair == 0 ? 0 : ranks[pair - 1]))
        return;
    const Vec3i cell = cellOfPair(places, pair);
    NdtNeighbourList row;
    row.key = ndtKey(cell);
    for (int k = 0; k < kSlots; ++k) {
        const NdtSlot* slot = slotAround(map, cell, k);
        row.indices[k] = slot ? slot->cell : kNoCell;
    }
    const std::uint32_t at = ranks[pair] - 1;
    rows[at] = row;
    index.insert(ndtHash(row.key), at);
}

} // namespace

void NdtDeviceMap::buildNeighbourLists(StreamView stream) {
    const std::size_t pairs = m_places.size() * kSlots;
    const NdtTableView map = table(NdtNeighbours::direct7, 0.5);
    auto ranks = Buffer<std::uint32_t>::in(MemorySpace::device, pairs, stream);
    std::uint32_t count = 0;
    if (pairs > 0) {
        launch("findFirst", pairs, stream, findFirst, map, m_places.data(), pairs, ranks.data());
        runCub("cub::DeviceScan::InclusiveSum", stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveSum(scratch, bytes, ranks.data(), ranks.data(), pairs,
                                                 stream.handle());
        });
        detail::copyBytes(&count, MemorySpace::host, ranks.data() + pairs - 1, MemorySpace::device,
                          sizeof count, stream);
        stream.synchronize();
    }
    m_neighbourLists = Buffer<NdtNeighbourList>::in(MemorySpace::device, count, stream);
    m_neighbourListBuckets = newBuckets(count, stream);
    launch("insertNeighbourLists", pairs, stream, insertNeighbourLists, map, m_places.data(), pairs,
           ranks.data(), m_neighbourLists.data(), IndexBuilder(m_neighbourListBuckets.data(), count));
    stream.synchronize();
}

} // namespace scanloupe::cuda
