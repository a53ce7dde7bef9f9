#pragma once
// Declares the PLY writers.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/common/write/mesh_job.h"
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Writes binary little-endian PLY. 64-bit integers become double, since PLY has no 64-bit integers.
void writePlyCloud(std::ostream& stream, const CloudJob& job);
/// Adds messages without a full stop about the parts of the cloud that PLY can't store.
void addPlyLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses);

/// Writes binary little-endian PLY. If the origin is not zero, coordinates are double, and a comment states
/// the origin.
void writePlyMesh(std::ostream& stream, const MeshJob& job);

/// Writes a vertex for each voxel, at the mean of its points. 64-bit integers become double, since PLY has no
/// 64-bit integers.
void writePlyVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
