// Builds NDT maps on the CPU: sorts points by cell, sums each cell's moments and derives its normal
// distribution.
#include "kernels/register/ndt/ndt_map.h"
#include "kernels/core/number_text.h"

#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt_cell.h"

#include <bit>
#include <cmath>
#include <string>

namespace scanloupe {

struct NdtMap::Sums {
    std::uint64_t key = 0;
    std::uint32_t cell = kNoCell; ///< index among the cells with a distribution; kNoCell if the cell has too
                                  ///< few points
    NdtSums values;
};

namespace {

constexpr std::size_t kNdtMapPointGrain = std::size_t{1} << 14;
constexpr std::size_t kCellGrain = 512;
constexpr std::uint32_t kNone = kNoCell;

/// Bounding box of the points' cells.
struct CellBounds {
    Vec3i low{kNdtReach, kNdtReach, kNdtReach}, high{-kNdtReach, -kNdtReach, -kNdtReach};
    std::uint64_t finite = 0;
    bool beyond = false; ///< whether some points are out of range

    bool empty() const { return finite == 0; }
    void join(const CellBounds& other) {
        low = min(low, other.low);
        high = max(high, other.high);
        finite += other.finite;
        beyond = beyond || other.beyond;
    }
};

/// A cell that receives points, and their range among the sorted points.
struct Run {
    std::uint64_t key;
    std::size_t begin, end;
};

int bitsFor(std::int32_t low, std::int32_t high) {
    return std::bit_width(static_cast<std::uint32_t>(high - low));
}

} // namespace

/// Computes the map with an additional scan. Works on copies, so that the map is unchanged if an exception is
/// thrown.
class NdtMap::Insertion {
public:
    Insertion(const NdtMap& map, std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
              const std::stop_token& stop)
        : m_map(map), m_stop(stop), m_points(points), m_inverseEdge(1 / map.m_params.resolution) {
        m_mapOrigin = map.m_points == 0 ? ndtMapOrigin(pose(origin), map.m_params.resolution) : map.m_origin;
        m_pose = pose;
        m_pose.translation = pose(origin) - m_mapOrigin;
    }

    /// Computes the insertion. @returns false if there is nothing to add
    bool run() {
        const CellBounds bounds = findBounds();
        if (bounds.beyond)
            throw KernelError("a scan extends more than 2^20 cells of " +
                                  shortNumber(m_map.m_params.resolution) + " m from the origin of the map",
                              "Use a larger resolution, or check the scan's pose.");
        if (bounds.empty())
            return false;
        m_added = bounds.finite;
        sortByCell(bounds);
        mergeRuns();
        sumUp();
        makeCells();
        m_slots = slotsOf(m_keys);
        return true;
    }
    void commitTo(NdtMap& map) {
        map.m_origin = m_mapOrigin;
        map.m_points += m_added;
        map.m_sums = std::move(m_sums);
        map.m_cells = std::move(m_cells);
        map.m_keys = std::move(m_keys);
        map.m_slots = std::move(m_slots);
    }

private:
    Vec3d place(std::size_t i) const { return m_pose(m_points[i].as<double>()); }
    Vec3d middle(std::uint64_t key) const {
        return (ndtCellOfKey(key).as<double>() + Vec3d{0.5, 0.5, 0.5}) * m_map.m_params.resolution;
    }

    CellBounds findBounds() const {
        return parallelReduce(
            m_points.size(), kNdtMapPointGrain, m_stop, CellBounds{},
            [&](std::size_t begin, std::size_t end) {
                CellBounds part;
                for (std::size_t i = begin; i < end; ++i) {
                    Vec3i cell;
                    if (!isFinite(m_points[i]))
                        continue;
                    if (ndtCellOf(m_inverseEdge, place(i), cell)) {
                        part.low = min(part.low, cell);
                        part.high = max(part.high, cell);
                        ++part.finite;
                    } else {
                        part.beyond = true;
                    }
                }
                return part;
            },
            [](CellBounds a, const CellBounds& b) {
                a.join(b);
                return a;
            });
    }

    /// Sorts the points stably by the keys of their cells.
    void sortByCell(const CellBounds& bounds) {
        const int bitsX = bitsFor(bounds.low.x, bounds.high.x), bitsY = bitsFor(bounds.low.y, bounds.high.y),
                  bits = bitsX + bitsY + bitsFor(bounds.low.z, bounds.high.z);
        // Computes keys with as few bits as the bounds allow.
        const auto keyOf = [&](Vec3i cell) {
            const auto offset = (cell - bounds.low).as<std::uint32_t>();
            return std::uint64_t{offset.z} << (bitsX + bitsY) | std::uint64_t{offset.y} << bitsX | offset.x;
        };
        const auto wide = [&](std::uint64_t key) {
            const Vec3i offset{static_cast<std::int32_t>(key & ((std::uint64_t{1} << bitsX) - 1)),
                               static_cast<std::int32_t>(key >> bitsX & ((std::uint64_t{1} << bitsY) - 1)),
                               static_cast<std::int32_t>(key >> (bitsX + bitsY))};
            return ndtKey(bounds.low + offset);
        };
        if (bits < 32 && m_points.size() < kNone)
            sortAs<KeyIndex32>(bits, keyOf, wide);
        else
            sortAs<KeyIndex>(bits, keyOf, wide);
    }
    template <class Item, class KeyOf, class Wide>
    void sortAs(int bits, const KeyOf& keyOf, const Wide& wide) {
        using Number = decltype(Item::key);
        const Number last = Number{1} << bits; // key of points that are not finite, which are sorted last
        std::vector<Item> items(m_points.size()), scratch(m_points.size());
        parallelFor(items.size(), kNdtMapPointGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Vec3i cell;
                const bool in = isFinite(m_points[i]) && ndtCellOf(m_inverseEdge, place(i), cell);
                items[i] = {in ? static_cast<Number>(keyOf(cell)) : last, static_cast<Number>(i)};
            }
        });
        parallelSortByKey(items, scratch, bits + 1, m_stop);
        m_order.resize(m_added);
        std::vector<std::size_t> heads(chunkCount(m_added, kNdtMapPointGrain));
        const auto isHead = [&](std::size_t i) { return i == 0 || items[i].key != items[i - 1].key; };
        parallelChunks(m_added, kNdtMapPointGrain, m_stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i) {
                               heads[chunk] += isHead(i);
                               m_order[i] = items[i].index;
                           }
                       });
        m_runs.resize(exclusiveScan(std::span(heads)));
        parallelChunks(m_added, kNdtMapPointGrain, m_stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           std::size_t run = heads[chunk];
                           for (std::size_t i = begin; i < end; ++i)
                               if (isHead(i))
                                   m_runs[run++] = {wide(items[i].key), i, 0};
                       });
        for (std::size_t run = 0; run < m_runs.size(); ++run)
            m_runs[run].end = run + 1 < m_runs.size() ? m_runs[run + 1].begin : m_added;
    }

    /// Merges the map's cells and those of the new points, in ascending order of their keys.
    void mergeRuns() {
        const std::vector<Sums>& old = m_map.m_sums;
        m_sums.reserve(old.size() + m_runs.size());
        m_runOf.reserve(old.size() + m_runs.size());
        std::size_t at = 0;
        for (std::size_t run = 0; run <= m_runs.size(); ++run) {
            const bool last = run == m_runs.size();
            for (; at < old.size() && (last || old[at].key < m_runs[run].key); ++at) {
                m_sums.push_back(old[at]);
                m_runOf.push_back(kNone);
            }
            if (last)
                break;
            if (at < old.size() && old[at].key == m_runs[run].key)
                m_sums.push_back(old[at++]);
            else
                m_sums.push_back({m_runs[run].key, kNoCell, {}});
            m_runOf.push_back(static_cast<std::uint32_t>(run));
        }
        if (m_sums.size() >= kNoCell)
            throw KernelError("the map has 2^32 cells or more", "Use a larger resolution.");
    }

    void sumUp() {
        parallelFor(m_sums.size(), kCellGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                if (m_runOf[i] == kNone)
                    continue;
                const Run& run = m_runs[m_runOf[i]];
                const Vec3d centre = middle(run.key);
                for (std::size_t k = run.begin; k < run.end; ++k)
                    m_sums[i].values.add(place(m_order[k]) - centre);
            }
        });
    }

    void makeCells() {
        std::vector<NdtCell> made(m_sums.size()); // new distributions of the cells that received points
        std::vector<std::size_t> counts(chunkCount(m_sums.size(), kCellGrain));
        std::vector<std::uint8_t> good(m_sums.size());
        parallelChunks(
            m_sums.size(), kCellGrain, m_stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    good[i] = m_runOf[i] == kNone ? m_sums[i].cell != kNoCell : makeCell(m_sums[i], made[i]);
                    counts[chunk] += good[i];
                }
            });
        m_cells.resize(exclusiveScan(std::span(counts)));
        m_keys.resize(m_cells.size());
        parallelChunks(m_sums.size(), kCellGrain, m_stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           auto next = static_cast<std::uint32_t>(counts[chunk]);
                           for (std::size_t i = begin; i < end; ++i) {
                               if (!good[i]) {
                                   m_sums[i].cell = kNoCell;
                                   continue;
                               }
                               m_cells[next] = m_runOf[i] == kNone ? m_map.m_cells[m_sums[i].cell] : made[i];
                               m_keys[next] = m_sums[i].key;
                               m_sums[i].cell = next++;
                           }
                       });
    }
    bool makeCell(const Sums& sums, NdtCell& cell) const {
        const NdtSums& values = sums.values;
        if (values.count < m_map.m_params.minPoints)
            return false;
        const Vec3d mean = values.sum / double(values.count);
        const double s[6] = {
            values.squares[0] - values.sum.x * mean.x, values.squares[1] - values.sum.x * mean.y,
            values.squares[2] - values.sum.x * mean.z, values.squares[3] - values.sum.y * mean.y,
            values.squares[4] - values.sum.y * mean.z, values.squares[5] - values.sum.z * mean.z};
        cell.mean = middle(sums.key) + mean;
        return ndtDistribution(s, values.count, m_map.m_params.covariance, m_map.m_params.leastRatio,
                               m_map.m_params.resolution, cell);
    }

    const NdtMap& m_map;
    const std::stop_token& m_stop;
    std::span<const Vec3f> m_points;
    double m_inverseEdge;
    Vec3d m_mapOrigin;
    RigidTransform m_pose; ///< T_map_scan with a translation relative to the map's origin
    std::uint64_t m_added = 0;
    std::vector<std::size_t> m_order;   ///< indices of the points, sorted by cell
    std::vector<Run> m_runs;            ///< ranges of the cells that received points, ascending by key
    std::vector<std::uint32_t> m_runOf; ///< [m_sums] index into m_runs, kNone for cells without new points
    std::vector<Sums> m_sums;
    std::vector<NdtCell> m_cells;
    std::vector<std::uint64_t> m_keys;
    std::vector<Slot> m_slots;
};

NdtMap::NdtMap(const NdtMapParams& params) : m_params(params) {
    if (!(params.resolution > 0) || !std::isfinite(params.resolution))
        throw KernelError("the cell size must be a length above 0 (got " + shortNumber(params.resolution) +
                              ")",
                          "Set a resolution such as 2 m.");
    if (params.minPoints < 3)
        throw KernelError("the minimum number of points in a cell must be 3 or more (got " +
                              std::to_string(params.minPoints) + ")",
                          "Set a number such as 6.");
    if (!(params.leastRatio > 0 && params.leastRatio <= 1))
        throw KernelError("the minimum ratio of eigenvalues must be between 0 and 1 (got " +
                              shortNumber(params.leastRatio) + ")",
                          "Set a ratio such as 0.01.");
}
NdtMap::~NdtMap() = default;
NdtMap::NdtMap(const NdtMap&) = default;
NdtMap& NdtMap::operator=(const NdtMap&) = default;
NdtMap::NdtMap(NdtMap&&) noexcept = default;
NdtMap& NdtMap::operator=(NdtMap&&) noexcept = default;

void NdtMap::add(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
                 const std::stop_token& stop) {
    if (!isFinite(origin) || !isFinite(pose))
        throw KernelError("the pose or origin of a scan is not finite", "Check the poses that were read.");
    try {
        Insertion insertion(*this, points, origin, pose, stop);
        if (insertion.run())
            insertion.commitTo(*this);
    } catch (const std::bad_alloc&) {
        throw KernelError("not enough memory for the map of " + std::to_string(m_points + points.size()) +
                              " points",
                          "Use a larger resolution or fewer scans, or close other programs.");
    }
}

std::vector<NdtMap::Slot> NdtMap::slotsOf(std::span<const std::uint64_t> keys) {
    std::vector<Slot> slots(std::bit_ceil(std::max<std::size_t>(2 * keys.size(), 2)), {kNoNdtKey, kNoCell});
    for (std::size_t i = 0; i < keys.size(); ++i) {
        std::size_t slot = ndtHash(keys[i]) & (slots.size() - 1);
        while (slots[slot].cell != kNoCell)
            slot = (slot + 1) & (slots.size() - 1);
        slots[slot] = {keys[i], static_cast<std::uint32_t>(i)};
    }
    return slots;
}

void NdtMap::keepNear(Vec3d place, double radius) {
    const Vec3d middle = place - m_origin;
    try {
        std::vector<Sums> sums;
        std::vector<NdtCell> cells;
        std::vector<std::uint64_t> keys;
        for (Sums each : m_sums) {
            const Vec3d at =
                (ndtCellOfKey(each.key).as<double>() + Vec3d{0.5, 0.5, 0.5}) * m_params.resolution;
            if (!(norm(at - middle) <= radius))
                continue;
            if (each.cell != kNoCell) {
                cells.push_back(m_cells[each.cell]);
                keys.push_back(each.key);
                each.cell = static_cast<std::uint32_t>(cells.size() - 1);
            }
            sums.push_back(each);
        }
        m_slots = slotsOf(keys);
        m_sums = std::move(sums);
        m_cells = std::move(cells);
        m_keys = std::move(keys);
    } catch (const std::bad_alloc&) {
        throw KernelError("not enough memory to drop cells of the map",
                          "Use a larger resolution, or close other programs.");
    }
}

Vec3i NdtMap::cellPlace(std::size_t i) const {
    return ndtCellOfKey(m_keys[i]);
}

std::uint64_t NdtMap::bytes() const {
    return m_sums.size() * sizeof(Sums) + m_cells.size() * (sizeof(NdtCell) + sizeof(std::uint64_t)) +
           m_slots.size() * sizeof(Slot);
}

std::uint32_t NdtMap::find(Vec3i cell) const {
    const auto inRange = [](std::int32_t c) { return c >= -kNdtReach && c < kNdtReach; };
    if (m_slots.empty() || !inRange(cell.x) || !inRange(cell.y) || !inRange(cell.z))
        return kNoCell;
    const std::uint64_t key = ndtKey(cell);
    std::size_t slot = ndtHash(key) & (m_slots.size() - 1);
    while (m_slots[slot].cell != kNoCell && m_slots[slot].key != key)
        slot = (slot + 1) & (m_slots.size() - 1);
    return m_slots[slot].cell;
}

} // namespace scanloupe
