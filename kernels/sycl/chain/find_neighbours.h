#pragma once
// Defines the search for the 26 neighbours of bricks in a sorted list.
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/sycl/chain/queue_memory.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Finds the index of each key and of its 26 neighbours. Asynchronous. @param keys [count] ascending @param
/// around [count, 27] output; kNoBrick for a missing neighbour
template <class Q>
void findNeighbours(Q& q, const std::uint64_t* keys, std::uint32_t count, Vec3i brickDims,
                    std::uint32_t* around) {
    constexpr std::size_t rows = 9; // number of rows of three neighbours, which are consecutive in the list
                                    // of keys
    q.forEach(count * rows, [=](std::size_t i) {
        const std::size_t brick = i / rows;
        const int dy = int(i % rows % 3) - 1, dz = int(i % rows / 3) - 1;
        const Vec3i at = brickOf(keys[brick], brickDims) + Vec3i{0, dy, dz};
        std::uint32_t* const out = around + brick * kNeighbours + neighbourSlot(-1, dy, dz);
        out[0] = out[1] = out[2] = kNoBrick;
        if (at.y < 0 || at.z < 0 || at.y >= brickDims.y || at.z >= brickDims.z)
            return;
        const std::uint64_t middle = brickKey(at, brickDims);
        const std::uint64_t first = at.x > 0 ? middle - 1 : middle,
                            last = at.x + 1 < brickDims.x ? middle + 1 : middle;
        for (std::uint32_t place = lowerBoundNear(keys, count, std::uint32_t(brick), first);
             place < count && keys[place] <= last; ++place)
            out[keys[place] + 1 - middle] = place;
    });
}

} // namespace scanloupe::sycl_chain
