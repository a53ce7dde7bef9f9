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

    /// Returns the new index of a voxel of the grid; kNoVoxel if it is removed.
    HD std::uint32_t placeOf(std::uint32_t voxel) const {
        const std::uint32_t before = lowerBound(removed, removedCount, voxel);
        if (before < removedCount && removed[before] == voxel)
            return kNoVoxel;
        return voxel - before + lowerBound(addedAt, addedCount, voxel + 1);
    }
    HD std::uint32_t placeOfAdded(std::uint32_t i) const {
        return addedAt[i] - lowerBound(removed, removedCount, addedAt[i]) + i;
    }
};

/// Returns the lists of a change on the host.
inline VoxelChangeView viewOf(const VoxelChange& change) {
    return {change.added.data(), change.addedAt.data(), change.removed.data(),
            std::uint32_t(change.added.size()), std::uint32_t(change.removed.size())};
}

/// Returns the centre of a voxel, in the grid's frame, metres.
HD inline Vec3f middleOfVoxel(const GridShape& shape, std::uint64_t key) {
    return shape.origin + (shape.cell(key).as<float>() + Vec3f{0.5f, 0.5f, 0.5f}) * shape.voxelSize;
}

} // namespace scanloupe
