#pragma once
// Declares the LAS and LAZ writers.
#include "engine/io/common/write/cloud_job.h"

#include <string>
#include <vector>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

/// Writes a cloud as LAS. A cloud from a single LAS or LAZ file keeps its version, point format and VLRs.
/// Other clouds are written as LAS 1.4, or as 1.2 or 1.3 if an older point format is sufficient. Values
/// without a standard field become extra bytes. Points without finite coordinates are left out.
/// @throws EngineError if a point record would be too long
void writeLasCloud(std::ostream& stream, const CloudJob& job);
/// Like writeLasCloud(), compressed. @throws EngineError also in a build without LASzip
void writeLazCloud(std::ostream& stream, const CloudJob& job);
/// Adds what the cloud loses in LAS, as messages without a full stop.
void addLasLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses);

} // namespace scanloupe::detail
