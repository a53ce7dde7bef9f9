// Formats alignments as table rows and as JSON, with the trace of every registration.
#include "engine/cli/align_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegree = std::numbers::pi / 180;

Json matrixOf(const RigidTransform& pose) {
    Json rows = Json::array();
    for (int i = 0; i < 3; ++i)
        rows.push_back({pose.rows[i].x, pose.rows[i].y, pose.rows[i].z, pose.translation[i]});
    rows.push_back({0, 0, 0, 1});
    return rows;
}

template <std::size_t N>
Json rowsOf(const std::array<double, N>& values, std::size_t width) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < N; i += width)
        rows.push_back(std::vector<double>(values.begin() + std::ptrdiff_t(i),
                                           values.begin() + std::ptrdiff_t(i + width)));
    return rows;
}

Json traceOf(const NdtResult& ndt) {
    Json trace = Json::array();
    for (const NdtIteration& at : ndt.trace)
        trace.push_back({{"pose", matrixOf(at.pose)},
                         {"score", at.score},
                         {"gradient", at.gradient},
                         {"step", at.step},
                         {"pairs", at.pairs}});
    return trace;
}

/// Fixed-point text without a negative zero.
std::string rounded(double value, int digits) {
    const std::string text = fmt::format("{:.{}f}", value, digits);
    const bool nothing = text.find_first_of("123456789") == std::string::npos;
    return nothing && text.starts_with('-') ? text.substr(1) : text;
}

Json jsonOf(const AlignedScan& scan) {
    const ScanAlignment& a = scan.alignment;
    Json json = {{"scan", scan.path.string()}, {"placed", a.placed}};
    if (!scan.problem.empty())
        json["problem"] = scan.problem;
    json.update({{"pose", matrixOf(a.pose)},
                 {"start", matrixOf(a.start)},
                 {"points", a.points},
                 {"aligned_points", a.alignedPoints},
                 {"align_ms", a.alignMs},
                 {"map_ms", a.mapMs}});
    if (a.alignedPoints == 0)
        return json;
    const NdtResult& ndt = a.ndt;
    json["ndt"] = {{"end", describe(ndt.end)},
                   {"converged", ndt.converged()},
                   {"iterations", ndt.iterations},
                   {"score", ndt.score},
                   {"nvtl", ndt.nvtl},
                   {"points_with_cell", ndt.pointsWithCell},
                   {"covariance", rowsOf(ndt.geometry.covariance, 6)},
                   {"hessian", rowsOf(ndt.geometry.hessian, 6)},
                   {"eigenvalues", ndt.geometry.eigenvalues},
                   {"directions", rowsOf(ndt.geometry.directions, 6)},
                   {"degenerate", ndt.geometry.degenerate},
                   {"iteration", traceOf(ndt)}};
    return json;
}

} // namespace

std::vector<std::string> alignHeader(LengthUnit unit) {
    const std::string in = " " + unitText(unit);
    return {"scan",    "x" + in, "y" + in, "z" + in,  "roll deg", "pitch deg",
            "yaw deg", "steps",  "score",  "overlap", ""};
}

std::vector<std::string> alignRow(const AlignedScan& scan) {
    const ScanAlignment& a = scan.alignment;
    const Vec3d at = a.shift(), angles = rollPitchYaw(a.pose) / kDegree;
    std::vector<std::string> row{scan.path.filename().string()};
    for (int axis = 0; axis < 3; ++axis)
        row.push_back(rounded(at[axis], 3));
    for (int axis = 0; axis < 3; ++axis)
        row.push_back(rounded(angles[axis], 2));
    if (a.alignedPoints == 0) {
        row.insert(row.end(), {"", "", "", scan.problem});
        return row;
    }
    std::string remark = scan.problem.empty() && !a.ndt.converged() ? describe(a.ndt.end) : scan.problem;
    if (a.placed && a.hasLittleOverlap())
        remark += fmt::format("{}little overlap: look whether it is right", remark.empty() ? "" : ", ");
    if (a.placed && a.ndt.geometry.degenerate > 0)
        remark += fmt::format("{}{} of 6 directions held by almost nothing", remark.empty() ? "" : ", ",
                              a.ndt.geometry.degenerate);
    row.insert(row.end(), {fmt::format("{}", a.ndt.iterations), fmt::format("{:.3f}", a.ndt.nvtl),
                           fmt::format("{:.0f} %", 100 * a.overlap()), remark});
    return row;
}

std::string toJson(const AlignOutcome& outcome) {
    constexpr const char* targets[] = {"first", "previous", "map"};
    Json scans = Json::array();
    for (const AlignedScanPtr& scan : outcome.scans)
        scans.push_back(jsonOf(*scan));
    const Json json = {{"schema", "scanloupe/align/1"},
                       {"to", targets[int(outcome.params.to)]},
                       {"resolution", *outcome.params.resolution},
                       {"thinning", *outcome.params.thinning},
                       {"scans", std::move(scans)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace); // file names may be invalid UTF-8
}

} // namespace scanloupe::cli
