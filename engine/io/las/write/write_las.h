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
/// Other clouds are written as LAS 1.4, or as 1.2 or 1.3 if an older point format is sufficient. Attributes
/// without a standard field become extra bytes. Points without finite coordinates are left out. @throws
/// EngineError if a point record would exceed 65535 bytes; Cancelled
void writeLasCloud(std::ostream& stream, const CloudJob& job);
/// Writes a compressed cloud as LAZ, otherwise like writeLasCloud(). @throws EngineError as writeLasCloud(),
/// or if the build has no LASzip; Cancelled
void writeLazCloud(std::ostream& stream, const CloudJob& job);
/// Adds messages without a full stop about the parts of the cloud that LAS can't store.
void addLasLosses(const PointCloud& cloud, const std::stop_token& stop, std::vector<std::string>& losses);

} // namespace scanloupe::detail
