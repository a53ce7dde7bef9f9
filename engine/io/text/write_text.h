#pragma once
// Declares the writers of text.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// Writes a header of column names, followed by a row per point. The delimiter is a comma in .csv, otherwise
/// a blank. With blanks as delimiters, the header is a comment.
void writeTextCloud(std::ostream& stream, const CloudJob& job);

/// Writes CSV (RFC 4180) with the columns ix, iy, iz, count, means and classes.
void writeCsvVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
