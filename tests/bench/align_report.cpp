#include "tests/bench/align_report.h"

#include "engine/io/writers.h"
#include "kernels/core/parallel.h"
#include "tests/bench/report_head.h"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

AlignReport newAlignReport(const DeviceInfo& device) {
    auto report = reportFromNow<AlignReport>(device);
    report.threads = parallelThreads();
    return report;
}

void printAlignHead(const std::string& what) {
    fmt::print("\n{}\n  {:<26} {:>10} {:>10} {:>10} {:>5} {:>9}  {}\n", what, "method", "median ms", "min",
               "max", "iter.", "us/iter.", "");
}

void printAlignRow(const AlignRow& row) {
    fmt::print("  {:<26} {:>10.4f} {:>10.4f} {:>10.4f} {:>5} {:>9}  {}\n", row.method, row.medianMs,
               row.minMs, row.maxMs, row.iterations > 0 ? fmt::format("{}", row.iterations) : "",
               row.iterationUs > 0 ? fmt::format("{:.2f}", row.iterationUs) : "", row.note);
    std::fflush(stdout); // a run takes minutes
}

void writeAlignJson(const AlignReport& report, const std::filesystem::path& file) {
    nlohmann::ordered_json json = reportHead(report, {{"cpu_threads", report.threads}});
    for (const AlignRow& row : report.rows) {
        nlohmann::ordered_json entry{{"key", row.key()},          {"what", row.what},
                                     {"method", row.method},      {"repeats", row.repeats},
                                     {"median_ms", row.medianMs}, {"min_ms", row.minMs},
                                     {"max_ms", row.maxMs}};
        if (row.iterations > 0)
            entry["iterations"] = row.iterations;
        if (row.iterationUs > 0)
            entry["us_an_iteration"] = row.iterationUs;
        if (!row.note.empty())
            entry["note"] = row.note;
        json["rows"].push_back(std::move(entry));
    }
    writeAtomically(file, [&](std::ostream& out) { out << json.dump(1) << "\n"; });
}

} // namespace scanloupe::bench
