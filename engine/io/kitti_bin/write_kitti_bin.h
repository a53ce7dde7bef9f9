#pragma once
// Declares the writer of KITTI sweeps.
#include "engine/io/common/write/cloud_job.h"

#include <string>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// x, y, z, intensity as float32. @throws EngineError when single precision would lose the coordinates
void writeKittiBinCloud(std::ostream& stream, const CloudJob& job);
/// Adds what the cloud loses in a sweep, a sentence each without its full stop.
void addKittiBinLosses(const PointCloud& cloud, const std::stop_token& stop,
                       std::vector<std::string>& losses);

} // namespace scanloupe::detail
