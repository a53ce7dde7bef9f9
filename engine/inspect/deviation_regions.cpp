// Groups points out of tolerance by adjacent cells.
#include "engine/inspect/deviation_regions.h"

#include "kernels/core/error.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace scanloupe {

namespace {

/// Finds the connected regions of the points whose distances are out of tolerance on one side.
class RegionFinder {
public:
    RegionFinder(std::span<const Vec3f> points, std::span<const float> distances, Vec3d origin,
                 const DeviationOptions& options, const std::stop_token& stop)
        : m_points(points), m_distances(distances), m_origin(origin), m_options(options), m_stop(stop) {}

    void find(bool above, std::vector<DeviationRegion>& regions) const {
        std::vector<std::uint32_t> rows;
        std::vector<Vec3f> places;
        const auto tolerance = float(m_options.tolerance.value_or(0));
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (i % 65536 == 0 && m_stop.stop_requested())
                throw Cancelled();
            if (above ? m_distances[i] > tolerance : m_distances[i] < -tolerance) { // false for NaN
                rows.push_back(std::uint32_t(i));
                places.push_back(m_points[i]);
            }
        }
        if (rows.empty())
            return;
        const CellsOfPoints cells = cellsOf(places);
        const std::vector<std::uint32_t> parts = partsOf(cells);
        std::vector<DeviationRegion> found;
        std::vector<std::size_t> numbers(cells.cells.size(), kNone);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::size_t& number = numbers[parts[cells.cellOf[i]]];
            if (number == kNone) {
                number = found.size();
                found.emplace_back();
            }
            add(rows[i], found[number]);
        }
        for (DeviationRegion& region : found) {
            region.mean /= double(region.points);
            regions.push_back(region);
        }
    }

private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    /// Indices of a cell along z, y, x. They are not limited, unlike those of a grid.
    using Cell = std::array<std::int64_t, 3>;
    struct CellHash {
        std::size_t operator()(const Cell& cell) const {
            std::uint64_t mixed = 0;
            for (const std::int64_t number : cell) { // hash with the constant of Fibonacci hashing
                mixed = (mixed ^ std::uint64_t(number)) * 0x9e3779b97f4a7c15u;
                mixed ^= mixed >> 32;
            }
            return std::size_t(mixed);
        }
    };
    struct CellsOfPoints {
        std::vector<Cell> cells;                                   ///< cells in the order of their first
                                                                   ///< points
        std::unordered_map<Cell, std::uint32_t, CellHash> indexOf; ///< index of each cell
        std::vector<std::uint32_t> cellOf;                         ///< index of each point's cell
    };

    CellsOfPoints cellsOf(const std::vector<Vec3f>& places) const {
        CellsOfPoints made;
        made.cellOf.reserve(places.size());
        for (const Vec3f& p : places) {
            if (made.cellOf.size() % 65536 == 0 && m_stop.stop_requested())
                throw Cancelled();
            const Vec3d at = p.as<double>() / m_options.regionCell;
            const auto whole = [](double v) { return std::int64_t(std::floor(std::clamp(v, -1e18, 1e18))); };
            const Cell cell{whole(at.z), whole(at.y), whole(at.x)};
            const auto [known, isNew] = made.indexOf.try_emplace(cell, std::uint32_t(made.cells.size()));
            if (isNew)
                made.cells.push_back(cell);
            made.cellOf.push_back(known->second);
        }
        return made;
    }
    /// Returns for each cell the first cell of its connected region. Cells that share a face, an edge or a
    /// corner are connected.
    std::vector<std::uint32_t> partsOf(const CellsOfPoints& made) const {
        const std::vector<Cell>& cells = made.cells;
        DisjointSets sets(cells.size(), m_stop);
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c % 65536 == 0 && m_stop.stop_requested())
                throw Cancelled();
            for (int slot = 14; slot < 27; ++slot) { // half of the 26 neighbours suffice, because connections
                                                     // are symmetric
                const Cell at{cells[c][0] + slot / 9 - 1, cells[c][1] + slot / 3 % 3 - 1,
                              cells[c][2] + slot % 3 - 1};
                if (const auto found = made.indexOf.find(at); found != made.indexOf.end())
                    sets.join(std::uint32_t(c), found->second);
            }
        }
        std::vector<std::uint32_t> parts(cells.size());
        for (std::size_t c = 0; c < cells.size(); ++c)
            parts[c] = sets.root(std::uint32_t(c));
        return parts;
    }
    void add(std::uint32_t row, DeviationRegion& region) const {
        const Vec3d p = m_points[row].as<double>() + m_origin;
        const auto d = double(m_distances[row]);
        if (region.points == 0)
            region.box = {p, p};
        for (int axis = 0; axis < 3; ++axis) {
            region.box.min[axis] = std::min(region.box.min[axis], p[axis]);
            region.box.max[axis] = std::max(region.box.max[axis], p[axis]);
        }
        if (region.points == 0 || std::abs(d) > std::abs(region.largest)) {
            region.largest = d;
            region.at = p;
        }
        region.mean += d; // the sum, until all points are added
        ++region.points;
    }

    std::span<const Vec3f> m_points;
    std::span<const float> m_distances;
    Vec3d m_origin;
    const DeviationOptions& m_options;
    const std::stop_token& m_stop;
};

} // namespace

DeviationRegions deviationRegions(std::span<const Vec3f> points, std::span<const float> distances,
                                  Vec3d origin, const DeviationOptions& options,
                                  const std::stop_token& stop) {
    std::vector<DeviationRegion> all;
    const RegionFinder finder(points, distances, origin, options, stop);
    finder.find(true, all);
    finder.find(false, all);
    DeviationRegions regions;
    regions.count = all.size();
    std::ranges::stable_sort(all, std::ranges::greater{},
                             [](const DeviationRegion& region) { return std::abs(region.largest); });
    all.resize(std::min(all.size(), options.maxRegions));
    regions.worst = std::move(all);
    return regions;
}

} // namespace scanloupe
