#pragma once
// Declares the support of the kernels that fields gather with, and the layout of a field's lattice.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/surfel_element.h"

#include <vector>

namespace scanloupe {

/// Support of a kernel: an ellipsoid, since voxels may have three different edge lengths.
struct Support {
    Vec3f radius; ///< metres along x, y, z
    Vec3i reach;  ///< voxels along x, y, z within the radius; at most 7
};

/// Lattice of the field's nodes, and the supports that they gather from.
struct FieldLayout {
    LatticeShape lattice;
    int shift = 0;   ///< node of voxel (0, 0, 0), on each axis
    Support nodes;   ///< support around a node
    Support normals; ///< signed distance: support around a voxel, for its normal
};

/// @throws KernelError when the radius is out of range or the lattice can't be numbered.
FieldLayout layoutOf(const GridShape& shape, const FieldParams& params);
/// The layout for a grid. @throws KernelError also when it has no voxels.
FieldLayout layoutOf(const VoxelGrid& voxels, const FieldParams& params);

/// Factors of the support that a normal is estimated with, one after another until a plane is found.
inline constexpr int kSupportFactors[] = {1, 2, 4};
/// `times` the support, but limited to the neighbouring bricks: a lidar's rings lie far apart on the ground.
Support scaledSupport(const Support& support, int times);

/// The columns that normals come from, in the grid's memory. @throws KernelError when it has no such channels
SurfelSource surfelSource(const VoxelGrid& voxels, const NormalSource& source);

/// Smoothed occupancy: the weight of a voxel at offset (x, y, z) from a node; the weights sum up to 1: [z, y,
/// x], each from -reach to reach.
std::vector<float> smoothingWeights(const FieldLayout& layout);

/// The field of a raw volume, still without bricks. `samples`: number of values. @throws KernelError when
/// sizes do not match
ScalarField volumeLayout(std::size_t samples, const LatticeShape& lattice, bool clampBorder,
                         bool insideBelow);

} // namespace scanloupe
