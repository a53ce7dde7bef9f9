#pragma once
// Declares the PLY writers.
#include "engine/io/common/write/cloud_job.h"
#include "engine/io/common/write/mesh_job.h"
#include "engine/io/common/write/voxel_rows.h"

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Binary, little endian. 64-bit integers become double, since PLY has none.
void writePlyCloud(std::ostream& stream, const CloudJob& job);
/// Adds what the cloud loses in PLY, a sentence each without its full stop.
void addPlyLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses);

/// Binary, little endian; coordinates are double when the origin is not zero, and a comment names the origin.
void writePlyMesh(std::ostream& stream, const MeshJob& job);

/// A vertex a voxel, at its mean. 64-bit integers become double, since PLY has none.
void writePlyVoxels(std::ostream& stream, const VoxelJob& job);

} // namespace scanloupe::detail
