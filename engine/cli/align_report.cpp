// Formats alignments as table rows and as JSON, with the trace of every registration.
#include "engine/cli/align_report.h"

#include <cmath>
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

Json verdictOf(const AlignedScan& scan, LengthUnit unit) {
    const ScanAlignment& a = scan.alignment;
    Json json = {{"word", describe(a.verdict.word)},
                 {"chance", a.verdict.chance},
                 {"reason", reasonText(scan, unit)},
                 {"next_step", nextStepText(a)}};
    if (a.alignedPoints == 0 || !a.hasPose)
        return json;
    const PoseEvidence& e = a.evidence;
    json["evidence"] = {{"surfaces", e.surfaces},
                        {"overlap", e.overlap},
                        {"agreement", e.agreement},
                        {"distance", e.distance},
                        {"score_ratio", e.scoreRatio},
                        {"sight_known", e.sightKnown},
                        {"seen_through", e.seenThrough},
                        {"slack", e.slack},
                        {"slide_ratio", e.slideRatio},
                        {"least_curvature", e.leastCurvature},
                        {"weak_directions", e.weakDirections}};
    if (e.searched || e.rival.ratio > 0)
        json["evidence"].update({{"rival_ratio", e.rival.ratio},
                                 {"rival_distance", e.rival.distance},
                                 {"rival_angle", e.rival.angle}});
    return json;
}

Json jsonOf(const AlignedScan& scan, LengthUnit unit) {
    const ScanAlignment& a = scan.alignment;
    Json json = {{"scan", scan.path.string()}, {"placed", a.placed()}};
    if (!scan.problem.empty())
        json["problem"] = scan.problem;
    json.update({{"pose", matrixOf(a.pose)},
                 {"start", matrixOf(a.start)},
                 {"points", a.points},
                 {"aligned_points", a.alignedPoints},
                 {"align_ms", a.alignMs},
                 {"evidence_ms", a.evidenceMs},
                 {"map_ms", a.mapMs}});
    json["verdict"] = verdictOf(scan, unit);
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

std::string reasonText(const AlignedScan& scan, LengthUnit unit) {
    const std::string in = unitText(unit);
    const PoseEvidence& e = scan.alignment.evidence;
    switch (scan.alignment.verdict.reason) {
    case PoseReason::none:
        return "";
    case PoseReason::isReference:
        return "the others are aligned to it";
    case PoseReason::isGiven:
        return "it was given";
    case PoseReason::noPose:
        return scan.problem;
    case PoseReason::notConverged:
        return describe(scan.alignment.ndt.end);
    case PoseReason::littleOverlap:
        return fmt::format("{:.0f} % of its surfaces lie by any of the others", 100 * e.overlap);
    case PoseReason::surfacesDiffer:
        return fmt::format("{:.0f} % of the surfaces agree, {:.3g} {} apart", 100 * e.agreement, e.distance,
                           in);
    case PoseReason::lowScore:
        return fmt::format("its points score {:.0f} % of what they score by themselves", 100 * e.scoreRatio);
    case PoseReason::seenThrough:
        return fmt::format("{:.0f} % of the points float where the other scan saw farther",
                           100 * e.seenThrough);
    case PoseReason::weakDirections:
        return fmt::format("it may slide along a direction that hardly anything holds, by {:.2g} {} and more",
                           e.slack, in);
    case PoseReason::rival:
        return fmt::format("another pose, {:.3g} {} and {:.0f} degrees away, fits {:.0f} % as well",
                           e.rival.distance, in, e.rival.angle / kDegree, 100 * e.rival.ratio);
    }
    return "";
}

std::string nextStepText(const ScanAlignment& a) {
    const std::string moreSteps =
        a.hasPose && !a.evidence.converged ? "Let it take more steps (--max-iterations). " : "";
    switch (a.verdict.reason) {
    case PoseReason::none:
    case PoseReason::isReference:
    case PoseReason::isGiven:
        return "";
    case PoseReason::notConverged:
        return "Let it take more steps (--max-iterations), or look for it (--search).";
    case PoseReason::weakDirections:
        return moreSteps + "Nothing tells where it is along them; finer cells (--resolution) may.";
    case PoseReason::rival:
        return moreSteps +
               (a.evidence.searched
                    ? "Begin at a pose that you know, without --search (--start), or tell the two "
                      "apart by finer cells (--resolution)."
                    : "Look whether it is turned; finer cells (--resolution) may tell the two apart.");
    default:
        return moreSteps + (a.evidence.searched ? "Search farther (--search) or take larger cells "
                                                  "(--resolution); or they show two places."
                                                : "Look for it (--search 5), or begin nearer (--start, "
                                                  "--start-poses) or with larger cells "
                                                  "(--resolution); or they show two places.");
    }
}

std::vector<std::string> alignHeader(LengthUnit unit) {
    const std::string in = " " + unitText(unit);
    return {"scan",    "x" + in, "y" + in, "z" + in,  "roll deg", "pitch deg",
            "yaw deg", "steps",  "score",  "overlap", "chance",   ""};
}

std::vector<std::string> alignRow(const AlignedScan& scan, LengthUnit unit) {
    const ScanAlignment& a = scan.alignment;
    const Vec3d at = a.shift(), angles = rollPitchYaw(a.pose) / kDegree;
    std::vector<std::string> row{scan.path.filename().string()};
    for (int axis = 0; axis < 3; ++axis)
        row.push_back(rounded(at[axis], 3));
    for (int axis = 0; axis < 3; ++axis)
        row.push_back(rounded(angles[axis], 2));
    if (a.alignedPoints == 0) {
        row.insert(row.end(), {"", "", "", "", scan.problem});
        return row;
    }
    const std::string reason = reasonText(scan, unit);
    row.insert(row.end(),
               {fmt::format("{}", a.ndt.iterations), fmt::format("{:.3f}", a.ndt.nvtl),
                fmt::format("{:.0f} %", 100 * a.overlap()),
                fmt::format("{:.0f} %", std::floor(100 * a.verdict.chance)),
                fmt::format("{}{}{}", describe(a.verdict.word), reason.empty() ? "" : ": ", reason)});
    return row;
}

std::string toJson(const AlignOutcome& outcome, LengthUnit unit) {
    constexpr const char* targets[] = {"first", "previous", "map"};
    Json scans = Json::array();
    for (const AlignedScanPtr& scan : outcome.scans)
        scans.push_back(jsonOf(*scan, unit));
    const Json json = {{"schema", "scanloupe/align/1"},
                       {"to", targets[int(outcome.params.to)]},
                       {"unit", unitText(unit)},
                       {"resolution", *outcome.params.resolution},
                       {"thinning", *outcome.params.thinning},
                       {"scans", std::move(scans)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace); // file names may be invalid UTF-8
}

} // namespace scanloupe::cli
