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
std::vector<std::string> alignRow(const AlignedScan& scan, LengthUnit unit);

/// What speaks most against a pose, as a clause.
std::string reasonText(const AlignedScan& scan, LengthUnit unit);
/// What to do about it, as a sentence; empty where there is nothing to do.
std::string nextStepText(const ScanAlignment& alignment);

/// The whole result as JSON, including the iterations of every registration.
std::string toJson(const AlignOutcome& outcome, LengthUnit unit);

} // namespace scanloupe::cli
