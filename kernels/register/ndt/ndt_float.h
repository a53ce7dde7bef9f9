#pragma once
// Defines the GPU's arithmetic for NDT: points are transformed in double precision, pairs of a point and a
// cell are evaluated in single precision, and sums are added up in double precision, in an order that depends
// only on the number of points. All of it also compiles for the host, where a test runs it.
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/ndt/ndt_math.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Positions in a cell are fixed-point numbers with kNdtUnits per edge; a unit is 4 nanometres for cells of 2
/// m. Differences of integers are exact, while differences of single-precision numbers would lose the digits
/// of the distance from a wall.
inline constexpr int kNdtUnitBits = 29;
inline constexpr std::int32_t kNdtUnits = 1 << kNdtUnitBits;

/// What a pair needs of a cell, and the cell's key.
struct alignas(16) NdtSlot {
    std::uint64_t key = kNoNdtKey;
    std::int32_t mean[3] = {}; ///< mean relative to the cell's lowest corner, in units of edge / kNdtUnits
    float inverse[6] = {};     ///< inverse covariance: xx, xy, xz, yy, yz, zz
    std::uint32_t cell = kNoCell;
};
static_assert(sizeof(NdtSlot) == 48);

// Number of entries per bucket of the hash table of cells; a bucket fills one sector of memory. An entry
// contains the cell's index in its low bits and part of the key's hash above them. One read of a bucket
// nearly always finds the slot or shows that there is none. With open addressing of the slots themselves, a
// warp would wait for the longest probe sequence of its lanes: five dependent reads in a table that is a
// third full.
inline constexpr unsigned kNdtBucket = 8;
inline constexpr std::uint32_t kNoNdtEntry = 0xffffffffU;

/// A hash index from keys to indices, of cells or of neighbour lists.
struct NdtIndex {
    const std::uint32_t* buckets = nullptr; // [mask + 1, kNdtBucket] entries; each bucket is filled from its
                                            // first entry on
    std::uint64_t mask = 0;                 ///< number of buckets, a power of two, minus 1
    unsigned bits = 1;                      ///< number of low bits of an entry that contain the index

    /// Returns a value larger than any index.
    HD std::uint32_t none() const { return (1U << bits) - 1; }
};

/// Indices of the slots that points in a cell are compared with: the slot of the cell itself and the slots
/// across its faces. Stored for every cell that has at least one of these slots, so that one look-up replaces
/// seven.
struct alignas(16) NdtNeighbourList {
    static constexpr int kSlots = 7;
    std::uint64_t key = kNoNdtKey;
    std::uint32_t indices[kSlots] = {}; ///< index of each slot; kNoCell if there is no slot
};

/// Lookup tables and constants of a map: the device's, or a host's copy of them.
struct NdtTableView {
    NdtIndex index;                                   ///< index of `cellSlots`
    const NdtSlot* cellSlots = nullptr;               // [cells] slot of each cell
    NdtIndex neighbourListIndex;                      ///< index of `neighbourLists`
    const NdtNeighbourList* neighbourLists = nullptr; ///< neighbour lists of the cells; null on the host
    double unitsPerMetre = 1;                         ///< kNdtUnits / edge of a cell
    float unit = 1;                                   ///< edge of a cell / kNdtUnits, metres
    float gauss1 = 0, gauss2 = 0;                     ///< coefficients d1 and d2 of NdtGauss
    int around = 1;                                   ///< number of neighbours: 1, 7 or 27
};

/// Maximum number of cells of a table; limited since there may be seven times as many neighbour lists.
inline constexpr std::uint64_t kMaxNdtCells = (std::uint64_t{1} << 31) / NdtNeighbourList::kSlots;
/// Returns the number of bits of an index. An index with all bits set is never used, since it stands for a
/// missing entry.
inline unsigned ndtIndexBits(std::uint64_t cells) {
    return std::max(static_cast<unsigned>(std::bit_width(cells)), 1U);
}
/// Returns the number of buckets. Buckets have 0.75 to 1.5 entries on average: one in ten thousand overflows
/// into the next bucket.
inline std::uint64_t ndtBucketCount(std::uint64_t cells) {
    return std::bit_ceil(std::max<std::uint64_t>(cells * 2 / 3, 4));
}
/// Returns the high bits that entries with this hash contain.
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

/// Converts a fraction of a cell's edge to units of edge / kNdtUnits.
HD inline std::int32_t ndtUnits(double share) {
    return static_cast<std::int32_t>(std::floor(share * kNdtUnits + 0.5));
}
HD inline NdtSlot ndtSlot(const NdtCell& cell, Vec3i place, std::uint32_t index, double edge) {
    NdtSlot slot;
    slot.key = ndtKey(place);
    for (int i = 0; i < 3; ++i)
        slot.mean[i] = ndtUnits(cell.mean[i] / edge - place[i]);
    // Limits the value: a perfectly flat cell would give infinity, and ignored pairs add zero times this
    // value.
    constexpr double most = 1e30;
    for (int i = 0; i < 6; ++i) {
        const double value = cell.inverse[static_cast<std::size_t>(i)];
        slot.inverse[i] = static_cast<float>(value < -most ? -most : value > most ? most : value);
    }
    slot.cell = index;
    return slot;
}

/// Returns exp(x) for x from -60 to 0, with a relative error of 1.2e-7. It gives identical bits on both
/// backends, unlike their libraries. After Cody, Waite: Software Manual for the Elementary Functions (1980):
/// x = n ln 2 + r, and a Taylor polynomial of degree 7 in r (error 5e-9 at |r| = ln 2 / 2).
HD inline float ndtExp(float x) {
    constexpr float whole = 12582912; // 1.5 * 2^23: a number added to it is rounded to an integer
    const float shifted = std::fma(x, 1.44269504f, whole), n = shifted - whole;
    const float r = std::fma(n, -1.42860677e-6f, std::fma(n, -0.693145752f, x));
    float p = std::fma(r, 1.98412698e-4f, 1.38888889e-3f);
    p = std::fma(p, r, 8.33333333e-3f);
    p = std::fma(p, r, 4.16666667e-2f);
    p = std::fma(p, r, 1.66666667e-1f);
    p = std::fma(p, r, 0.5f);
    p = std::fma(p, r, 1.0f);
    p = std::fma(p, r, 1.0f);
    // Multiplies p by 2^n by adding n, the lowest bits of `shifted`, to the exponent: p is about 1 and n at
    // least -87.
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) +
                                (std::bit_cast<std::uint32_t>(shifted) << 23));
}

inline constexpr float kNdtFarthest = 50; ///< pairs with a larger exponent are ignored, as on the CPU

/// Position of a transformed point in a map.
struct NdtPlace {
    Vec3d rotated; ///< the point after rotation, relative to the scan's centre
    Vec3i cell;
    Vec3i inside; ///< position relative to the cell's lowest corner, in units
};
/// Rounds a * factor to the nearest integer by adding a number so large that no fraction bits remain; a
/// device would take four times as long for a conversion. NaN and results beyond 2^51 yield a value beyond
/// 2^51.
HD inline std::int64_t ndtWhole(double a, double factor) {
    constexpr double whole = 6755399441055744; // 1.5 * 2^52
    return static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::fma(a, factor, whole)) -
                                     std::bit_cast<std::uint64_t>(whole));
}
/// Locates a point in the map. A point less than half a unit below a face belongs to the next cell. @param p
/// relative to the scan's centre @returns false for a point that is not finite or out of range
HD inline bool ndtPlace(const NdtTableView& map, const RigidTransform& pose, Vec3d p, NdtPlace& place) {
    const auto along = [p](Vec3d row) { return std::fma(row.z, p.z, std::fma(row.y, p.y, row.x * p.x)); };
    place.rotated = {along(pose.rows[0]), along(pose.rows[1]), along(pose.rows[2])};
    const Vec3d x = place.rotated + pose.translation;
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

/// Finds the entry with a hash for which `is(index)` is true. @returns its index, or kNoCell if there is none
template <class Is>
HD std::uint32_t ndtSearch(const NdtIndex& in, std::uint64_t hash, Is&& is) {
    const std::uint32_t entry = ndtEntry(hash, in.bits);
    for (std::uint64_t bucket = hash & in.mask;; bucket = (bucket + 1) & in.mask) {
        for (unsigned i = 0; i < kNdtBucket; ++i) {
            const std::uint32_t found = in.buckets[bucket * kNdtBucket + i];
            if (found == kNoNdtEntry)
                return kNoCell;
            const std::uint32_t index = found ^ entry; // the index is too large if the high bits differ
            if (index < in.none() && is(index))
                return index;
        }
    }
}
/// Returns the slot of a key, or null if there is none. Not inlined, since the device calls it only if the
/// first read of a bucket was inconclusive.
[[gnu::noinline]] HD inline const NdtSlot* ndtFind(const NdtTableView& map, std::uint64_t key) {
    const std::uint32_t index =
        ndtSearch(map.index, ndtHash(key), [&](std::uint32_t i) { return map.cellSlots[i].key == key; });
    return index == kNoCell ? nullptr : map.cellSlots + index;
}
/// Returns the neighbour list of a cell, or null if there is none.
[[gnu::noinline]] HD inline const NdtNeighbourList* ndtFindNeighbourList(const NdtTableView& map,
                                                                         std::uint64_t key) {
    const std::uint32_t index = ndtSearch(map.neighbourListIndex, ndtHash(key),
                                          [&](std::uint32_t i) { return map.neighbourLists[i].key == key; });
    return index == kNoCell ? nullptr : map.neighbourLists + index;
}

/// Buckets and slots of a map's cells, in the device's layout. @param place returns the coordinates of cell
/// `i`
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

/// Adds the pair of a point and the cell at offset `step` from the point's, if that cell `has` a slot.
/// Written without branches, so that several pairs can be in flight at once: ignored pairs add zeros.
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

/// Sums the pairs of a point and the cells around it. @returns the cell with the best score; kNoCell if there
/// is no pair
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

/// Passes a point's terms, see NdtTotals, to `sink(term, value)`; does nothing for a point without pairs.
template <class Sink>
HD void ndtPointSums(const NdtNear<float>& near, Vec3f rotated, Sink&& sink) {
    if (near.pairs == 0)
        return;
    pointTerms(near, rotated, sink);
    sink(kNdtPairs, static_cast<float>(near.pairs));
    sink(kNdtWithCell, 1.0f);
    sink(kNdtBest, near.best);
}

// Size of the tiles in the order of the sums. Point i belongs to lane i % 32 of logical warp (i / 32) %
// warps. A lane adds up to kNdtTile of its points in single precision. The 32 lanes are added up as a tree,
// halves first; its first three levels, eight numbers of similar size, are in single precision. A logical
// warp adds up these sums from first to last. The sums of the warps are added up as a tree, neighbours first.
// The result does not depend on which hardware warp runs a logical warp, nor on how many run at once.
inline constexpr unsigned kNdtTile = 8;

/// Returns the number of logical warps, a power of two. Each lane has one point for up to 32 thousand points.
HD constexpr unsigned ndtWarps(std::uint64_t points) {
    return points <= 256 ? 8 : points > 16384 ? 1024 : std::bit_ceil(static_cast<unsigned>(points + 31) / 32);
}

} // namespace scanloupe
