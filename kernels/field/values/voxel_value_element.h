#pragma once
// Looks up the value of a field at the centre of one voxel, for both backends.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace scanloupe {

/// A field whose nodes are voxel centres, and the voxels to look up.
struct VoxelValues {
    GridShape shape;
    Vec3i brickDims;
    const std::uint64_t* voxelKeys; ///< [V] keys of the voxels
    const std::uint64_t* brickKeys; ///< [B] ascending brick keys
    std::size_t bricks;             ///< number B of bricks
    const float* values;            ///< [B, 512] values of the nodes

    /// Prepares the look-up. @throws KernelError for a field whose nodes are not voxel centres
    static VoxelValues of(const ScalarField& field, const VoxelGrid& voxels) {
        if (field.kind != FieldKind::occupancy && field.kind != FieldKind::density)
            throw KernelError("this field has no values at the centres of voxels",
                              "Choose occupancy or density.");
        return {voxels.shape,           field.brickDims,        voxels.keys.data(),
                field.brickKeys.data(), field.brickKeys.size(), field.values.data()};
    }
    HD float at(std::size_t voxel) const {
        // the lattice has one additional layer of nodes around the voxels
        const Vec3i node = shape.cell(voxelKeys[voxel]) + Vec3i{1, 1, 1};
        const Vec3i brick{node.x / kBrickEdge, node.y / kBrickEdge, node.z / kBrickEdge};
        const std::uint64_t key = brickKey(brick, brickDims);
        std::size_t low = 0, high = bricks;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (brickKeys[middle] < key)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == bricks || brickKeys[low] != key)
            return std::numeric_limits<float>::quiet_NaN(); // the field was computed from other voxels
        const Vec3i local = node - brick * kBrickEdge;
        return values[low * kBrickNodes +
                      static_cast<std::size_t>((local.z * kBrickEdge + local.y) * kBrickEdge + local.x)];
    }
};

} // namespace scanloupe
