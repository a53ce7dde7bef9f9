// Finds the 26 neighbours of bricks on the device. One binary search finds a row of three neighbours along x,
// which are adjacent in the table.
#include "kernels/core/cuda_check.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/cuda_brick_keys.cuh"

namespace scanloupe::cuda {

namespace {

constexpr unsigned kRows = 9; ///< rows of three neighbours along x, one for each (dy, dz)

/// Uses one thread per brick and row of neighbours; consecutive threads write consecutive memory.
__global__ void findRows(const std::uint64_t* bricks, std::size_t count, BrickKeys table, Vec3i brickDims,
                         std::uint32_t* neighbours) {
    const std::size_t at = globalIndex();
    if (at >= count * kRows)
        return;
    const std::uint64_t key = bricks[at / kRows];
    const Vec3i brick = brickOf(key, brickDims);
    const int row = static_cast<int>(at % kRows), dy = row % 3 - 1, dz = row / 3 - 1;
    std::uint32_t found[3] = {kNoBrick, kNoBrick, kNoBrick};
    if (brick.y + dy >= 0 && brick.y + dy < brickDims.y && brick.z + dz >= 0 && brick.z + dz < brickDims.z) {
        const std::uint64_t middle = brickKey({brick.x, brick.y + dy, brick.z + dz}, brickDims);
        const std::uint64_t first = brick.x > 0 ? middle - 1 : middle;
        const std::uint64_t last = brick.x + 1 < brickDims.x ? middle + 1 : middle;
        std::size_t place = table.find(first);
        for (std::uint64_t wanted = first; wanted <= last; ++wanted)
            if (place < table.count && table.keys[place] == wanted)
                found[wanted + 1 - middle] = static_cast<std::uint32_t>(place++);
    }
    for (int i = 0; i < 3; ++i)
        neighbours[at * 3 + static_cast<std::size_t>(i)] = found[i];
}

} // namespace

void findNeighbours(const std::uint64_t* bricks, std::size_t count, const std::uint64_t* table,
                    std::size_t tableCount, Vec3i brickDims, std::uint32_t* neighbours, StreamView stream) {
    requireIndexableBricks(tableCount);
    launch("findRows", count * kRows, stream, findRows, bricks, count, BrickKeys{table, tableCount},
           brickDims, neighbours);
}

Buffer<std::uint32_t> findNeighbours(const Buffer<std::uint64_t>& bricks, const Buffer<std::uint64_t>& table,
                                     Vec3i brickDims, StreamView stream) {
    auto neighbours = Buffer<std::uint32_t>::in(MemorySpace::device, bricks.size() * kNeighbours, stream);
    findNeighbours(bricks.data(), bricks.size(), table.data(), table.size(), brickDims, neighbours.data(),
                   stream);
    return neighbours;
}

} // namespace scanloupe::cuda
