#pragma once
// Declares the writers of text.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe::detail {

/// A header of column names, then rows. Values are delimited by commas in .csv, else by blanks; with
/// blanks the header is a comment.
void writeTextCloud(std::ostream& stream, const CloudJob& job);

/// CSV (RFC 4180): cell, count, means, classes.
void writeCsvVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
