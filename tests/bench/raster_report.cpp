#include "tests/bench/raster_report.h"

#include "engine/io/writers.h"
#include "kernels/core/error.h"
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
    std::uint64_t nominal;
    const char* picture;
    double ms;
};
constexpr PageFigure kPage[] = {
    {"graph", "bumpy", 100'000, "1080p", 0.0315},
    {"graph", "bumpy", 1'000'000, "1080p", 0.026},
    {"graph", "bumpy", 10'000'000, "1080p", 0.103},
    {"graph", "bumpy-shuffled", 10'000'000, "1080p", 0.403},
    {"graph", "bumpy", 100'000'000, "1080p", 0.758},
    {"graph", "bumpy", 1'000'000'000, "1080p", 7.1},
    {"graph", "large", 100, "1080p", 0.029},
    {"demo", "bumpy", 100'000, "1080p", 0.184},
    {"demo", "bumpy", 1'000'000, "1080p", 1.71},
    {"demo", "bumpy", 10'000'000, "1080p", 15.2},
    {"demo", "large", 100, "1080p", 1.99},
    {"graph", "points-shuffled", 10'000'000, "1080p", 0.139},
    {"graph", "points-morton", 10'000'000, "1080p", 0.077},
    {"graph", "points-scan", 10'000'000, "1080p", 0.069},
    {"graph", "points-shuffled", 1'000'000'000, "1080p", 7.91},
    {"graph", "points-morton", 1'000'000'000, "1080p", 4.65},
    {"graph", "points-scan", 1'000'000'000, "1080p", 3.16},
    {"whole-frame", "painter", 128, "1440p", 0.103},
};
constexpr double kPageTolerance = 0.25;
} // namespace

std::string RasterCase::title() const {
    return fmt::format("{}, {} primitives, {} x {}: {} pixels drawn", scene, primitives, width, height,
                       drawnPixels);
}

std::string RasterRow::key() const {
    return fmt::format("{}/{}/{}/{}", what.scene, what.nominal, what.picture, method);
}

std::optional<double> RasterRow::pageMs() const {
    for (const PageFigure& figure : kPage)
        if (method == figure.method && what.scene == figure.scene && what.nominal == figure.nominal &&
            what.picture == figure.picture)
            return figure.ms;
    return std::nullopt;
}

RasterReport newRasterReport(const DeviceInfo& device) {
    return reportFromNow<RasterReport>(device);
}

void printRasterCase(const RasterCase& what) {
    fmt::print("\n{}\n  {:<14} {:>9} {:>9} {:>9} {:>9} {:>8}\n", what.title(), "method", "median ms", "min",
               "max", "G/s", "page ms");
}

void printRasterRow(const RasterRow& row) {
    const auto page = row.pageMs();
    const bool baselineOff =
        page && row.method == "demo" && std::abs(row.medianMs / *page - 1) > kPageTolerance;
    fmt::print("  {:<14} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.2f} {:>8}{}\n", row.method, row.medianMs, row.minMs,
               row.maxMs, row.gigaprimitives(), page ? fmt::format("{:.3g}", *page) : "",
               baselineOff ? "  <- off by over 25 %" : "");
    std::fflush(stdout); // show progress now: a run takes a while
}

void writeRasterJson(const RasterReport& report, const std::filesystem::path& file) {
    nlohmann::ordered_json json =
        reportHead(report, {{"small_pixels", report.smallPixels}, {"medium_pixels", report.mediumPixels}});
    for (const RasterRow& row : report.rows) {
        nlohmann::ordered_json entry{{"key", row.key()},
                                     {"scene", row.what.scene},
                                     {"method", row.method},
                                     {"primitives", row.what.primitives},
                                     {"width", row.what.width},
                                     {"height", row.what.height},
                                     {"drawn_pixels", row.what.drawnPixels},
                                     {"repeats", row.repeats},
                                     {"median_ms", row.medianMs},
                                     {"min_ms", row.minMs},
                                     {"max_ms", row.maxMs},
                                     {"gprimitives_per_s", row.gigaprimitives()}};
        if (const auto page = row.pageMs())
            entry["page_ms"] = *page;
        json["rows"].push_back(std::move(entry));
    }
    writeAtomically(file, [&](std::ostream& out) { out << json.dump(1) << "\n"; });
}

void compareRasters(const RasterReport& report, const std::filesystem::path& file) {
    compareRows(report.rows, file);
}

} // namespace scanloupe::bench
