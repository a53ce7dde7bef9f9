#pragma once
// Formats alignments as table rows and as JSON.
#include "engine/align/align_scans.h"
#include "engine/reference/length_unit.h"

#include <string>
#include <vector>

namespace scanloupe::cli {

/// The header row of alignRow()'s columns.
std::vector<std::string> alignHeader(LengthUnit unit);
/// A scan as one row of a table.
std::vector<std::string> alignRow(const AlignedScan& scan);

/// The whole result as JSON, including the iterations of every registration.
std::string toJson(const AlignOutcome& outcome);

} // namespace scanloupe::cli
