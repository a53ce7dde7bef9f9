#include "tests/bench/align_report.h"

#include "engine/compute/build_info.h"
#include "engine/io/writers.h"
#include "kernels/core/parallel.h"

#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

AlignReport newAlignReport(const cuda::DeviceInfo& device) {
    AlignReport report;
    report.device = device;
    report.commit = buildInfo().commit;
    report.threads = parallelThreads();
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    report.date = text;
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
    nlohmann::ordered_json json{{"gpu", report.device.name},
                                {"multiprocessors", report.device.multiprocessors},
                                {"driver", report.device.driverVersion},
                                {"runtime", report.device.runtimeVersion},
                                {"cpu_threads", report.threads},
                                {"commit", report.commit},
                                {"date", report.date},
                                {"rows", nlohmann::ordered_json::array()},
                                {"left_out", report.leftOut}};
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
