#pragma once
// Formats alignments as table rows, as JSON, and for reports.
#include "engine/align/align_scans.h"
#include "engine/reference/length_unit.h"
#include "engine/report/alignment_report.h"

#include <string>
#include <vector>

namespace scanloupe::cli {

/// The header row of alignRow()'s columns.
std::vector<std::string> alignHeader(LengthUnit unit);
/// A scan as one row of a table.
std::vector<std::string> alignRow(const AlignedScan& scan, LengthUnit unit);

/// The strongest evidence against a pose, as a clause.
std::string reasonText(const AlignedScan& scan, LengthUnit unit);
/// The next step, as a sentence; empty where none is needed.
std::string nextStepText(const ScanAlignment& alignment);

/// The number of closed loops, and the drift that they corrected; empty where none was tried.
std::string loopsText(const AlignOutcome& outcome, LengthUnit unit);

/// The contents of a report. @param outcome must outlive it
AlignmentReport alignmentReport(const AlignOutcome& outcome, LengthUnit unit);

/// The whole result as JSON, including the iterations of every registration.
std::string toJson(const AlignOutcome& outcome, LengthUnit unit);

} // namespace scanloupe::cli
