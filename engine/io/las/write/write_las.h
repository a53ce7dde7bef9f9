#pragma once
// Declares the LAS and LAZ writers.
#include "engine/io/common/write/cloud_job.h"

#include <string>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// A cloud read from a single LAS or LAZ file keeps the version, point format and VLRs of that file. Other
/// clouds get LAS 1.4, or 1.2 or 1.3 where they have values that only its point formats hold. Values without
/// a standard field become extra bytes; points without finite coordinates are left out.
/// @throws EngineError when a point record would be too long
void writeLasCloud(std::ostream& stream, const CloudJob& job);
/// As writeLasCloud, compressed. @throws EngineError in a build without LASzip, too
void writeLazCloud(std::ostream& stream, const CloudJob& job);
/// Adds what the cloud loses in LAS, a sentence each without its full stop.
void addLasLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses);

} // namespace scanloupe::detail
