#pragma once
// Defines voxelization for SYCL: a bitmap with ranks if the number of cells allows it, otherwise a hash table
// whose keys are sorted. Cells, fractions and means are computed by the same functions as in the other
// backends.
#include "kernels/core/cost.h"
#include "kernels/core/lower_bound.h"
#include "kernels/core/mix_bits.h"
#include "kernels/sycl/chain/ranked_bits.h"
#include "kernels/sycl/chain/sort_keys.h"
#include "kernels/voxelize/core/voxel_checks.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

namespace scanloupe::sycl_chain {

/// Numbers of points by outcome, on the device.
struct PointCounts {
    std::uint64_t notFinite = 0, outside = 0, droppedWithVoxels = 0, featuresNotFinite = 0;
};

inline constexpr std::uint64_t kFreeKey = ~std::uint64_t{0}; ///< marks a free slot; keys are below 2^63

/// Returns the slot of a key, after inserting the key if it is new. @param mask number of slots, a power of
/// two, minus 1
template <class Q>
std::size_t insertKey(std::uint64_t* table, std::size_t mask, std::uint64_t key) {
    std::size_t slot = std::size_t(mixBits(key)) & mask;
    for (;; slot = (slot + 1) & mask) {
        std::uint64_t there = Q::load(table + slot);
        if (there == kFreeKey)
            there = Q::exchangeIf(table + slot, kFreeKey, key);
        if (there == kFreeKey || there == key)
            return slot;
    }
}

/// Returns the key of a point's cell; kFreeKey outside the range.
HD inline std::uint64_t keyOfPoint(const VoxelCells& cells, Vec3f p) {
    return cells.contains(p) ? cells.shape.key(cells.cell(p)) : kFreeKey;
}

/// The occupied cells, ascending, and for each point the rank of its cell among them; kNoVoxel outside the
/// range.
template <class Q>
struct FoundVoxels {
    DeviceArray<std::uint64_t, Q> keys;
    DeviceArray<std::uint32_t, Q> ranks; ///< [N] rank of each point's cell
    std::size_t count = 0;
    StrategyChoice strategy;
};

template <class Q>
FoundVoxels<Q> findByBitmap(Q& q, const Vec3f* points, std::size_t count, const VoxelCells& cells) {
    const RankedBits<Q> bitmap(q, cells.shape.cellCount());
    std::uint32_t* const bits = bitmap.bits();
    q.forEach(count, [=](std::size_t i) {
        if (const std::uint64_t key = keyOfPoint(cells, points[i]); key != kFreeKey)
            RankedBits<Q>::set(bits, key);
    });
    FoundVoxels<Q> found{bitmap.list(), {q, count}, 0, {}};
    found.count = found.keys.size();
    const std::uint32_t* const before = bitmap.before();
    std::uint32_t* const rankOf = found.ranks.data();
    q.forEach(count, [=](std::size_t i) {
        const std::uint64_t key = keyOfPoint(cells, points[i]);
        rankOf[i] = key == kFreeKey ? kNoVoxel : RankedBits<Q>::rankOf(bits, before, key);
    });
    found.strategy = {VoxelizeStrategy::bitmapRank,
                      std::to_string(cells.shape.cellCount()) + " cells fit a bitmap"};
    return found;
}

template <class Q>
FoundVoxels<Q> findByHash(Q& q, const Vec3f* points, std::size_t count, const VoxelCells& cells) {
    // a table that is at most half full, whatever the points
    const std::size_t capacity = std::bit_ceil(std::max<std::size_t>(2 * count, 1024));
    const std::size_t mask = capacity - 1;
    const DeviceArray<std::uint64_t, Q> table(q, capacity);
    const DeviceArray<std::uint32_t, Q> used(q, capacity), total(q, 1);
    std::uint64_t* const keys = table.data();
    std::uint32_t* const before = used.data();
    q.forEach(capacity, [=](std::size_t s) { keys[s] = kFreeKey; });
    q.forEach(count, [=](std::size_t i) {
        if (const std::uint64_t key = keyOfPoint(cells, points[i]); key != kFreeKey)
            insertKey<Q>(keys, mask, key);
    });
    q.forEach(capacity, [=](std::size_t s) { before[s] = keys[s] != kFreeKey ? 1 : 0; });
    exclusiveScan(q, before, capacity, total.data());
    const std::size_t voxels = total.read(0);
    FoundVoxels<Q> found{{q, voxels}, {q, count}, voxels, {}};
    {
        DeviceArray<std::uint64_t, Q> unsorted(q, voxels), spare(q, voxels);
        std::uint64_t* const out = unsorted.data();
        q.forEach(capacity, [=](std::size_t s) {
            if (keys[s] != kFreeKey)
                out[before[s]] = keys[s];
        });
        const int bits = std::bit_width(cells.shape.cellCount() - 1);
        const std::uint64_t* const sorted = sortKeys(q, out, spare.data(), voxels, bits);
        q.copy(found.keys.data(), sorted, voxels * sizeof(std::uint64_t));
    }
    const std::uint64_t* const sorted = found.keys.data();
    std::uint32_t* const rankOf = found.ranks.data();
    q.forEach(capacity, [=](std::size_t s) { // replaces the index of the slot by the rank of its key
        if (keys[s] != kFreeKey)
            before[s] = lowerBound(sorted, std::uint32_t(voxels), keys[s]);
    });
    q.forEach(count, [=](std::size_t i) {
        const std::uint64_t key = keyOfPoint(cells, points[i]);
        std::uint32_t rank = kNoVoxel;
        if (key != kFreeKey) {
            std::size_t slot = std::size_t(mixBits(key)) & mask;
            while (keys[slot] != key)
                slot = (slot + 1) & mask;
            rank = before[slot];
        }
        rankOf[i] = rank;
    });
    found.strategy = {VoxelizeStrategy::hash,
                      std::to_string(cells.shape.cellCount()) + " cells are too many for a bitmap"};
    return found;
}

/// Number of words of a voxel's sums before the sums of its features: number of points, and fractions along
/// x, y, z.
inline constexpr std::size_t kPositionSums = 4;

/// Adds the points to the sums of their voxels, and counts their outcomes. Asynchronous.
/// @tparam words number of words of the position's sums that an item adds; the items of a chunk are
/// consecutive, since a GPU adds neighbouring words at once
/// @param ranks [count] ranks of the points' voxels; points of voxels from `kept` on are dropped
/// @param sums [kept, stride]
/// @param voxelOf [count] output, kNoVoxel for points without voxel; may be null
template <std::size_t words, class Q>
void addPoints(Q& q, const Vec3f* points, std::size_t count, const VoxelCells& cells,
               const std::uint32_t* ranks, std::size_t kept, std::uint64_t* sums, std::size_t stride,
               std::uint32_t* voxelOf, PointCounts* outcome) {
    static_assert(kPositionSums % words == 0);
    constexpr std::size_t parts = kPositionSums / words;
    // Number of points per chunk: consecutive points often share a voxel, to whose sums an item then adds
    // once.
    constexpr std::size_t chunk = 16;
    const std::size_t chunks = (count + chunk - 1) / chunk;
    q.forEach(chunks * parts, [=](std::size_t item) {
        const std::size_t begin = item / parts * chunk, end = count < begin + chunk ? count : begin + chunk;
        const std::size_t part = item % parts * words;
        PointCounts here;
        std::size_t last = kept;
        std::uint64_t pending[words] = {};
        const auto flush = [&] {
            for (std::size_t w = 0; last != kept && w < words; ++w)
                Q::add(sums + last * stride + part + w, pending[w]);
        };
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t rank = ranks[i];
            const bool isKept = rank < kept;
            const Vec3f p = points[i];
            if (part == 0) {
                if (rank == kNoVoxel)
                    isFinite(p) ? ++here.outside : ++here.notFinite;
                else if (!isKept)
                    ++here.droppedWithVoxels;
                if (voxelOf)
                    voxelOf[i] = isKept ? rank : kNoVoxel;
            }
            if (!isKept)
                continue;
            if (rank != last) {
                flush();
                last = rank;
                for (std::uint64_t& value : pending)
                    value = 0;
            }
            for (std::size_t w = 0; w < words; ++w) {
                const int axis = int(part + w) - 1;
                pending[w] +=
                    axis < 0 ? 1 : cells.fractionAlong(axis, p[axis], cells.cellAlong(axis, p[axis]));
            }
        }
        flush();
        if (here.outside > 0)
            Q::add(&outcome->outside, here.outside);
        if (here.notFinite > 0)
            Q::add(&outcome->notFinite, here.notFinite);
        if (here.droppedWithVoxels > 0)
            Q::add(&outcome->droppedWithVoxels, here.droppedWithVoxels);
    });
}

/// Returns a value of a feature, in double precision.
HD inline double featureAt(const void* data, bool isDouble, std::size_t i) {
    return isDouble ? static_cast<const double*>(data)[i]
                    : static_cast<double>(static_cast<const float*>(data)[i]);
}

/// Voxelizes points, identically to cpu::voxelize except for VoxelGrid::strategy. Does not support a limit of
/// points per voxel. @note Synchronizes. @throws as cpu::voxelize; SyclFailure
template <class Q>
VoxelGrid voxelize(Q& q, const PointsView& points, const VoxelizeParams& params) {
    const WallTimer timer;
    const GridShape whole = gridShape(params);
    const VoxelCells cells(params);
    const std::vector<FeatureScale> scales = checkPoints(points);
    const std::size_t count = points.count, features = scales.size();
    VoxelGrid grid;
    grid.shape = whole;
    grid.featureCount = features;
    const Reachable<Vec3f, Q> reachable(q, points.positions, count);
    const Vec3f* const at = reachable.data();
    const bool fits = cells.shape.cellCount() <= kBitmapCells;
    const FoundVoxels<Q> found = fits ? findByBitmap(q, at, count, cells) : findByHash(q, at, count, cells);
    q.throwIfStopped();
    grid.strategy = found.strategy;
    const std::size_t kept =
        params.maxVoxels == 0 ? found.count : std::min<std::size_t>(found.count, params.maxVoxels);
    grid.stats.voxelsDropped = found.count - kept;
    grid.keys = q.template shared<std::uint64_t>(kept);
    grid.counts = q.template shared<std::uint32_t>(kept);
    grid.means = q.template shared<float>(kept * (3 + features));
    grid.pointVoxel = q.template shared<std::uint32_t>(params.pointVoxels ? count : 0);

    const std::size_t stride = kPositionSums + features;
    const DeviceArray<std::uint64_t, Q> sums(q, kept * stride);
    const DeviceArray<PointCounts, Q> counted(q, 1);
    sums.clear();
    counted.clear();
    std::uint64_t* const sum = sums.data();
    PointCounts* const outcome = counted.data();
    const std::uint32_t* const ranks = found.ranks.data();
    std::uint32_t* const pointVoxel = params.pointVoxels ? grid.pointVoxel.data() : nullptr;
    if (q.isGpu())
        addPoints<1>(q, at, count, cells, ranks, kept, sum, stride, pointVoxel, outcome);
    else
        addPoints<kPositionSums>(q, at, count, cells, ranks, kept, sum, stride, pointVoxel, outcome);
    for (std::size_t f = 0; f < features; ++f) {
        const FeatureView& feature = points.features[f];
        const bool isDouble = feature.type == ScalarType::float64;
        const Reachable<std::byte, Q> values(q, static_cast<const std::byte*>(feature.data),
                                             count * sizeOf(feature.type));
        const void* const data = values.data();
        const FeatureScale scale = scales[f];
        q.forEach(count, [=](std::size_t i) {
            if (ranks[i] >= kept)
                return;
            std::uint64_t fixed = 0;
            if (!scale.toFixedPoint(featureAt(data, isDouble, i), fixed))
                Q::add(&outcome->featuresNotFinite, std::uint64_t{1});
            Q::add(sum + ranks[i] * stride + kPositionSums + f, fixed);
        });
    }
    const std::uint64_t* const foundKeys = found.keys.data();
    const DeviceArray<FeatureScale, Q> scaleCopy(q, features);
    if (features > 0)
        q.copy(scaleCopy.data(), scales.data(), features * sizeof(FeatureScale));
    const FeatureScale* const scaleOf = scaleCopy.data();
    std::uint64_t* const keys = grid.keys.data();
    std::uint32_t* const counts = grid.counts.data();
    const MeanColumns means{grid.means.data(), kept};
    const Vec3i low = params.window.low;
    const GridShape numbered = cells.shape;
    q.forEach(kept, [=](std::size_t v) {
        const std::uint64_t* const own = sum + v * stride;
        const Vec3i cell = numbered.cell(foundKeys[v]);
        const auto members = static_cast<std::uint32_t>(own[0]);
        keys[v] = keyInWhole(whole, numbered, low, foundKeys[v]);
        counts[v] = members;
        for (int axis = 0; axis < 3; ++axis)
            means.set(std::size_t(axis), v,
                      cells.meanAlong(axis, cell[axis], VoxelCells::meanFraction(own[1 + axis], members)));
        for (std::size_t f = 0; f < features; ++f)
            means.set(3 + f, v, scaleOf[f].mean(own[kPositionSums + f], members));
    });
    const PointCounts outcomes = counted.read(0);
    q.throwIfStopped();
    VoxelStats& stats = grid.stats;
    stats.pointsNotFinite = outcomes.notFinite;
    stats.pointsOutside = outcomes.outside;
    stats.pointsDroppedWithVoxels = outcomes.droppedWithVoxels;
    stats.featuresNotFinite = outcomes.featuresNotFinite;
    stats.pointsInRange = count - stats.pointsNotFinite - stats.pointsOutside;
    grid.cost = {timer.elapsedMs(), 0.0, grid.bytes(), true};
    return grid;
}

} // namespace scanloupe::sycl_chain
