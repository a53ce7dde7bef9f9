#pragma once
// Declares the notes of a run: sentences for the user about choices and left-out data.
#include <string>
#include <vector>

namespace scanloupe {

/// A sentence about a run. A warning reports that data is missing, was left out, or gave no result; other
/// notes report choices and counts.
struct RunNote {
    std::string stage = {}; ///< as in the timings, such as "read"; empty: of no single stage
    std::string text = {};
    bool isWarning = false;

    bool operator==(const RunNote&) const = default;
};

using RunNotes = std::vector<RunNote>;

} // namespace scanloupe
