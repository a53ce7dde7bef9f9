#pragma once
// Declares the writers of NumPy's .npy and .npz.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// A structured array: ix, iy, iz, count, means, classes; `batch` first if the options have one.
void writeNpyVoxels(std::ostream& stream, const VoxelJob& job);

/// An archive of arrays, see the manual: coordinates, counts, means, classes, points, and the grid.
void writeNpzVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
