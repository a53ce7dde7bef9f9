#pragma once
// Reports header fields and variable length records of a LAS or LAZ file, for the command `info`.
#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::cli {

/// Null if the cloud is not from a single LAS or LAZ file.
nlohmann::ordered_json lasJson(const PointCloud& cloud);
/// Prints a line for each field that is set; nothing unless the cloud is from a single LAS or LAZ file.
void printLas(const PointCloud& cloud, std::ostream& out);

} // namespace scanloupe::cli
