#pragma once
// Defines the voxels of bricks row by row, for gathering fields on devices. The grid's keys are ascending, so
// the voxels of a row have consecutive indices, even across the border between two bricks.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

inline constexpr int kBrickRows = kBrickEdge * kBrickEdge; ///< rows of a brick: y + 8 z

/// A run of voxels in a row of a brick; their indices in the grid are consecutive.
struct VoxelRun {
    std::uint32_t first;
    std::uint32_t bits; ///< bit i: the voxel at position i of the queried window is occupied

    HD int count() const { return std::popcount(bits); }
};

/// The occupied voxels of one row of a brick, and of the same row in the two adjacent bricks along x.
struct BrickRow {
    std::uint32_t mask; ///< bit x + 8, for -8 <= x < 16: the voxel at x, counted from the brick's first, is
                        ///< occupied
    std::uint32_t invertedFirst; ///< bitwise complement of the index of the first of these voxels; the others
                                 ///< follow it in the grid

    /// Returns the index of the voxel at x, or of the next occupied one in the row.
    HD std::uint32_t voxelAt(int x) const {
        return ~invertedFirst +
               static_cast<std::uint32_t>(std::popcount(mask & ((1u << (x + kBrickEdge)) - 1)));
    }
    /// Returns the voxels whose bits are set in `window`; bit 0 of `window` is position x.
    HD VoxelRun within(int x, std::uint32_t window) const {
        return {voxelAt(x), mask >> (x + kBrickEdge) & window};
    }
};

/// The bricks within reach of voxels, and the voxels inside these bricks.
struct BricksView {
    std::size_t count; ///< number B of bricks
    Vec3i dims;
    const std::uint64_t* keys;     ///< [B] ascending brick keys
    const std::uint32_t* around;   ///< [B, 27] indices of the neighbours, see findNeighbours()
    const BrickRow* rows;          ///< [B, 64] rows of voxels, indexed by y + 8 z
    const std::uint64_t* occupied; ///< [B, 8] occupied voxels: bit x + 8 y of word z

    /// Returns the row of voxels at (y, z), counted from a brick's first node, each -8 to 15.
    HD BrickRow row(std::size_t brick, int y, int z) const {
        const unsigned up = static_cast<unsigned>(y + kBrickEdge),
                       high = static_cast<unsigned>(z + kBrickEdge);
        const std::uint32_t other = around[brick * kNeighbours + high / 8 * 9 + up / 8 * 3 + 1];
        return other == kNoBrick ? BrickRow{0, 0}
                                 : rows[std::size_t{other} * kBrickRows + high % 8 * 8 + up % 8];
    }
    HD Vec3i firstNode(std::size_t brick) const { return brickOf(keys[brick], dims) * kBrickEdge; }
};

/// The brick of a voxel, and the voxel's position in it.
struct VoxelPosition {
    std::uint32_t brick;
    std::uint32_t local; ///< x + 8 y + 64 z, counted from the brick's first node

    HD Vec3i at() const {
        return {static_cast<int>(local & 7u), static_cast<int>(local >> 3 & 7u),
                static_cast<int>(local >> 6)};
    }
};

/// Returns the coordinates of node i of a brick.
HD inline Vec3i nodeAt(unsigned i) {
    return {static_cast<int>(i & 7u), static_cast<int>(i >> 3 & 7u), static_cast<int>(i >> 6)};
}

/// The brick and position of a voxel, and the voxels that follow it in the same row of the same brick.
struct RowOfVoxel {
    Vec3i brick, at;    ///< `at`: position relative to the brick's first node
    std::uint32_t mask; ///< bit x: voxel x of the row is occupied; 0 unless this voxel is the first one of
                        ///< the row

    HD int row() const { return at.y + kBrickEdge * at.z; }
};
/// Returns the position and the row of voxel i. @param shift coordinate of the node of voxel (0, 0, 0), the
/// same on each axis @param keys [voxels] ascending
HD inline RowOfVoxel rowOfVoxel(const GridShape& shape, int shift, const std::uint64_t* keys,
                                std::size_t voxels, std::size_t i) {
    const Vec3i node = shape.cell(keys[i]) + Vec3i{shift, shift, shift};
    RowOfVoxel result{{node.x / kBrickEdge, node.y / kBrickEdge, node.z / kBrickEdge}, {}, 0};
    result.at = node - result.brick * kBrickEdge;
    const int inRow = node.x - shift; // number of grid cells before this voxel in its row
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

/// Finds the bricks that have a node within reach of a voxel.
struct BrickReach {
    GridShape shape;
    int shift;                     ///< coordinate of the node of voxel (0, 0, 0), the same on each axis
    Vec3i brickDims, below, above; ///< `below` and `above`: reach of a voxel, in nodes

    /// Calls `body(key, count)` for each row of `count` bricks along x, starting at `key`, that voxel i of
    /// `keys` reaches. Does nothing if the previous voxel reaches the same bricks.
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
            // the previous voxel is in the same row and brick, so it reaches all bricks at lower x that this
            // voxel reaches
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

/// Maximum number of bricks of a lattice for listing them with a bitmap: 8 MiB of bits.
inline constexpr std::uint64_t kMaxBricksInBitmap = std::uint64_t{1} << 26;
/// Returns the number of bricks that cover a lattice, or kMaxBricksInBitmap + 1 if there are more.
inline std::uint64_t bricksForBitmap(Vec3i dims) {
    const auto layer = std::uint64_t(dims.x) * std::uint64_t(dims.y);
    // the division avoids an overflow of the product of all three dimensions
    return layer <= kMaxBricksInBitmap && std::uint64_t(dims.z) <= kMaxBricksInBitmap / layer
               ? layer * std::uint64_t(dims.z)
               : kMaxBricksInBitmap + 1;
}

/// Returns bits whose unsigned order is the order of the finite values. No finite value yields 0, which marks
/// a missing value.
HD inline std::uint32_t orderedBits(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}
HD inline float fromOrderedBits(std::uint32_t bits) {
    return std::bit_cast<float>(bits >> 31 ? bits & 0x7fffffffu : ~bits);
}

} // namespace scanloupe
