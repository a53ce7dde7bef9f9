#pragma once
// Defines the voxels of bricks row by row, as fields gather them on devices. The grid's keys ascend, so that
// the voxels of a row have consecutive indices, from one brick into the next.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

inline constexpr int kBrickRows = kBrickEdge * kBrickEdge; ///< rows of a brick: y + 8 z

/// Some voxels of a row of a brick; their indices in the grid are consecutive.
struct VoxelRun {
    std::uint32_t first;
    std::uint32_t bits; ///< their positions from the begin of the queried window

    HD int count() const { return std::popcount(bits); }
};

/// The occupied voxels of one row of a brick, and of that row in the bricks before and after it in x.
struct BrickRow {
    std::uint32_t mask; ///< bit x + 8: the voxel at x from the brick's first is occupied, -8 <= x < 16
    std::uint32_t
        invertedFirst; ///< complement of the first of these voxels; the others follow it in the grid

    /// Index of the voxel at x, or of the next one.
    HD std::uint32_t voxelAt(int x) const {
        return ~invertedFirst +
               static_cast<std::uint32_t>(std::popcount(mask & ((1u << (x + kBrickEdge)) - 1)));
    }
    /// The voxels from x on whose bits `window` has.
    HD VoxelRun within(int x, std::uint32_t window) const {
        return {voxelAt(x), mask >> (x + kBrickEdge) & window};
    }
};

/// The bricks within reach of voxels, and the voxels in them.
struct BricksView {
    std::size_t count; ///< B
    Vec3i dims;
    const std::uint64_t* keys;     ///< [B] ascending
    const std::uint32_t* around;   ///< [B, 27]
    const BrickRow* rows;          ///< [B, 64]
    const std::uint64_t* occupied; ///< [B, 8] bit (x + 8 y) of word z

    /// The row of voxels at (y, z) from a brick's first, each from -8 to 15.
    HD BrickRow row(std::size_t brick, int y, int z) const {
        const unsigned up = static_cast<unsigned>(y + kBrickEdge),
                       high = static_cast<unsigned>(z + kBrickEdge);
        const std::uint32_t other = around[brick * kNeighbours + high / 8 * 9 + up / 8 * 3 + 1];
        return other == kNoBrick ? BrickRow{0, 0}
                                 : rows[std::size_t{other} * kBrickRows + high % 8 * 8 + up % 8];
    }
    HD Vec3i firstNode(std::size_t brick) const { return brickOf(keys[brick], dims) * kBrickEdge; }
};

/// The brick of a voxel, and its position within it.
struct VoxelPosition {
    std::uint32_t brick;
    std::uint32_t local; ///< x + 8 y + 64 z from the brick's first node

    HD Vec3i at() const {
        return {static_cast<int>(local & 7u), static_cast<int>(local >> 3 & 7u),
                static_cast<int>(local >> 6)};
    }
};

/// Node i of a brick.
HD inline Vec3i nodeAt(unsigned i) {
    return {static_cast<int>(i & 7u), static_cast<int>(i >> 3 & 7u), static_cast<int>(i >> 6)};
}

/// The position of voxel i of a grid, and the voxels that follow it in the row of its brick.
struct RowOfVoxel {
    Vec3i brick, at;    ///< `at` from the brick's first node
    std::uint32_t mask; ///< bit x: occupied; 0 unless the voxel is the first of the row

    HD int row() const { return at.y + kBrickEdge * at.z; }
};
/// @param shift node of voxel (0, 0, 0), on each axis @param keys [voxels] ascending
HD inline RowOfVoxel rowOfVoxel(const GridShape& shape, int shift, const std::uint64_t* keys,
                                std::size_t voxels, std::size_t i) {
    const Vec3i node = shape.cell(keys[i]) + Vec3i{shift, shift, shift};
    RowOfVoxel result{{node.x / kBrickEdge, node.y / kBrickEdge, node.z / kBrickEdge}, {}, 0};
    result.at = node - result.brick * kBrickEdge;
    const int inRow = node.x - shift; // voxels before this one in the grid's row
    const auto before = static_cast<std::uint64_t>(result.at.x < inRow ? result.at.x : inRow);
    if (i > 0 && keys[i] - keys[i - 1] <= before)
        return result;
    const int left = shape.dims.x - inRow, inBrick = kBrickEdge - result.at.x;
    const auto limit = static_cast<std::uint64_t>(left < inBrick ? left : inBrick);
    result.mask = 1;
    for (std::size_t next = i + 1; next < voxels && keys[next] - keys[i] < limit; ++next)
        result.mask |= 1u << (keys[next] - keys[i]);
    result.mask <<= result.at.x;
    return result;
}

/// The bricks that have a node within reach of a voxel.
struct BrickReach {
    GridShape shape;
    int shift;                     ///< node of voxel (0, 0, 0)
    Vec3i brickDims, below, above; ///< `below` and `above` in nodes

    /// Calls `body(key, count)` for the rows of bricks along x that voxel i of `keys` reaches, unless the
    /// voxel before it reaches the same bricks.
    template <class Body>
    HD void forEachBrick(const std::uint64_t* keys, std::size_t i, Body&& body) const {
        const Vec3i node = shape.cell(keys[i]) + Vec3i{shift, shift, shift};
        Vec3i low, high;
        for (int axis = 0; axis < 3; ++axis) {
            const int brick = node[axis] / kBrickEdge, local = node[axis] % kBrickEdge;
            low[axis] = brick - (local < below[axis] && brick > 0 ? 1 : 0);
            high[axis] = brick + (local + above[axis] >= kBrickEdge && brick + 1 < brickDims[axis] ? 1 : 0);
        }
        const int local = node.x % kBrickEdge;
        const std::uint64_t step = i > 0 ? keys[i] - keys[i - 1] : kBrickEdge;
        if (step <= static_cast<std::uint64_t>(local) && step <= static_cast<std::uint64_t>(node.x - shift)) {
            // the previous voxel lies in this row and brick: it reaches all lower bricks that this one
            // reaches
            const bool sameReach =
                local + above.x < kBrickEdge || local - static_cast<int>(step) + above.x >= kBrickEdge;
            if (sameReach)
                return;
        }
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                body(brickKey({low.x, y, z}, brickDims), high.x - low.x + 1);
    }
};

/// Maximum number of a lattice's bricks for listing them with a bitmap: 8 MiB of bits.
inline constexpr std::uint64_t kMaxBricksInBitmap = std::uint64_t{1} << 26;
/// The number of bricks that would cover a lattice; kMaxBricksInBitmap + 1 for more than that.
inline std::uint64_t bricksForBitmap(Vec3i dims) {
    const auto layer = std::uint64_t(dims.x) * std::uint64_t(dims.y);
    // with a division, since the product of all three may overflow 64 bits
    return layer <= kMaxBricksInBitmap && std::uint64_t(dims.z) <= kMaxBricksInBitmap / layer
               ? layer * std::uint64_t(dims.z)
               : kMaxBricksInBitmap + 1;
}

/// Bits that compare as the finite values do; 0 stands for no value.
HD inline std::uint32_t orderedBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
HD inline float fromOrderedBits(std::uint32_t bits) {
    return std::bit_cast<float>(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

} // namespace scanloupe
