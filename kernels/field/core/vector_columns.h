#pragma once
// Columns of mean vectors of voxels, such as normals.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cstddef>

namespace scanloupe {

/// Mean vectors of voxels, as three columns where the voxels lie.
struct VectorColumns {
    const float *x = nullptr, *y = nullptr, *z = nullptr; ///< [V] each; null: there are none
    Vec3f offset;                                         ///< added to each vector: the features' `min`

    HD bool exist() const { return x != nullptr; }
    HD Vec3f at(std::size_t voxel) const { return Vec3f{x[voxel], y[voxel], z[voxel]} + offset; }
};

} // namespace scanloupe
