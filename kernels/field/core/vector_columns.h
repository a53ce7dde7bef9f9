#pragma once
// Declares columns with the mean vector of each voxel, such as normals.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cstddef>

namespace scanloupe {

/// Mean vectors of voxels, as three columns in the memory of the voxels.
struct VectorColumns {
    const float *x = nullptr, *y = nullptr, *z = nullptr; ///< [V] each; null if there are no vectors
    Vec3f offset;                                         ///< added to each vector: the `min` of the features

    HD bool exist() const { return x != nullptr; }
    HD Vec3f at(std::size_t voxel) const { return Vec3f{x[voxel], y[voxel], z[voxel]} + offset; }
};

} // namespace scanloupe
