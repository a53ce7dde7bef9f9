#pragma once
// Declares VoxelBlock: the voxels of a brick and of a halo around it, loaded once so that gathering needs no
// searches.
#include "kernels/field/core/voxel_bricks.h"

#include <cstdint>
#include <vector>

namespace scanloupe::cpu {

/// One voxel of a block.
struct BlockVoxel {
    std::uint32_t voxel; ///< index of the voxel in the grid
    std::int8_t x, y, z; ///< position relative to the brick's first node
    bool inBrick;        ///< false in the halo
};

/// The voxels of one brick at a time and of its halo. Use one object per thread and load bricks one after
/// another.
class VoxelBlock {
public:
    /// @param halo number of voxels on each side, at most 7 per axis
    VoxelBlock(const VoxelBricks& bricks, Vec3i halo);
    /// Loads a brick. @param neighbours [27] indices into the list of voxel bricks
    void load(const std::uint32_t* neighbours);

    /// Returns all voxels, ordered by z, y, x.
    const std::vector<BlockVoxel>& voxels() const { return m_voxels; }
    /// Returns the occupied voxels of a row: bit x + halo.x is the voxel at x. y and z are within the brick
    /// or its halo.
    std::uint32_t rowMask(int y, int z) const { return m_rows[rowIndex(y, z)]; }
    /// Returns the index in voxels() of an occupied voxel.
    std::size_t slot(int x, int y, int z) const {
        return m_slots[rowIndex(y, z) * m_width + static_cast<std::size_t>(x + m_halo.x)];
    }
    Vec3i halo() const { return m_halo; }

private:
    std::size_t rowIndex(int y, int z) const {
        return static_cast<std::size_t>((z + m_halo.z) * (kBrickEdge + 2 * m_halo.y) + y + m_halo.y);
    }
    const VoxelBricks& m_bricks;
    Vec3i m_halo;
    std::size_t m_width;
    std::vector<std::uint32_t> m_rows;
    std::vector<std::uint32_t> m_slots; // index in voxels(); valid only where the row's bit is set
    std::vector<BlockVoxel> m_voxels;
};

} // namespace scanloupe::cpu
