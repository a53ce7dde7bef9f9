#pragma once
// Declares the writers of NumPy's .npy and .npz.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// Writes a structured array: ix, iy, iz, count, means, classes; preceded by `batch` if the options define
/// one.
void writeNpyVoxels(std::ostream& stream, const VoxelJob& job);

/// Writes an archive of arrays (see the manual): coordinates, counts, means, classes, points, and the grid.
void writeNpzVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
