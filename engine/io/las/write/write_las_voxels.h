#pragma once
// Declares the writers of voxels as LAS and LAZ.
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// Writes a point for each voxel at its mean, rounded to less than a thousandth of an edge, with the number
/// of its points as extra bytes `count`. Means of intensities and colours are stretched to the standard
/// fields as writeLasCloud() does, and also stored unchanged; classes go to their fields.
void writeLasVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
