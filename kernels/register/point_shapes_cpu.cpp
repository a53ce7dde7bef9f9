// Samples points evenly and finds the planes around them on the CPU.
#include "kernels/change/point_search.h"
#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/point_plane.h"
#include "kernels/register/point_shapes.h"
#include "kernels/register/voxel_means.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

void checkPointShapes(const PointShapeParams& params) {
    if (params.neighbours != 0 &&
        (params.neighbours < int(kFewestNeighbours) || params.neighbours > kMaxNeighbours))
        throw KernelError("the number of points of a plane must be 0 or between 5 and " +
                              std::to_string(kMaxNeighbours) + " (got " + std::to_string(params.neighbours) +
                              ")",
                          "Choose such a number; 0 uses the points in the surrounding cells.");
}

namespace cpu {

namespace {

constexpr std::size_t kPointShapeGrain = 256; // number of points per chunk: takes some milliseconds

/// A place and the distance of its farthest neighbour. By the triangle inequality, the neighbours of another
/// place are at most that distance plus the distance between both places away; this limit shortens the
/// search. Points are visited cell by cell, so the previous place is near.
struct LastReach {
    Vec3f place;
    double reach = HUGE_VAL; ///< distance of its farthest neighbour, metres

    double squaredAt(Vec3f other) const {
        constexpr double rounding = 1 + 1e-6;
        const double farthest = reach + norm(other.as<double>() - place.as<double>());
        return farthest * farthest * rounding;
    }
};

/// Points from which neighbours are selected: the nearest points, or all points in the surrounding cells.
class NeighbourSource {
public:
    NeighbourSource(VoxelMeans cells, int wanted, const std::stop_token& stop)
        : m_cells(std::move(cells)), m_wanted(wanted) {
        if (wanted == 0)
            return;
        m_tree = buildPointBvh(m_cells.means, stop);
        m_search.emplace(TreePoints{m_tree.view(), m_cells.means.data()}, stop);
    }

    const VoxelMeans& cells() const { return m_cells; }
    const std::vector<Vec3f>& points() const { return m_cells.means; }
    /// @param last of the place before, or none; receives that of this one
    NeighbourPlane planeAround(Vec3f place, LastReach& last, CellsAround& around) const {
        NdtSums sums;
        const Vec3d origin = place.as<double>();
        const auto add = [&](std::size_t i) { sums.add(m_cells.means[i].as<double>() - origin); };
        if (m_wanted == 0) {
            around.forEach(place, add);
        } else {
            const Neighbours near = m_search->neighbours(place, m_wanted, last.squaredAt(place));
            last = {place,
                    near.count < m_wanted ? HUGE_VAL : std::sqrt(near.items[near.count - 1].squaredDistance)};
            for (int i = 0; i < near.count; ++i)
                add(near.items[i].item);
        }
        return planeThrough(sums);
    }

private:
    VoxelMeans m_cells;
    int m_wanted;
    Bvh m_tree;
    std::optional<PointSearch> m_search;
};

} // namespace

PointShapes findPointShapes(std::span<const Vec3f> points, const PointShapeParams& params,
                            const std::stop_token& stop) {
    checkPointShapes(params);
    std::vector<NeighbourSource> sources;
    sources.reserve(kSamplings);
    sources.emplace_back(voxelMeans(points, params.edge, stop), params.neighbours, stop);
    for (double edge = params.edge * kWiden; sources.size() < kSamplings; edge *= kWiden)
        sources.emplace_back(voxelMeans(sources.back().points(), edge, stop), params.neighbours, stop);

    PointShapes shapes;
    shapes.points = sources.front().points();
    shapes.normals.resize(shapes.size());
    shapes.planarity.resize(shapes.size());
    shapes.thickness.resize(shapes.size());
    parallelFor(shapes.size(), kPointShapeGrain, stop, [&](std::size_t begin, std::size_t end) {
        std::array<LastReach, kSamplings> last;
        std::vector<CellsAround> around;
        for (const NeighbourSource& source : sources)
            around.emplace_back(source.cells());
        for (std::size_t i = begin; i < end; ++i) {
            NeighbourPlane plane;
            for (std::size_t s = 0; s < sources.size() && !plane.spansPlane; ++s)
                plane = sources[s].planeAround(shapes.points[i], last[s], around[s]);
            if (!plane.spansPlane)
                continue;
            shapes.normals[i] = normalTowards(plane.normal, shapes.points[i],
                                              params.viewpoint ? &*params.viewpoint : nullptr);
            shapes.planarity[i] = plane.planarity;
            shapes.thickness[i] = plane.thickness;
        }
    });
    return shapes;
}

} // namespace cpu

} // namespace scanloupe
