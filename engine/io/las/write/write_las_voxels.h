#pragma once
// Declares the writer of voxels as LAS and LAZ.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// Writes a point for each voxel, at the mean of the voxel's points. The scale of coordinates is at most a
/// thousandth of a voxel's edge, unless the grid is too large. The number of points is stored in extra bytes
/// named `count`. Means of intensities and colours are rescaled to the standard fields as in writeLasCloud(),
/// and also stored unchanged as extra bytes. Classes are stored in their standard fields, or as extra bytes.
void writeLasVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
