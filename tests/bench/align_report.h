#pragma once
// Figures of the registration benchmark: printed as a table, written as JSON, and compared with an earlier
// run.
#include "kernels/core/device.h"

#include <filesystem>
#include <string>
#include <vector>

namespace scanloupe::bench {

struct AlignRow {
    std::string what;   ///< "5000 points, direct7"
    std::string method; ///< "cpu", "cuda", ...
    int repeats = 0;
    double medianMs = 0, minMs = 0, maxMs = 0;
    int iterations = 0;
    double iterationUs = 0; ///< microseconds per iteration, without the fixed cost of an alignment; 0:
                            ///< unknown
    std::string note;       ///< remarks

    std::string key() const { return what + "/" + method; } ///< identifies the row in a file of figures
};

struct AlignReport {
    DeviceInfo device;
    std::string commit, date;
    int threads = 0; ///< number of threads in the CPU's rows
    std::vector<AlignRow> rows;
    std::vector<std::string> leftOut; ///< rows that were not timed, with the reason
};

/// A report without rows, with this program's commit and the current date.
AlignReport newAlignReport(const DeviceInfo& device);
void printAlignHead(const std::string& what);
void printAlignRow(const AlignRow& row);
/// @throws EngineError
void writeAlignJson(const AlignReport& report, const std::filesystem::path& file);

} // namespace scanloupe::bench
