// Removes reversed cells of a signed distance on the CPU.
#include "kernels/field/distance/reversed_cells.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/voxel_block.h"
#include "kernels/field/distance/reversed_element.h"

#include <array>
#include <bit>

namespace scanloupe::cpu {

namespace {

/// Computes the slopes and normals of one brick's cells. Use one object per thread.
class CellSlopes {
public:
    CellSlopes(const ScalarField& field, const GatheredSurfels& surfels,
               std::span<const std::uint32_t> around)
        : m_field(field), m_surfels(surfels), m_around(around),
          m_block(surfels.bricks, {1, 1, 1}), m_inverse{1 / field.lattice.spacing.x,
                                                        1 / field.lattice.spacing.y,
                                                        1 / field.lattice.spacing.z} {}

    /// Removes the reversed cells from `mask` [8].
    void run(std::size_t brick, std::uint64_t* mask) {
        bool isLoaded = false;
        for (int z = 0; z < kBrickEdge; ++z)
            for (std::uint64_t rest = mask[z]; rest != 0; rest &= rest - 1) {
                const int bit = std::countr_zero(rest);
                const Vec3i cell{bit % kBrickEdge, bit / kBrickEdge, z};
                float corners[8];
                if (!isCrossed(brick, cell, corners))
                    continue;
                if (!isLoaded)
                    m_block.load(&m_surfels.around[brick * kNeighbours]);
                isLoaded = true;
                if (isReversed(cellSlope(corners, m_inverse), normalAt(cell)))
                    mask[z] &= ~(std::uint64_t{1} << bit);
            }
    }

private:
    /// Returns whether the distance changes its sign between the corners of a cell, and all corners are
    /// known. Reads the corner values.
    bool isCrossed(std::size_t brick, Vec3i cell, float (&corners)[8]) const {
        int inside = 0;
        for (int i = 0; i < 8; ++i) {
            const Vec3i node = cell + Vec3i{i & 1, i >> 1 & 1, i >> 2};
            const std::uint32_t holder =
                m_around[brick * kNeighbours + neighbourSlot(node.x >> 3, node.y >> 3, node.z >> 3)];
            if (holder == kNoBrick)
                return false;
            const Vec3i local{node.x & 7, node.y & 7, node.z & 7};
            corners[i] = m_field.values[std::size_t{holder} * kBrickNodes +
                                        std::size_t((local.z * kBrickEdge + local.y) * kBrickEdge + local.x)];
            if (corners[i] != corners[i])
                return false;
            inside += corners[i] < 0;
        }
        return inside > 0 && inside < 8;
    }
    Vec3f normalOf(Vec3i at) const {
        return m_surfels.normals[m_block.voxels()[m_block.slot(at.x, at.y, at.z)].voxel];
    }
    bool isOccupied(Vec3i at) const { return (m_block.rowMask(at.y, at.z) >> (at.x + 1) & 1u) != 0; }
    /// Returns the normal of the cell's voxel; for an empty cell, the sum of the normals around it.
    Vec3f normalAt(Vec3i cell) const {
        if (isOccupied(cell))
            return normalOf(cell);
        Vec3f sum;
        for (int i = 0; i < 27; ++i) {
            const Vec3i at = cell + Vec3i{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
            if (isOccupied(at))
                sum = sum + normalOf(at);
        }
        return sum;
    }

    const ScalarField& m_field;
    const GatheredSurfels& m_surfels;
    std::span<const std::uint32_t> m_around;
    VoxelBlock m_block;
    Vec3f m_inverse;
};

} // namespace

void removeReversedCells(ScalarField& field, const GatheredSurfels& surfels,
                         std::span<const std::uint32_t> around, const std::stop_token& stop) {
    parallelFor(field.brickCount(), 64, stop, [&](std::size_t begin, std::size_t end) {
        CellSlopes slopes(field, surfels, around);
        for (std::size_t b = begin; b < end; ++b)
            slopes.run(b, &field.cellMask[b * kBrickEdge]);
    });
}

} // namespace scanloupe::cpu
