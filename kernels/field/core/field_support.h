#pragma once
// Declares the supports of the kernels that fields gather with, and the layout of a field's lattice.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/surfel_element.h"

#include <vector>

namespace scanloupe {

/// Support of a kernel: an ellipsoid, since voxels may have a different edge length along each axis.
struct Support {
    Vec3f radius; ///< metres along x, y, z
    Vec3i reach;  ///< number of voxels along x, y, z within the radius; at most 7
};

/// The lattice of a field's nodes, and the supports that the nodes gather from.
struct FieldLayout {
    LatticeShape lattice;
    int shift = 0;   ///< coordinate of the node of voxel (0, 0, 0), the same on each axis
    Support nodes;   ///< support around a node
    Support normals; ///< signed distance only: support around a voxel, for estimating its normal
};

/// Returns the layout of a field over a grid. @throws KernelError when the radius is out of range or the
/// lattice has too many nodes to index.
FieldLayout layoutOf(const GridShape& shape, const FieldParams& params);
/// Returns the layout of a field over occupied voxels. @throws KernelError as above, and when there are no
/// voxels.
FieldLayout layoutOf(const VoxelGrid& voxels, const FieldParams& params);

/// Factors by which the support for estimating a normal is enlarged, one after another, until a plane is
/// found.
inline constexpr int kSupportFactors[] = {1, 2, 4};
/// Returns the support enlarged by the factor `times`, but limited to the neighbouring bricks. Large supports
/// are needed on the ground, where the rings of a lidar are far apart.
Support scaledSupport(const Support& support, int times);

/// Returns the grid's columns that normals are computed from, together with the columns of `source`.
SurfelSource surfelSource(const VoxelGrid& voxels, const NormalSource& source);

/// Returns the smoothing weights of occupancy, [z, y, x], each index from -reach to reach: the weight of a
/// voxel at offset (x, y, z) from a node. The weights sum to 1.
std::vector<float> smoothingWeights(const FieldLayout& layout);

/// Returns the field of a raw volume, without bricks. `samples`: number of values. @throws KernelError when
/// the sizes do not match
ScalarField volumeLayout(std::size_t samples, const LatticeShape& lattice, bool clampBorder,
                         bool insideBelow);

} // namespace scanloupe
