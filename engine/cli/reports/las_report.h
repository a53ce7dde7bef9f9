#pragma once
// Declares the report of header fields and variable length records of a LAS or LAZ file, for the command
// `info`.
#include <nlohmann/json_fwd.hpp>
#include <ostream>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::cli {

/// Returns the header fields and records as JSON; null if the cloud is not from a single LAS or LAZ file.
nlohmann::ordered_json lasJson(const PointCloud& cloud);
/// Prints one line for each field that is set; nothing if the cloud is not from a single LAS or LAZ file.
void printLas(const PointCloud& cloud, std::ostream& out);

} // namespace scanloupe::cli
