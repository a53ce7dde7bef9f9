#include "tests/bench/surface_report.h"

#include "engine/io/writers.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "tests/bench/compare_rows.h"
#include "tests/bench/report_head.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

namespace {
/// Measurements on one H200 from the manual's page on performance, milliseconds.
struct PageFigure {
    const char* method;
    const char* scene;
    int edge;
    double ms;
};
constexpr PageFigure kPage[] = {
    {"nvidia-sample", "gyroid", 128, 0.123}, {"nvidia-sample", "gyroid", 256, 0.505},
    {"nvidia-sample", "gyroid", 512, 3.49},  {"nvidia-sample", "spheres", 128, 0.112},
    {"nvidia-sample", "spheres", 512, 2.42},
};
constexpr double kPageTolerance = 0.25;
} // namespace

std::string SurfaceCase::title() const {
    const std::string size = edge > 0 ? fmt::format(" {}^3", edge) : "";
    return fmt::format("{}{}: {} bricks, {} of them active; {} active cells, {} vertices, {} triangles",
                       scene, size, bricks, activeBricks, activeCells, vertices, triangles);
}

std::string SurfaceRow::key() const {
    return fmt::format("{}/{}/{}", what.scene, what.edge, method);
}

std::optional<double> SurfaceRow::pageMs() const {
    for (const PageFigure& figure : kPage)
        if (method == figure.method && what.scene == figure.scene && what.edge == figure.edge)
            return figure.ms;
    return std::nullopt;
}

SurfaceReport newSurfaceReport(const DeviceInfo& device) {
    auto report = reportFromNow<SurfaceReport>(device);
    report.threads = parallelThreads();
    return report;
}

void printSurfaceCase(const SurfaceCase& what) {
    fmt::print("\n{}\n  {:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}  {}\n", what.title(), "method",
               "median ms", "min", "max", "Mtri/s", "ns/brick", "page ms",
               "classify, scan, compact, generate ms");
}

void printSurfaceRow(const SurfaceRow& row) {
    const auto page = row.pageMs();
    const bool off = page && std::abs(row.medianMs / *page - 1) > kPageTolerance;
    const auto steps = row.steps.value_or(StepTimes{});
    fmt::print("  {:<16} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.0f} {:>9.2f} {:>8}  {}{}\n", row.method,
               row.medianMs, row.minMs, row.maxMs, row.megatriangles(), row.nanosecondsABrick(),
               page ? fmt::format("{:.3g}", *page) : "",
               row.steps ? fmt::format("{:.4f} {:.4f} {:.4f} {:.4f}", steps.classifyMs, steps.scanMs,
                                       steps.compactMs, steps.generateMs)
                         : "",
               off ? "  <- off by over 25 %" : "");
    std::fflush(stdout); // show progress now: a run takes minutes
}

void writeSurfaceJson(const SurfaceReport& report, const std::filesystem::path& file) {
    nlohmann::ordered_json json = reportHead(report, {{"cpu_threads", report.threads}});
    for (const SurfaceRow& row : report.rows) {
        nlohmann::ordered_json entry{{"key", row.key()},
                                     {"scene", row.what.scene},
                                     {"edge", row.what.edge},
                                     {"method", row.method},
                                     {"bricks", row.what.bricks},
                                     {"active_bricks", row.what.activeBricks},
                                     {"active_cells", row.what.activeCells},
                                     {"vertices", row.what.vertices},
                                     {"triangles", row.what.triangles},
                                     {"repeats", row.repeats},
                                     {"median_ms", row.medianMs},
                                     {"min_ms", row.minMs},
                                     {"max_ms", row.maxMs},
                                     {"ns_a_brick", row.nanosecondsABrick()},
                                     {"mtriangles_per_s", row.megatriangles()}};
        if (row.steps)
            entry["steps_ms"] = {{"classify", row.steps->classifyMs},
                                 {"scan", row.steps->scanMs},
                                 {"compact", row.steps->compactMs},
                                 {"generate", row.steps->generateMs}};
        if (const auto page = row.pageMs())
            entry["page_ms"] = *page;
        json["rows"].push_back(std::move(entry));
    }
    writeAtomically(file, [&](std::ostream& out) { out << json.dump(1) << "\n"; });
}

void compareSurfaces(const SurfaceReport& report, const std::filesystem::path& file) {
    compareRows(report.rows, file);
}

} // namespace scanloupe::bench
