#pragma once
// Declares the writer of KITTI sweeps.
#include "engine/io/common/write/cloud_job.h"

#include <string>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Writes x, y, z, intensity as float32. @throws EngineError if the coordinates would lose too much in single
/// precision
void writeKittiBinCloud(std::ostream& stream, const CloudJob& job);
/// Adds messages without a full stop about the parts of a cloud that a sweep can't store.
void addKittiBinLosses(const PointCloud& cloud, const std::stop_token& stop,
                       std::vector<std::string>& losses);

} // namespace scanloupe::detail
