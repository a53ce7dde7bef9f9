#pragma once
// Declares the means of points in the cells of a grid, sorted by cell, so that neighbouring cells are found
// without a tree.
#include "kernels/core/lower_bound.h"
#include "kernels/core/vec3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Keys of the cells of a grid around points: row-major, x in the lowest bits. There is an empty cell on each
/// side, so that keys of neighbours need no bounds check.
struct VoxelKeys {
    Vec3d low; ///< lowest corner of the first cell that contains points, metres
    double inverseEdge = 1;
    int bitsX = 0, bitsY = 0, bitsZ = 0;

    HD int bits() const { return bitsX + bitsY + bitsZ; }
    /// difference between the keys of neighbours along y
    HD std::uint64_t rowStep() const { return std::uint64_t{1} << bitsX; }
    /// difference between the keys of neighbours along z
    HD std::uint64_t layerStep() const { return std::uint64_t{1} << (bitsX + bitsY); }
    /// Returns the key of a point's cell. @param p within the bounding box of the points
    HD std::uint64_t key(Vec3f p) const {
        const Vec3d place = (p.as<double>() - low) * inverseEdge; // never below 0
        const auto cell = [](double x) { return static_cast<std::uint64_t>(x) + 1; };
        return cell(place.z) << (bitsX + bitsY) | cell(place.y) << bitsX | cell(place.x);
    }
};

/// Calls `take(index)` for each occupied cell among that of `p` and its 26 neighbours, in ascending order of
/// keys.
/// @param keys [count] keys of the occupied cells, ascending
template <class Take>
HD void forCellsAround(const VoxelKeys& grid, const std::uint64_t* keys, std::uint32_t count, Vec3f p,
                       Take&& take) {
    const std::uint64_t middle = grid.key(p);
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y) {
            const std::uint64_t first = middle + static_cast<std::uint64_t>(z) * grid.layerStep() +
                                        static_cast<std::uint64_t>(y) * grid.rowStep() - 1;
            for (std::uint32_t at = lowerBound(keys, count, first); at < count && keys[at] <= first + 2; ++at)
                take(at);
        }
}

/// Means of the points in each cell, ascending by key.
struct VoxelMeans {
    VoxelKeys grid;
    std::vector<std::uint64_t> keys; ///< [M]
    std::vector<Vec3f> means;        ///< [M, 3] metres
};

/// Does what forCellsAround() does, for many points on the CPU: each search begins where the previous one
/// ended, which is nearby if the points are ordered by cell.
class CellsAround {
public:
    explicit CellsAround(const VoxelMeans& cells) : m_cells(cells) {}

    template <class Take>
    void forEach(Vec3f p, Take&& take) {
        const VoxelKeys& grid = m_cells.grid;
        const std::vector<std::uint64_t>& keys = m_cells.keys;
        std::uint64_t first = grid.key(p) - grid.layerStep() - grid.rowStep() - 1;
        for (std::size_t row = 0; row < m_begins.size(); ++row) {
            std::size_t at = m_begins[row] = firstNotBelow(first, m_begins[row]);
            for (; at < keys.size() && keys[at] <= first + 2; ++at)
                take(at);
            first += row % 3 < 2 ? grid.rowStep() : grid.layerStep() - 2 * grid.rowStep();
        }
    }

private:
    /// Returns the index of the first key that is not less than `key`.
    /// @param near an index to begin at; the closer, the faster
    std::size_t firstNotBelow(std::uint64_t key, std::size_t near) const {
        constexpr int maxSteps = 8;
        const std::vector<std::uint64_t>& keys = m_cells.keys;
        int steps = 0;
        for (; near > 0 && keys[near - 1] >= key; --near)
            if (++steps > maxSteps)
                return std::size_t(std::lower_bound(keys.begin(), keys.begin() + std::ptrdiff_t(near), key) -
                                   keys.begin());
        for (; near < keys.size() && keys[near] < key; ++near)
            if (++steps > maxSteps)
                return std::size_t(std::lower_bound(keys.begin() + std::ptrdiff_t(near), keys.end(), key) -
                                   keys.begin());
        return near;
    }

    const VoxelMeans& m_cells;
    std::array<std::size_t, 9> m_begins{};
};

/// Bounding box of the points that are finite, and their number.
struct FiniteBounds {
    Vec3f low{HUGE_VALF, HUGE_VALF, HUGE_VALF}, high{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    std::size_t finite = 0;
};
/// Returns the grid around some points. @throws KernelError for an edge that is not positive, or for more
/// than 2^21 cells along an axis
VoxelKeys voxelGrid(const FiniteBounds& bounds, double edge);

namespace cpu {
/// Averages the points in each cell. Points that are not finite are ignored. @throws as voxelGrid();
/// Cancelled
VoxelMeans voxelMeans(std::span<const Vec3f> points, double edge, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
