#pragma once
// Declares the report of an alignment: trajectory, residuals, ratings, loops and times, as HTML.
#include "engine/align/align_scans.h"
#include "engine/cloud/reference/length_unit.h"

#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

struct AlignmentReport {
    const AlignOutcome& outcome; ///< must outlive the report
    LengthUnit unit = LengthUnit::unknown;
    std::vector<std::string> reasons =
        {}; ///< one text per scan: the evidence against its pose, and the next step; may be empty
    std::vector<std::pair<std::string, std::string>> settings = {}; ///< names and values
    std::string program = {}, date = {}; ///< for example "0.1.0 (commit 1a2b3c4d5e)", "2026-11-26 14:03 UTC"
};

/// Returns the report as one self-contained HTML page.
std::string toHtml(const AlignmentReport& report);

/// Returns an SVG drawing of the positions of all scans seen from above, with ratings, undetermined
/// directions and loops.
std::string trajectorySvg(const AlignmentReport& report);

/// One value per scan, for a chart.
struct ScanSeries {
    const char* caption;        ///< title of the chart, with the unit
    std::vector<double> values; ///< [scans]; NaN: the scan has no value
};
/// Returns a chart of the series over the numbers of the scans, as SVG; empty if no scan has a value.
std::string seriesSvg(const ScanSeries& series);

} // namespace scanloupe
