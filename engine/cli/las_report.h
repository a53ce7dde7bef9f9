#pragma once
// What `info` tells of the header and the records of a LAS or LAZ file.
#include "engine/cloud/point_cloud.h"

#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace scanloupe::cli {

/// Null when the cloud comes from no such file.
nlohmann::ordered_json lasJson(const PointCloud& cloud);
/// A line each of what is given; nothing when the cloud comes from no such file.
void printLas(const PointCloud& cloud, std::ostream& out);

} // namespace scanloupe::cli
