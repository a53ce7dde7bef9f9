#pragma once
// Defines the bricks of a field: bricks within reach of voxels, and the voxels of each brick by rows.
#include "kernels/field/core/brick_rows.h"
#include "kernels/field/core/field_support.h"
#include "kernels/sycl/chain/find_neighbours.h"
#include "kernels/sycl/chain/ranked_bits.h"
#include "kernels/sycl/chain/sort_keys.h"

#include <bit>
#include <cstdint>
#include <functional>

namespace scanloupe::sycl_chain {

/// Called with the number of a field's bricks before their values are computed; may be empty.
using BrickCheck = std::function<void(std::uint64_t bricks)>;

/// Inputs of a field, in memory that kernels can access.
template <class Q>
class FieldInput {
public:
    FieldInput(Q& q, const VoxelGrid& grid, const FieldParams& params)
        : layout(layoutOf(grid, params)), brickDims(coveringBricks(layout.lattice.dims)), shape(grid.shape),
          voxels(grid.size()), m_keys(q, grid.keys.data(), voxels), m_counts(q, grid.counts.data(), voxels),
          m_means(q, grid.mean(0), 3 * voxels) {}

    const FieldLayout layout;
    const Vec3i brickDims;
    const GridShape shape;
    const std::size_t voxels;

    const std::uint64_t* keys() const { return m_keys.data(); }
    const std::uint32_t* counts() const { return m_counts.data(); }
    VectorColumns means() const {
        return {m_means.data(), m_means.data() + voxels, m_means.data() + 2 * voxels, {}};
    }

private:
    Reachable<std::uint64_t, Q> m_keys;
    Reachable<std::uint32_t, Q> m_counts;
    Reachable<float, Q> m_means; ///< components x, y, z
};

/// Owns the memory of a BricksView, and the positions of all voxels.
template <class Q>
struct FieldBricks {
    Vec3i dims;
    DeviceArray<std::uint64_t, Q> keys;
    DeviceArray<std::uint32_t, Q> around;
    DeviceArray<BrickRow, Q> rows;
    DeviceArray<std::uint64_t, Q> occupied;
    DeviceArray<VoxelPosition, Q> positions; ///< [V] positions of the voxels

    BricksView view() const {
        return {keys.size(), dims, keys.data(), around.data(), rows.data(), occupied.data()};
    }
};

/// Returns the distinct values of sorted keys. @note Synchronizes.
template <class Q>
DeviceArray<std::uint64_t, Q> distinct(Q& q, const std::uint64_t* sorted, std::size_t count) {
    const DeviceArray<std::uint32_t, Q> places(q, count), total(q, 1);
    std::uint32_t* const place = places.data();
    q.forEach(count, [=](std::size_t i) { place[i] = i == 0 || sorted[i] != sorted[i - 1] ? 1 : 0; });
    exclusiveScan(q, place, count, total.data());
    DeviceArray<std::uint64_t, Q> keys(q, total.read(0));
    std::uint64_t* const out = keys.data();
    q.forEach(count, [=](std::size_t i) {
        if (i == 0 || sorted[i] != sorted[i - 1])
            out[place[i]] = sorted[i];
    });
    return keys;
}

/// Returns the keys of the bricks that have a node within reach of a voxel, ascending, like
/// cpu::bricksInReach.
/// @note Synchronizes.
template <class Q>
DeviceArray<std::uint64_t, Q> listBricks(Q& q, const FieldInput<Q>& input, Vec3i below, Vec3i above) {
    const BrickReach reach{input.shape, input.layout.shift, input.brickDims, below, above};
    const std::uint64_t* const voxelKeys = input.keys();
    if (const std::uint64_t bricks = bricksForBitmap(input.brickDims); bricks <= kMaxBricksInBitmap) {
        const RankedBits<Q> bitmap(q, bricks);
        std::uint32_t* const bits = bitmap.bits();
        q.forEach(input.voxels, [=](std::size_t i) {
            reach.forEachBrick(voxelKeys, i, [=](std::uint64_t key, int count) {
                for (int x = 0; x < count; ++x)
                    RankedBits<Q>::set(bits, key + unsigned(x));
            });
        });
        return bitmap.list();
    }
    const DeviceArray<std::uint64_t, Q> offsets(q, input.voxels), total(q, 1);
    std::uint64_t* const before = offsets.data();
    q.forEach(input.voxels, [=](std::size_t i) {
        std::uint64_t reached = 0;
        reach.forEachBrick(voxelKeys, i, [&](std::uint64_t, int count) { reached += unsigned(count); });
        before[i] = reached;
    });
    exclusiveScan(q, before, input.voxels, total.data());
    const std::size_t reached = total.read(0);
    const DeviceArray<std::uint64_t, Q> all(q, reached), spare(q, reached);
    std::uint64_t* const out = all.data();
    q.forEach(input.voxels, [=](std::size_t i) {
        std::uint64_t* next = out + before[i];
        reach.forEachBrick(voxelKeys, i, [&](std::uint64_t key, int count) {
            for (int x = 0; x < count; ++x)
                *next++ = key + unsigned(x);
        });
    });
    const auto count = std::uint64_t(input.brickDims.x) * std::uint64_t(input.brickDims.y) *
                       std::uint64_t(input.brickDims.z);
    return distinct(q, sortKeys(q, out, spare.data(), reached, std::bit_width(count - 1)), reached);
}

/// Groups the voxels by bricks. @param keys must contain the bricks of all voxels @throws KernelError for too
/// many bricks
template <class Q>
FieldBricks<Q> groupVoxels(Q& q, const FieldInput<Q>& input, DeviceArray<std::uint64_t, Q> keys) {
    const std::size_t count = keys.size(), voxels = input.voxels;
    requireIndexableBricks(count);
    FieldBricks<Q> bricks{input.brickDims,         std::move(keys),         {q, count * kNeighbours},
                          {q, count * kBrickRows}, {q, count * kBrickEdge}, {q, voxels}};
    findNeighbours(q, bricks.keys.data(), std::uint32_t(count), bricks.dims, bricks.around.data());
    bricks.rows.clear();
    bricks.occupied.clear();
    const GridShape shape = input.shape;
    const int shift = input.layout.shift;
    const Vec3i dims = bricks.dims;
    const std::uint64_t *const voxelKeys = input.keys(), *const brickKeys = bricks.keys.data();
    const std::uint32_t* const around = bricks.around.data();
    BrickRow* const rows = bricks.rows.data();
    auto* const occupied = reinterpret_cast<std::uint8_t*>(bricks.occupied.data());
    VoxelPosition* const positions = bricks.positions.data();
    q.forEach(voxels, [=](std::size_t i) {
        const RowOfVoxel own = rowOfVoxel(shape, shift, voxelKeys, voxels, i);
        const std::uint32_t mine = lowerBound(brickKeys, std::uint32_t(count), brickKey(own.brick, dims));
        const int row = own.row();
        positions[i] = {mine, std::uint32_t(own.at.x + kBrickEdge * row)};
        if (own.mask == 0)
            return; // only the work-item of the first voxel of a row in a brick continues
        occupied[std::size_t{mine} * kBrickRows + std::size_t(row)] = std::uint8_t(own.mask);
        for (int dx = -1; dx <= 1; ++dx) { // this brick and its two neighbours along x
            const std::uint32_t other = around[std::size_t{mine} * kNeighbours + neighbourSlot(dx, 0, 0)];
            if (other == kNoBrick)
                continue;
            BrickRow& seen = rows[std::size_t{other} * kBrickRows + std::size_t(row)];
            Q::bitOr(&seen.mask, own.mask << kBrickEdge * (1 - dx));
            Q::max(&seen.invertedFirst, ~std::uint32_t(i));
        }
    });
    return bricks;
}

/// Minimum and maximum finite value of a field.
struct ValueRange {
    std::uint32_t invertedMin = 0, max = 0; ///< ordered bits of the values, complemented for the minimum; 0:
                                            ///< no value
};

/// Computes the range of all finite values, and stores it in the field, like cpu::findRange. @note
/// Synchronizes.
template <class Q>
void findRange(Q& q, ScalarField& field) {
    const DeviceArray<ValueRange, Q> ranges(q, 1);
    ranges.clear();
    ValueRange* const range = ranges.data();
    const float* const values = field.values.data();
    q.forEach(field.brickCount() * kBrickRows, [=](std::size_t row) {
        ValueRange mine;
        for (std::size_t i = row * kBrickEdge; i < (row + 1) * kBrickEdge; ++i) {
            const float value = values[i];
            if (!(value - value == 0))
                continue;
            const std::uint32_t bits = orderedBits(value);
            mine.invertedMin = mine.invertedMin > ~bits ? mine.invertedMin : ~bits;
            mine.max = mine.max > bits ? mine.max : bits;
        }
        if (mine.invertedMin > Q::load(&range->invertedMin)) // most rows contain no new extreme
            Q::max(&range->invertedMin, mine.invertedMin);
        if (mine.max > Q::load(&range->max))
            Q::max(&range->max, mine.max);
    });
    const ValueRange found = ranges.read(0);
    if (found.max == 0)
        return;                                                  // the field has no finite value
    field.minValue = fromOrderedBits(~found.invertedMin) + 0.0f; // turns -0 into +0
    field.maxValue = fromOrderedBits(found.max) + 0.0f;
}

} // namespace scanloupe::sycl_chain
