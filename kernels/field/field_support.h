#pragma once
// How far around a node or voxel a field gathers.
#include "kernels/field/scalar_field.h"
#include "kernels/field/surfel_element.h"

#include <vector>

namespace scanloupe {

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

/// A normal is looked for in the support, and where that shows no plane, so many times as far.
inline constexpr int kSupportFactors[] = {1, 2, 4};
/// `times` as far, but no farther than the bricks around: a lidar's rings lie far apart on the ground.
Support scaledSupport(const Support& support, int times);

/// The columns that normals come from, in the grid's memory. @throws KernelError when it has no such channels
SurfelSource surfelSource(const VoxelGrid& voxels, const NormalSource& source);

/// Smoothed occupancy: what a voxel at (x, y, z) from a node counts there, 1 in all: [z, y, x], each from
/// -reach to reach.
std::vector<float> smoothingWeights(const FieldLayout& layout);

/// A raw volume's field, still without bricks. `samples`: how many values there are.
/// @throws KernelError when sizes do not match
ScalarField volumeLayout(std::size_t samples, const LatticeShape& lattice, bool clampBorder,
                         bool insideBelow);

} // namespace scanloupe
