#pragma once
// Declares formatting of alignments as table rows, as JSON, and for HTML reports.
#include "engine/align/align_scans.h"
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/report/alignment_report.h"

#include <string>
#include <vector>

namespace scanloupe::cli {

/// Returns the header row for the columns of alignRow().
std::vector<std::string> alignHeader(LengthUnit unit);
/// Returns the table row of a scan: pose, iterations, evidence and rating.
std::vector<std::string> alignRow(const AlignedScan& scan, LengthUnit unit);

/// Returns the strongest evidence against a pose, as a clause.
std::string reasonText(const AlignedScan& scan, LengthUnit unit);
/// Returns the suggested next step as a sentence; empty if none is needed.
std::string nextStepText(const ScanAlignment& alignment);

/// Returns the number of closed loops and the drift that they corrected; empty if no loop was tried.
std::string loopsText(const AlignOutcome& outcome, LengthUnit unit);

/// Returns the contents of an HTML report. @param outcome must outlive the result
AlignmentReport alignmentReport(const AlignOutcome& outcome, LengthUnit unit);

/// Returns the whole result as JSON, including the iterations of every registration.
std::string toJson(const AlignOutcome& outcome, LengthUnit unit);

} // namespace scanloupe::cli
