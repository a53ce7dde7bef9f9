#include "tests/bench/voxelize_report.h"

#include "engine/io/writers.h"
#include "kernels/core/error.h"
#include "tests/bench/compare_rows.h"
#include "tests/bench/report_head.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

namespace {

/// Measurements on one H200 from the manual's page on performance, milliseconds.
struct PageFigure {
    const char* method;
    const char* size;
    std::uint64_t points; // 0: the row of the recorded frame
    double scan, shuffled;
};
constexpr PageFigure kPage[] = {
    {"published-hash", "0.2", 0, 0.063, 0},
    {"published-hash", "0.2", 1'000'000, 0.32, 0.35},
    {"published-hash", "0.2", 10'000'000, 1.04, 1.6},
    {"published-hash", "0.2", 100'000'000, 11, 7.6},
    {"published-hash", "0.075x0.075x0.2", 0, 0.065, 0},
    {"published-hash", "0.075x0.075x0.2", 1'000'000, 0.45, 0.47},
    {"published-hash", "0.075x0.075x0.2", 10'000'000, 2.7, 4.8},
    {"published-hash", "0.075x0.075x0.2", 100'000'000, 9.8, 21},
    {"cub-radix-sort", "0.2", 0, 0.071, 0},
    {"cub-radix-sort", "0.2", 1'000'000, 0.13, 0.135},
    {"cub-radix-sort", "0.2", 10'000'000, 0.80, 0.89},
    {"cub-radix-sort", "0.2", 100'000'000, 7.1, 8.1},
    {"cub-radix-sort", "0.075x0.075x0.2", 0, 0.083, 0},
    {"cub-radix-sort", "0.075x0.075x0.2", 1'000'000, 0.155, 0.159},
    {"cub-radix-sort", "0.075x0.075x0.2", 10'000'000, 0.92, 1.01},
    {"cub-radix-sort", "0.075x0.075x0.2", 100'000'000, 7.7, 8.8},
};
constexpr double kPageTolerance = 0.25;

std::string shortCount(std::uint64_t points) {
    if (points % 1'000'000 == 0)
        return fmt::format("{} M", points / 1'000'000);
    if (points % 1'000 == 0)
        return fmt::format("{} k", points / 1'000);
    return fmt::format("{}", points);
}

std::string deviceLine(const Report& report) {
    const auto dotted = [](int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); };
    return fmt::format("{}, driver for CUDA {}, runtime {}, commit {}, {}; device copy {:.0f} GB/s (read and "
                       "written)",
                       report.device.name, dotted(report.device.driverVersion),
                       dotted(report.device.runtimeVersion), report.commit, report.date,
                       report.copyGigabytes);
}

bool withinTolerance(const Row& row) {
    return std::abs(row.medianMs / *row.pageMs() - 1) <= kPageTolerance;
}

/// The distinct values of `what(row)` over all rows, in row order.
template <class What>
auto distinct(const std::vector<Row>& rows, What&& what) {
    std::vector<decltype(what(rows.front()))> values;
    for (const Row& row : rows)
        if (auto value = what(row); std::find(values.begin(), values.end(), value) == values.end())
            values.push_back(std::move(value));
    return values;
}

void writeTable(const std::vector<Row>& rows, std::ostream& out) {
    const auto columns = distinct(rows, [](const Row& row) { return row.what.points; });
    const auto orders = distinct(rows, [](const Row& row) { return row.what.order; });
    out << fmt::format("### {}, {} m\n\nMedian, milliseconds; orders of points: {}.\n\n| method |",
                       rows.front().what.scene, rows.front().what.size, fmt::join(orders, " / "));
    for (const std::uint64_t points : columns)
        out << " " << shortCount(points) << " |";
    out << "\n|---|";
    for (std::size_t i = 0; i < columns.size(); ++i)
        out << "---|";
    out << "\n";
    for (const std::string& method : distinct(rows, [](const Row& row) { return row.method; })) {
        out << "| " << method << " |";
        for (const std::uint64_t points : columns) {
            std::vector<std::string> cell;
            for (const std::string& order : orders) {
                const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) {
                    return r.method == method && r.what.points == points && r.what.order == order;
                });
                cell.push_back(row == rows.end() ? "–" : fmt::format("{:.3g}", row->medianMs));
            }
            out << " " << fmt::format("{}", fmt::join(cell, " / ")) << " |";
        }
        out << "\n";
    }
    out << "\n";
}

} // namespace

std::string Case::title() const {
    return fmt::format("{}, {} points in order {}, voxels of {} m: {}", scene, shortCount(points), order,
                       size, voxels);
}

std::string Row::key() const {
    return fmt::format("{}/{}/{}/{}/{}", what.scene, what.points, what.order, what.size, method);
}

std::optional<double> Row::pageMs() const {
    for (const PageFigure& figure : kPage) {
        if (method != figure.method || what.size != figure.size)
            continue;
        const bool frame = what.scene == "frame" && figure.points == 0;
        const bool surface = what.scene == "surface" && figure.points == what.points;
        if ((frame || surface) && what.order == "scan")
            return figure.scan;
        if (surface && what.order == "shuffled")
            return figure.shuffled;
    }
    return std::nullopt;
}

Report newReport(const DeviceInfo& device) {
    return reportFromNow<Report>(device);
}

void printCase(const Case& what) {
    fmt::print("\n{}\n  {:<26} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>8}\n", what.title(), "method",
               "median ms", "min", "max", "Gpoints/s", "MB", "of copy", "page ms");
}

void printRow(const Row& row, const Report& report) {
    const auto page = row.pageMs();
    fmt::print("  {:<26} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.2f} {:>9.1f} {:>6.1f}% {:>8}{}\n", row.method,
               row.medianMs, row.minMs, row.maxMs, row.gigapoints(), double(row.bytes) / 1e6,
               100 * row.gigabytes() / report.copyGigabytes, page ? fmt::format("{:.3g}", *page) : "",
               page && !withinTolerance(row) ? "  <- off by over 25 %" : "");
    std::fflush(stdout); // show progress now: a run takes minutes
}

void printBaselines(const Report& report) {
    int compared = 0, within = 0;
    for (const Row& row : report.rows)
        if (row.pageMs()) {
            ++compared;
            within += withinTolerance(row) ? 1 : 0;
        }
    if (compared != 0)
        fmt::print(
            "\n{} of {} baseline figures are within 25 % of the page's, which were taken on an H200.\n",
            within, compared);
}

void writeJson(const Report& report, const std::filesystem::path& file) {
    nlohmann::ordered_json json = reportHead(report, {{"copy_gb_per_s", report.copyGigabytes}});
    for (const Row& row : report.rows) {
        nlohmann::ordered_json entry{{"key", row.key()},
                                     {"scene", row.what.scene},
                                     {"points", row.what.points},
                                     {"order", row.what.order},
                                     {"voxel_size", row.what.size},
                                     {"voxels", row.what.voxels},
                                     {"group", row.group},
                                     {"method", row.method},
                                     {"repeats", row.repeats},
                                     {"median_ms", row.medianMs},
                                     {"min_ms", row.minMs},
                                     {"max_ms", row.maxMs},
                                     {"gpoints_per_s", row.gigapoints()},
                                     {"bytes", row.bytes},
                                     {"share_of_copy", row.gigabytes() / report.copyGigabytes}};
        if (const auto page = row.pageMs())
            entry["page_ms"] = *page;
        json["rows"].push_back(std::move(entry));
    }
    writeAtomically(file, [&](std::ostream& out) { out << json.dump(1) << "\n"; });
}

void writeMarkdown(const Report& report, const std::filesystem::path& file) {
    writeAtomically(file, [&](std::ostream& out) {
        out << deviceLine(report) << ".\n\n";
        const auto tableOf = [](const Row& row) { return std::pair(row.what.scene, row.what.size); };
        for (const auto& table : distinct(report.rows, tableOf)) {
            std::vector<Row> rows;
            std::copy_if(report.rows.begin(), report.rows.end(), std::back_inserter(rows),
                         [&](const Row& row) { return tableOf(row) == table; });
            writeTable(rows, out);
        }
        out << "### Baselines beside the page's figures\n\n"
               "| baseline | scene | points | order | voxel, m | measured, ms | page, ms | within 25 % |\n"
               "|---|---|---|---|---|---|---|---|\n";
        for (const Row& row : report.rows)
            if (const auto page = row.pageMs())
                out << fmt::format("| {} | {} | {} | {} | {} | {:.3g} | {:.3g} | {} |\n", row.method,
                                   row.what.scene, shortCount(row.what.points), row.what.order, row.what.size,
                                   row.medianMs, *page, withinTolerance(row) ? "yes" : "no");
        if (!report.leftOut.empty())
            out << fmt::format("\nLeft out: {}.\n", fmt::join(report.leftOut, "; "));
    });
}

int compareWith(const Report& report, const std::filesystem::path& file) {
    return compareRows(report.rows, file);
}

} // namespace scanloupe::bench
