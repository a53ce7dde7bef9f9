// Loads the voxels of a brick and its halo.
#include "kernels/field/core/voxel_block.h"

#include <algorithm>
#include <bit>

namespace scanloupe::cpu {

VoxelBlock::VoxelBlock(const VoxelBricks& bricks, Vec3i halo)
    : m_bricks(bricks), m_halo(halo), m_width(static_cast<std::size_t>(kBrickEdge + 2 * halo.x)) {
    m_rows.resize(static_cast<std::size_t>((kBrickEdge + 2 * halo.y) * (kBrickEdge + 2 * halo.z)));
    m_slots.resize(m_rows.size() * m_width);
}

void VoxelBlock::load(const std::uint32_t* neighbours) {
    std::fill(m_rows.begin(), m_rows.end(), 0u);
    m_voxels.clear();
    for (int slot = 0; slot < static_cast<int>(kNeighbours); ++slot) {
        const std::uint32_t brick = neighbours[slot];
        if (brick == kNoBrick)
            continue;
        const Vec3i from = Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1} * kBrickEdge;
        for (std::uint32_t r = m_bricks.rowBegins[brick]; r < m_bricks.rowBegins[brick + 1]; ++r) {
            const VoxelRow& row = m_bricks.rows[r];
            const int y = from.y + row.row % kBrickEdge, z = from.z + row.row / kBrickEdge;
            if (y < -m_halo.y || y >= kBrickEdge + m_halo.y || z < -m_halo.z || z >= kBrickEdge + m_halo.z)
                continue;
            std::uint32_t voxel = row.first;
            for (unsigned rest = row.mask; rest != 0; rest &= rest - 1, ++voxel) {
                const int x = from.x + std::countr_zero(rest) + m_halo.x;
                if (x < 0 || x >= static_cast<int>(m_width))
                    continue;
                m_rows[rowIndex(y, z)] |= 1u << x;
                // stores the voxel's index for now; replaced by its slot below
                m_slots[rowIndex(y, z) * m_width + static_cast<std::size_t>(x)] = voxel;
            }
        }
    }
    for (int z = -m_halo.z; z < kBrickEdge + m_halo.z; ++z) {
        for (int y = -m_halo.y; y < kBrickEdge + m_halo.y; ++y) {
            const std::size_t row = rowIndex(y, z);
            for (std::uint32_t rest = m_rows[row]; rest != 0; rest &= rest - 1) {
                const int x = std::countr_zero(rest);
                std::uint32_t& entry = m_slots[row * m_width + static_cast<std::size_t>(x)];
                const int local = x - m_halo.x;
                const bool inBrick =
                    local >= 0 && local < kBrickEdge && y >= 0 && y < kBrickEdge && z >= 0 && z < kBrickEdge;
                m_voxels.push_back({entry, static_cast<std::int8_t>(local), static_cast<std::int8_t>(y),
                                    static_cast<std::int8_t>(z), inBrick});
                entry = static_cast<std::uint32_t>(m_voxels.size() - 1);
            }
        }
    }
}

} // namespace scanloupe::cpu
