#pragma once
// Computes the new indices of voxels after adding and removing voxels, for both backends.
#include "kernels/core/lower_bound.h"
#include "kernels/voxelize/splice/splice_voxels.h"

namespace scanloupe {

/// The lists of a VoxelChange as pointers.
struct VoxelChangeView {
    const std::uint64_t* added;
    const std::uint32_t *addedAt, *removed;
    std::uint32_t addedCount, removedCount;

    HD std::uint32_t placeOfAdded(std::uint32_t i) const {
        return addedAt[i] - lowerBound(removed, removedCount, addedAt[i]) + i;
    }
};

/// The new indices of ascending voxels of the grid, from one on, which needs no further search in the lists.
class VoxelPlaces {
public:
    HD VoxelPlaces(const VoxelChangeView& change, std::size_t first)
        : m_change(change),
          m_removed(lowerBound(change.removed, change.removedCount, static_cast<std::uint32_t>(first))),
          m_added(lowerBound(change.addedAt, change.addedCount, static_cast<std::uint32_t>(first + 1))) {}

    /// @param voxel the first or the next one @returns kNoVoxel if it is removed
    HD std::uint32_t of(std::size_t voxel) {
        while (m_added < m_change.addedCount && m_change.addedAt[m_added] <= voxel)
            ++m_added;
        if (m_removed < m_change.removedCount && m_change.removed[m_removed] == voxel) {
            ++m_removed;
            return kNoVoxel;
        }
        return static_cast<std::uint32_t>(voxel) - m_removed + m_added;
    }

private:
    VoxelChangeView m_change;
    std::uint32_t m_removed, m_added; ///< indices in the lists of the change
};

/// The lists of a change, on the host.
inline VoxelChangeView viewOf(const VoxelChange& change) {
    return {change.added.data(), change.addedAt.data(), change.removed.data(),
            std::uint32_t(change.added.size()), std::uint32_t(change.removed.size())};
}

/// Returns the centre of a voxel, in the grid's frame, metres.
HD inline Vec3f middleOfVoxel(const GridShape& shape, std::uint64_t key) {
    return shape.origin + (shape.cell(key).as<float>() + Vec3f{0.5f, 0.5f, 0.5f}) * shape.voxelSize;
}

} // namespace scanloupe
