#pragma once
// The device's arithmetic: places in double precision, pairs in single, sums in double and in an order that
// depends on the number of points alone. All of it compiles for the host too, where a test runs it.
#include "kernels/register/ndt_cell.h"
#include "kernels/register/ndt_math.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// An edge in the units that places in cells are counted in: 4 nanometres where cells are 2 m wide.
/// Differences of whole numbers are exact, where those of two numbers in single precision would lose what the
/// distance from a wall is made of.
inline constexpr std::int32_t kNdtUnits = 1 << 29;

/// What a pair needs of a cell, and where the cell lies: a slot of a table with open addressing, so that a
/// point's neighbours are read at once, without a list to be read before.
struct alignas(16) NdtSlot {
    std::uint64_t key = kNoNdtKey;
    std::int32_t mean[3] = {}; ///< from the cell's corner, in units of which the edge has kNdtUnits
    float inverse[6] = {};     ///< of the covariance: xx, xy, xz, yy, yz, zz
    std::uint32_t cell = kNoCell;
};
static_assert(sizeof(NdtSlot) == 48);

/// For points that are taken from a map: the device's, or a host's copy of it.
struct NdtTableView {
    const NdtSlot* entries = nullptr;
    std::uint64_t mask = 0; ///< slots - 1, of a power of two
    double inverseEdge = 1;
    float unit = 1;               ///< metres: the edge / kNdtUnits
    float gauss1 = 0, gauss2 = 0; ///< NdtGauss
    int around = 1;               ///< neighbours that count: 1, 7 or 27
};

inline NdtTableView ndtTableView(const NdtSlot* entries, std::uint64_t count, double resolution,
                                 NdtNeighbours neighbours, double outlierRatio) {
    const NdtGauss gauss = ndtGauss(resolution, outlierRatio);
    NdtTableView view;
    view.entries = entries;
    view.mask = count - 1;
    view.inverseEdge = 1 / resolution;
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
inline std::uint64_t ndtSlotCount(std::size_t cells) {
    return std::bit_ceil(std::max<std::uint64_t>(2 * std::uint64_t(cells), 32));
}
inline NdtSlot ndtSlot(const NdtCell& cell, Vec3i place, std::uint32_t index, double edge) {
    NdtSlot slot;
    slot.key = ndtKey(place);
    for (int i = 0; i < 3; ++i)
        slot.mean[i] = ndtUnits(cell.mean[i] / edge - place[i]);
    for (int i = 0; i < 6; ++i)
        slot.inverse[i] = static_cast<float>(cell.inverse[static_cast<std::size_t>(i)]);
    slot.cell = index;
    return slot;
}

/// exp(x) for x from -60 to 0, to 1.2e-7 of itself: the same bits on both backends, which their libraries'
/// don't give. Cody, Waite: Software Manual for the Elementary Functions (1980): x = n ln 2 + r, and a
/// polynomial of r (Taylor's of degree 7: 5e-9 at |r| = ln 2 / 2).
HD inline float ndtExp(float x) {
    const float n = std::floor(x * 1.44269504f + 0.5f);
    const float r = std::fma(n, -1.42860677e-6f, std::fma(n, -0.693145752f, x));
    float p = std::fma(r, 1.98412698e-4f, 1.38888889e-3f);
    p = std::fma(p, r, 8.33333333e-3f);
    p = std::fma(p, r, 4.16666667e-2f);
    p = std::fma(p, r, 1.66666667e-1f);
    p = std::fma(p, r, 0.5f);
    p = std::fma(p, r, 1.0f);
    p = std::fma(p, r, 1.0f);
    const auto scale = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
    return p * std::bit_cast<float>(scale);
}

inline constexpr float kNdtFarthest = 50; ///< exponent of a pair that is left out, as in double precision

/// Where a point lies in a map.
struct NdtPlace {
    Vec3d turned; ///< relative to the scan's middle
    Vec3i cell;
    Vec3i inside; ///< from the cell's corner, in units
};
/// @returns false for a point that is no number or out of reach
HD inline bool ndtPlace(const NdtTableView& map, const RigidTransform& pose, Vec3d middle, Vec3f p,
                        NdtPlace& place) {
    place.turned = pose.rotate(p.as<double>() - middle);
    const Vec3d x = place.turned + pose.translation;
    if (!ndtCellOf(map.inverseEdge, x, place.cell)) // not for what is no number either
        return false;
    const Vec3d share = x * map.inverseEdge - place.cell.as<double>();
    place.inside = {ndtUnits(share.x), ndtUnits(share.y), ndtUnits(share.z)};
    return true;
}

/// The slot of a cell, null when there is none.
HD inline const NdtSlot* ndtFind(const NdtTableView& map, Vec3i cell) {
    const std::uint64_t key = ndtKey(cell);
    for (std::uint64_t at = ndtHash(key) & map.mask;; at = (at + 1) & map.mask) {
        const std::uint64_t found = map.entries[at].key;
        if (found == key)
            return map.entries + at;
        if (found == kNoNdtKey)
            return nullptr;
    }
}

/// Adds the pair of a point and the slot of the cell at `step` from its own. @returns whether its score is
/// the best so far
HD inline bool ndtAddSlot(const NdtTableView& map, const NdtSlot& slot, Vec3i inside, Vec3i step,
                          NdtNear<float>& near) {
    const Vec3i units = inside - step * kNdtUnits - Vec3i{slot.mean[0], slot.mean[1], slot.mean[2]};
    const Vec3f d = units.as<float>() * map.unit;
    const Vec3f cd = times(slot.inverse, d);
    const float exponent = 0.5f * map.gauss2 * dot(d, cd), before = near.best;
    if (!(exponent < kNdtFarthest))
        return false;
    const float e = ndtExp(-(exponent > 0 ? exponent : 0));
    return addPair(near, slot.inverse, cd, e, map.gauss1, map.gauss2) && near.best > before;
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
        const NdtSlot* slot = ndtFind(map, cell);
        if (slot && ndtAddSlot(map, *slot, place.inside, step, near))
            best = slot->cell;
    }
    return best;
}

/// A point's 32 terms: those of NdtTotals.
template <class Take>
HD void ndtPointSums(const NdtNear<float>& near, Vec3f turned, Take&& take) {
    if (near.pairs == 0)
        return;
    pointTerms(near, turned, take);
    take(kNdtPairs, static_cast<float>(near.pairs));
    take(kNdtWithCell, 1.0f);
    take(kNdtBest, near.best);
}

// The order of the sums. Point i belongs to lane i % 32 of warp (i / 32) % warps; a lane adds up to
// kNdtTile of its points in single precision; 32 lanes are added up as a tree, halves first; what a warp gets
// that way it adds up from first to last; the warps are a tree again, neighbours first. Who runs a warp, and
// how many at once, changes nothing.
inline constexpr unsigned kNdtTile = 8;

/// How many warps share the points: 32 up to 8 k, 128 up to 64 k, 512 beyond.
HD constexpr unsigned ndtWarps(std::uint64_t points) {
    return points <= 8192 ? 32 : points <= 65536 ? 128 : 512;
}

} // namespace scanloupe
