#pragma once
// How far around a node or voxel a field gathers.
#include "kernels/field/scalar_field.h"

namespace scanloupe::cpu {

/// An ellipsoid, so that voxels with three different edge lengths are reached alike.
struct Support {
    Vec3f radius; ///< metres along x, y, z
    Vec3i reach;  ///< voxels along x, y, z that can matter; at most 7
};

/// Where the field's nodes are, and what they gather from.
struct FieldLayout {
    LatticeShape lattice;
    int shift = 0;   ///< node of voxel (0, 0, 0), on each axis
    Support nodes;   ///< around a node
    Support normals; ///< signed distance: around a voxel, for its normal
};

/// @throws KernelError when there are no voxels, the radius is out of range or the lattice can't be numbered.
FieldLayout layoutOf(const VoxelGrid& voxels, const FieldParams& params);

} // namespace scanloupe::cpu
