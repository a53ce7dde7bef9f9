#pragma once
// Declares the writers of NumPy's .npy and .npz.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// Writes a structured array with the fields ix, iy, iz, count, means and classes; before them the field
/// `batch` if VoxelArrays::batch is set.
void writeNpyVoxels(std::ostream& stream, const VoxelJob& job);

/// Writes an archive of arrays: coordinates, counts, means, classes, points, and the shape of the grid. The
/// manual describes the arrays.
void writeNpzVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
