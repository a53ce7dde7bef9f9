// Groups points out of tolerance by the cells of a grid that touch.
#include "engine/inspect/deviation_regions.h"

#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
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
        const auto tolerance = float(m_options.tolerance);
        for (std::size_t i = 0; i < m_points.size(); ++i)
            if (above ? m_distances[i] > tolerance : m_distances[i] < -tolerance) { // false for NaN
                rows.push_back(std::uint32_t(i));
                places.push_back(m_points[i]);
            }
        if (rows.empty())
            return;
        const VoxelGrid grid = cellsOf(places);
        const std::vector<std::uint32_t> parts = partsOf(grid);
        std::vector<DeviationRegion> found;
        std::vector<std::size_t> numbers(grid.size(), kNone);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            std::size_t& number = numbers[parts[grid.pointVoxel[i]]];
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

    VoxelGrid cellsOf(const std::vector<Vec3f>& places) const {
        VoxelizeParams params;
        params.rangeMin = params.rangeMax = places.front();
        for (const Vec3f& p : places) {
            params.rangeMin = min(params.rangeMin, p);
            params.rangeMax = max(params.rangeMax, p);
        }
        const auto cell = float(m_options.regionCell);
        params.voxelSize = {cell, cell, cell};
        params.rangeMax = params.rangeMax + params.voxelSize; // the upper faces of a range are outside
        return cpu::voxelize({places.data(), places.size(), {}}, params, m_stop);
    }
    /// The first cell of each cell's connected part.
    std::vector<std::uint32_t> partsOf(const VoxelGrid& grid) const {
        DisjointSets sets(grid.size(), m_stop);
        const auto keys = grid.keys.span();
        for (std::size_t v = 0; v < grid.size(); ++v) {
            const Vec3i cell = grid.shape.cell(keys[v]);
            for (int slot = 14; slot < 27; ++slot) { // those after it
                const Vec3i at = cell + Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
                if (at.x < 0 || at.y < 0 || at.z < 0 || at.x >= grid.shape.dims.x ||
                    at.y >= grid.shape.dims.y || at.z >= grid.shape.dims.z)
                    continue;
                const auto found = std::lower_bound(keys.begin(), keys.end(), grid.shape.key(at));
                if (found != keys.end() && *found == grid.shape.key(at))
                    sets.join(std::uint32_t(v), std::uint32_t(found - keys.begin()));
            }
        }
        std::vector<std::uint32_t> parts(grid.size());
        for (std::size_t v = 0; v < grid.size(); ++v)
            parts[v] = sets.root(std::uint32_t(v));
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
