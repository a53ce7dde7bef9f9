#pragma once
// What an alignment found, for people and for programs.
#include "engine/align/align_scans.h"

#include <string>
#include <vector>

namespace scanloupe::cli {

/// The heads of alignRow()'s columns.
std::vector<std::string> alignHeader();
/// A scan as one row of a table.
std::vector<std::string> alignRow(const AlignedScan& scan);

/// All there is to know as JSON, with the way of every scan to its place.
std::string toJson(const AlignOutcome& outcome);

} // namespace scanloupe::cli
