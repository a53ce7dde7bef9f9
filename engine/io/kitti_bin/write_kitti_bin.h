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
/// Adds what a cloud loses in a sweep, as messages without a full stop.
void addKittiBinLosses(const PointCloud& cloud, const std::stop_token& stop,
                       std::vector<std::string>& losses);

} // namespace scanloupe::detail
