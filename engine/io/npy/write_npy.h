#pragma once
// Declares the writer of NumPy's .npy.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// A structured array: ix, iy, iz, count, means, classes.
void writeNpyVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
