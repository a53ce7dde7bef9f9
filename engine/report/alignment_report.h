#pragma once
// Declares the report of an alignment: trajectory, residuals, verdicts, loops and times, as HTML.
#include "engine/align/align_scans.h"
#include "engine/reference/length_unit.h"

#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

struct AlignmentReport {
    const AlignOutcome& outcome; ///< must outlive the report
    LengthUnit unit = LengthUnit::unknown;
    std::vector<std::string> reasons =
        {}; ///< one per scan: the evidence against its pose, and the next step; or empty
    std::vector<std::pair<std::string, std::string>> settings = {}; ///< names and values
    std::string program = {}, date = {}; ///< "0.1.0 (commit 1a2b3c4d5e)", "2026-11-26 14:03 UTC"
};

/// One page without references to other files.
std::string toHtml(const AlignmentReport& report);

/// Positions of all scans from above with verdicts, weak directions and loops, as SVG.
std::string trajectorySvg(const AlignmentReport& report);

/// A figure of each scan.
struct ScanSeries {
    const char* caption;        ///< with its unit
    std::vector<double> values; ///< [scans] NaN: a scan has none
};
/// A series over the numbers of the scans, as SVG; empty where no scan has a value.
std::string seriesSvg(const ScanSeries& series);

} // namespace scanloupe
