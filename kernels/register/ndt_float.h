#pragma once
// Defines the GPU's arithmetic for NDT: points are transformed in double precision, pairs of a point and a
// cell evaluated in single, and sums added up in double, in an order that depends on the number of points
// alone. All of it compiles for the host, too, where a test runs it.
#include "kernels/register/ndt_cell.h"
#include "kernels/register/ndt_math.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// An edge in the units that places in cells are counted in: 4 nanometres where cells are 2 m wide.
/// Differences of whole numbers are exact, where those of two numbers in single precision would lose what the
/// distance from a wall is made of.
inline constexpr int kNdtUnitBits = 29;
inline constexpr std::int32_t kNdtUnits = 1 << kNdtUnitBits;

/// What a pair needs of a cell, and where the cell lies.
struct alignas(16) NdtSlot {
    std::uint64_t key = kNoNdtKey;
    std::int32_t mean[3] = {}; ///< from the cell's corner, in units of which the edge has kNdtUnits
    float inverse[6] = {};     ///< of the covariance: xx, xy, xz, yy, yz, zz
    std::uint32_t cell = kNoCell;
};
static_assert(sizeof(NdtSlot) == 48);

// Cells are found by a table of buckets of eight entries, which fill one sector of memory: an entry is a
// cell's index below as much of its key's hash as there is room for. One read tells nearly always which slot
// to read, or that there is none; an open addressing of the slots themselves makes a warp wait for the
// longest of its lanes' searches, five reads one after the other in a table that is a third full.
inline constexpr unsigned kNdtBucket = 8;
inline constexpr std::uint32_t kNoNdtEntry = 0xffffffffU;

/// Where things that have keys are found by them.
struct NdtIndex {
    const std::uint32_t* buckets = nullptr; // [mask + 1, kNdtBucket], the first entries of each taken first
    std::uint64_t mask = 0;                 ///< buckets - 1, of a power of two
    unsigned bits = 1;                      ///< of an entry, that are the index

    /// Larger than any index.
    HD std::uint32_t none() const { return (1U << bits) - 1; }
};

/// Which slots the points in a cell are compared with: its own and those across its faces. Kept for every
/// cell that has any, one search finds what would be seven.
struct alignas(16) NdtNeighbourList {
    static constexpr int kSlots = 7;
    std::uint64_t key = kNoNdtKey;
    std::uint32_t indices[kSlots] = {}; ///< kNoCell where there is none
};

/// For points that are taken from a map: the device's, or a host's copy of it.
struct NdtTableView {
    NdtIndex index;                                   ///< of cellSlots
    const NdtSlot* cellSlots = nullptr;               // [cells]
    NdtIndex neighbourListIndex;                      ///< of neighbourLists
    const NdtNeighbourList* neighbourLists = nullptr; ///< on the device only
    double unitsPerMetre = 1;                         ///< kNdtUnits / the edge
    float unit = 1;                                   ///< metres: the edge / kNdtUnits
    float gauss1 = 0, gauss2 = 0;                     ///< NdtGauss
    int around = 1;                                   ///< neighbours that count: 1, 7 or 27
};

/// A table has fewer cells than this: seven times as many have neighbour lists.
inline constexpr std::uint64_t kMostNdtCells = (std::uint64_t{1} << 31) / NdtNeighbourList::kSlots;
/// So many that an index is never made of ones only, as what stands for none is.
inline unsigned ndtIndexBits(std::uint64_t cells) {
    return std::max(static_cast<unsigned>(std::bit_width(cells)), 1U);
}
/// Buckets have 0.75 to 1.5 entries on average: one in ten thousand overflows into the next.
inline std::uint64_t ndtBucketCount(std::uint64_t cells) {
    return std::bit_ceil(std::max<std::uint64_t>(cells * 2 / 3, 4));
}
/// What the entries of a hash begin with.
HD inline std::uint32_t ndtEntry(std::uint64_t hash, unsigned indexBits) {
    return static_cast<std::uint32_t>(hash >> 32) << indexBits;
}

inline NdtIndex ndtIndex(const std::uint32_t* buckets, std::uint64_t count) {
    return {buckets, ndtBucketCount(count) - 1, ndtIndexBits(count)};
}

inline NdtTableView ndtTableView(const std::uint32_t* buckets, const NdtSlot* cellSlots, std::uint64_t cells,
                                 double resolution, NdtNeighbours neighbours, double outlierRatio) {
    const NdtGauss gauss = ndtGauss(resolution, outlierRatio);
    NdtTableView view;
    view.index = ndtIndex(buckets, cells);
    view.cellSlots = cellSlots;
    view.unitsPerMetre = kNdtUnits / resolution;
    view.unit = static_cast<float>(resolution / kNdtUnits);
    view.gauss1 = static_cast<float>(gauss.d1);
    view.gauss2 = static_cast<float>(gauss.d2);
    view.around = ndtNeighbourCount(neighbours);
    return view;
}

/// A share of an edge, in units.
HD inline std::int32_t ndtUnits(double share) {
    return static_cast<std::int32_t>(std::floor(share * kNdtUnits + 0.5));
}
HD inline NdtSlot ndtSlot(const NdtCell& cell, Vec3i place, std::uint32_t index, double edge) {
    NdtSlot slot;
    slot.key = ndtKey(place);
    for (int i = 0; i < 3; ++i)
        slot.mean[i] = ndtUnits(cell.mean[i] / edge - place[i]);
    // not infinite, of cells that are flat to the last bit: what a pair that doesn't count adds is zero times
    // this
    constexpr double most = 1e30;
    for (int i = 0; i < 6; ++i) {
        const double value = cell.inverse[static_cast<std::size_t>(i)];
        slot.inverse[i] = static_cast<float>(value < -most ? -most : value > most ? most : value);
    }
    slot.cell = index;
    return slot;
}

/// exp(x) for x from -60 to 0, to 1.2e-7 of itself: the same bits on both backends, which their libraries'
/// don't give. Cody, Waite: Software Manual for the Elementary Functions (1980): x = n ln 2 + r, and a
/// polynomial of r (Taylor's of degree 7: 5e-9 at |r| = ln 2 / 2).
HD inline float ndtExp(float x) {
    constexpr float whole = 12582912; // 1.5 * 2^23: what is added to it is rounded to a whole number
    const float shifted = std::fma(x, 1.44269504f, whole), n = shifted - whole;
    const float r = std::fma(n, -1.42860677e-6f, std::fma(n, -0.693145752f, x));
    float p = std::fma(r, 1.98412698e-4f, 1.38888889e-3f);
    p = std::fma(p, r, 8.33333333e-3f);
    p = std::fma(p, r, 4.16666667e-2f);
    p = std::fma(p, r, 1.66666667e-1f);
    p = std::fma(p, r, 0.5f);
    p = std::fma(p, r, 1.0f);
    p = std::fma(p, r, 1.0f);
    // n stands in the lowest bits of the shifted one; p * 2^n, p being about 1 and n -87 at least
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) +
                                (std::bit_cast<std::uint32_t>(shifted) << 23));
}

inline constexpr float kNdtFarthest = 50; ///< exponent of a pair that is left out, as in double precision

/// Where a point lies in a map.
struct NdtPlace {
    Vec3d turned; ///< relative to the scan's middle
    Vec3i cell;
    Vec3i inside; ///< from the cell's corner, in units
};
/// The nearest whole number, by adding what leaves no bits behind the point: conversions take a device four
/// times as long. What is no number, or beyond 2^51, gives something beyond 2^51.
HD inline std::int64_t ndtWhole(double a, double factor) {
    constexpr double whole = 6755399441055744; // 1.5 * 2^52
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::fma(a, factor, whole)) -
                                     std::bit_cast<std::uint64_t>(whole));
}
/// Of a point relative to the scan's middle; one that lies less than half a unit below a face belongs to the
/// next cell. @returns false for one that is no number or out of reach
HD inline bool ndtPlace(const NdtTableView& map, const RigidTransform& pose, Vec3d p, NdtPlace& place) {
    const auto along = [p](Vec3d row) { return std::fma(row.z, p.z, std::fma(row.y, p.y, row.x * p.x)); };
    place.turned = {along(pose.rows[0]), along(pose.rows[1]), along(pose.rows[2])};
    const Vec3d x = place.turned + pose.translation;
    const std::int64_t units[3] = {ndtWhole(x.x, map.unitsPerMetre), ndtWhole(x.y, map.unitsPerMetre),
                                   ndtWhole(x.z, map.unitsPerMetre)};
    bool in = true;
    for (int i = 0; i < 3; ++i) {
        const std::int64_t cell = units[i] >> kNdtUnitBits;
        in = in && cell >= -kNdtReach && cell < kNdtReach;
        place.cell[i] = static_cast<std::int32_t>(cell);
        place.inside[i] = static_cast<std::int32_t>(units[i] & (kNdtUnits - 1));
    }
    return in;
}

HD inline bool ndtPlace(const NdtTableView& map, const RigidTransform& pose, Vec3d middle, Vec3f p,
                        NdtPlace& place) {
    return ndtPlace(map, pose, p.as<double>() - middle, place);
}

/// Searches for what has a hash and `is(index)`. @returns its index, kNoCell when there is none
template <class Is>
HD std::uint32_t ndtSearch(const NdtIndex& in, std::uint64_t hash, Is&& is) {
    const std::uint32_t entry = ndtEntry(hash, in.bits);
    for (std::uint64_t bucket = hash & in.mask;; bucket = (bucket + 1) & in.mask) {
        for (unsigned i = 0; i < kNdtBucket; ++i) {
            const std::uint32_t found = in.buckets[bucket * kNdtBucket + i];
            if (found == kNoNdtEntry)
                return kNoCell;
            const std::uint32_t index = found ^ entry; // of an entry that begins otherwise: too large
            if (index < in.none() && is(index))
                return index;
        }
    }
}
/// The slot of a key, null when there is none. Not inlined: on the device it is for what the first read of a
/// bucket doesn't tell.
[[gnu::noinline]] HD inline const NdtSlot* ndtFind(const NdtTableView& map, std::uint64_t key) {
    const std::uint32_t index =
        ndtSearch(map.index, ndtHash(key), [&](std::uint32_t i) { return map.cellSlots[i].key == key; });
    return index == kNoCell ? nullptr : map.cellSlots + index;
}
/// The neighbour list of a cell, null when there is none.
[[gnu::noinline]] HD inline const NdtNeighbourList* ndtFindNeighbourList(const NdtTableView& map,
                                                                         std::uint64_t key) {
    const std::uint32_t index = ndtSearch(map.neighbourListIndex, ndtHash(key),
                                          [&](std::uint32_t i) { return map.neighbourLists[i].key == key; });
    return index == kNoCell ? nullptr : map.neighbourLists + index;
}

/// Entries and slots of a map's cells, as the device has them. `place(i)` is where cell `i` lies.
struct NdtTable {
    std::vector<std::uint32_t> buckets;
    std::vector<NdtSlot> cellSlots;
};
template <class Place>
NdtTable ndtTable(std::span<const NdtCell> cells, double edge, Place&& place) {
    NdtTable table;
    const unsigned indexBits = ndtIndexBits(cells.size());
    table.buckets.assign(ndtBucketCount(cells.size()) * kNdtBucket, kNoNdtEntry);
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        table.cellSlots.push_back(ndtSlot(cells[i], place(i), i, edge));
        const std::uint64_t hash = ndtHash(table.cellSlots.back().key);
        std::size_t at = (hash * kNdtBucket) & (table.buckets.size() - 1);
        while (table.buckets[at] != kNoNdtEntry)
            at = (at + 1) & (table.buckets.size() - 1);
        table.buckets[at] = ndtEntry(hash, indexBits) | i;
    }
    return table;
}

/// Adds the pair of a point and the slot of the cell at `step` from its own, if it `has` one. Without
/// branches, so that several pairs can be under way at once: those that don't count add zeros.
/// @returns whether its score is the best so far
HD inline bool ndtAddSlot(const NdtTableView& map, const NdtSlot& slot, bool has, Vec3i inside, Vec3i step,
                          NdtNear<float>& near) {
    const Vec3i units = inside - step * kNdtUnits - Vec3i{slot.mean[0], slot.mean[1], slot.mean[2]};
    const Vec3f d = units.as<float>() * map.unit;
    const Vec3f cd = times(slot.inverse, d);
    const float exponent = 0.5f * map.gauss2 * sumOfProducts(d, cd);
    const bool isNear = has && exponent < kNdtFarthest;
    const float e = ndtExp(isNear && exponent > 0 ? -exponent : 0.0f), share = map.gauss2 * e;
    const bool counts = isNear && share > 0 && !(share > 1);
    const float w = counts ? map.gauss1 * share : 0.0f;
    near.score = mulAdd(-map.gauss1, counts ? e : 0.0f, near.score);
    addWeighted(near, slot.inverse, cd, w, map.gauss2);
    near.pairs += counts ? 1 : 0;
    const bool isBest = counts && e > near.best;
    near.best = isBest ? e : near.best;
    return isBest;
}

/// Sums over the cells around a point; gives the cell of the best score, kNoCell without one.
HD inline std::uint32_t ndtNearPoint(const NdtTableView& map, const NdtPlace& place, NdtNear<float>& near) {
    std::uint32_t best = kNoCell;
    for (int k = 0; k < map.around; ++k) {
        const Vec3i step = ndtNeighbour(k);
        const Vec3i cell = place.cell + step;
        if (cell.x < -kNdtReach || cell.x >= kNdtReach || cell.y < -kNdtReach || cell.y >= kNdtReach ||
            cell.z < -kNdtReach || cell.z >= kNdtReach)
            continue;
        const NdtSlot* slot = ndtFind(map, ndtKey(cell));
        if (slot && ndtAddSlot(map, *slot, true, place.inside, step, near))
            best = slot->cell;
    }
    return best;
}

/// A point's 32 terms: those of NdtTotals.
template <class Sink>
HD void ndtPointSums(const NdtNear<float>& near, Vec3f turned, Sink&& sink) {
    if (near.pairs == 0)
        return;
    pointTerms(near, turned, sink);
    sink(kNdtPairs, static_cast<float>(near.pairs));
    sink(kNdtWithCell, 1.0f);
    sink(kNdtBest, near.best);
}

// The order of the sums. Point i belongs to lane i % 32 of warp (i / 32) % warps; a lane adds up to kNdtTile
// of its points in single precision; 32 lanes are added up as a tree, halves first, the first three levels in
// single precision: eight numbers of one size; what a warp gets that way it adds up from first to last; the
// warps are a tree again, neighbours first. Who runs a warp, and how many at once, changes nothing.
inline constexpr unsigned kNdtTile = 8;

/// How many warps share the points, a power of two: a point a lane up to 32 thousand.
HD constexpr unsigned ndtWarps(std::uint64_t points) {
    return points <= 256 ? 8 : points > 16384 ? 1024 : std::bit_ceil(static_cast<unsigned>(points + 31) / 32);
}

} // namespace scanloupe
