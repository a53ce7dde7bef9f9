#pragma once
// Declares the search for the 26 neighbours of bricks in a sorted list.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

inline constexpr std::uint32_t kNoBrick = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::size_t kNeighbours = 27; ///< the brick itself and its 26 neighbours

/// Returns the index of the neighbour at offset (dx, dy, dz), each -1, 0 or 1, in a list of 27.
HD constexpr std::size_t neighbourSlot(int dx, int dy, int dz) {
    return static_cast<std::size_t>((dz + 1) * 9 + (dy + 1) * 3 + dx + 1);
}

/// Returns the coordinates of a brick, in bricks.
HD inline Vec3i brickOf(std::uint64_t key, Vec3i brickDims) {
    const auto nx = std::uint64_t(brickDims.x), ny = std::uint64_t(brickDims.y);
    return {std::int32_t(key % nx), std::int32_t(key / nx % ny), std::int32_t(key / nx / ny)};
}
HD inline std::uint64_t brickKey(Vec3i brick, Vec3i brickDims) {
    return (std::uint64_t(brick.z) * std::uint64_t(brickDims.y) + std::uint64_t(brick.y)) *
               std::uint64_t(brickDims.x) +
           std::uint64_t(brick.x);
}
/// Returns the number of bricks along each axis that cover `nodes` nodes.
Vec3i coveringBricks(Vec3i nodes);

/// Returns the indices in `table` of each of `bricks` and of its 26 neighbours: [number of bricks, 27],
/// kNoBrick where `table` has no such brick. Both lists hold ascending keys. @throws KernelError for 2^32 - 1
/// bricks or more; Cancelled.
Buffer<std::uint32_t> findNeighbours(std::span<const std::uint64_t> bricks,
                                     std::span<const std::uint64_t> table, Vec3i brickDims,
                                     const std::stop_token& stop);

/// Returns the index in `table` of each key, kNoBrick where it is missing. Both lists are ascending.
std::vector<std::uint32_t> matchedBricks(std::span<const std::uint64_t> keys,
                                         std::span<const std::uint64_t> table);

/// Calls `visit` with the index in `table` of each brick that is at most one brick away from the brick `key`
/// on each axis, including that brick, in ascending order.
template <class Visit>
void forBricksAround(std::uint64_t key, Vec3i brickDims, std::span<const std::uint64_t> table,
                     Visit&& visit) {
    const Vec3i brick = brickOf(key, brickDims);
    for (int slot = 0; slot < int(kNeighbours); ++slot) {
        const Vec3i at = brick + Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
        if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= brickDims.x || at.y >= brickDims.y ||
            at.z >= brickDims.z)
            continue;
        const auto found = std::lower_bound(table.begin(), table.end(), brickKey(at, brickDims));
        if (found != table.end() && *found == brickKey(at, brickDims))
            visit(std::size_t(found - table.begin()));
    }
}

/// Checks that bricks can be indexed with 32 bits. @throws KernelError with the number of bricks, if there
/// are 2^32 - 1 or more.
void requireIndexableBricks(std::size_t bricks);

namespace cuda {
/// Same as scanloupe::findNeighbours, with the same result; all data is on the device. Asynchronous.
/// @throws KernelError
Buffer<std::uint32_t> findNeighbours(const Buffer<std::uint64_t>& bricks, const Buffer<std::uint64_t>& table,
                                     Vec3i brickDims, StreamView stream);
/// Same as above, writing to existing memory `neighbours` [count, 27]. Allocates nothing, so it can be
/// captured into a CUDA graph.
void findNeighbours(const std::uint64_t* bricks, std::size_t count, const std::uint64_t* table,
                    std::size_t tableCount, Vec3i brickDims, std::uint32_t* neighbours, StreamView stream);
} // namespace cuda

} // namespace scanloupe
