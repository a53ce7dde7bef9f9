// Groups points out of tolerance by cells that touch.
#include "engine/inspect/deviation_regions.h"

#include "kernels/core/error.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe {

namespace {

/// Adds the connected parts of the points with distances on one side.
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

    /// Whole numbers of cells along z, y, x: of any distance, unlike those of a grid.
    using Cell = std::array<std::int64_t, 3>;
    struct CellsOfPoints {
        std::vector<Cell> cells;           ///< ascending
        std::vector<std::uint32_t> cellOf; ///< of each point
    };

    CellsOfPoints cellsOf(const std::vector<Vec3f>& places) const {
        std::vector<Cell> all;
        for (const Vec3f& p : places) {
            const Vec3d at = p.as<double>() / m_options.regionCell;
            const auto whole = [](double v) { return std::int64_t(std::floor(std::clamp(v, -1e18, 1e18))); };
            all.push_back({whole(at.z), whole(at.y), whole(at.x)});
        }
        CellsOfPoints made{all, {}};
        std::ranges::sort(made.cells);
        made.cells.erase(std::unique(made.cells.begin(), made.cells.end()), made.cells.end());
        for (const Cell& cell : all)
            made.cellOf.push_back(
                std::uint32_t(std::ranges::lower_bound(made.cells, cell) - made.cells.begin()));
        return made;
    }
    /// The first cell of each cell's connected part; those that share a corner touch.
    std::vector<std::uint32_t> partsOf(const CellsOfPoints& made) const {
        const std::vector<Cell>& cells = made.cells;
        DisjointSets sets(cells.size(), m_stop);
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c % 65536 == 0 && m_stop.stop_requested())
                throw Cancelled();
            for (int slot = 14; slot < 27; ++slot) { // those after it
                const Cell at{cells[c][0] + slot / 9 - 1, cells[c][1] + slot / 3 % 3 - 1,
                              cells[c][2] + slot % 3 - 1};
                const auto found = std::ranges::lower_bound(cells, at);
                if (found != cells.end() && *found == at)
                    sets.join(std::uint32_t(c), std::uint32_t(found - cells.begin()));
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
        region.mean += d; // the sum, until all are in
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
    all.resize(std::min(all.size(), options.mostRegions));
    regions.worst = std::move(all);
    return regions;
}

} // namespace scanloupe
