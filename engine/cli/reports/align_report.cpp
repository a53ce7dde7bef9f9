// Formats alignments as table rows, for HTML reports, and as JSON with the iterations of every registration.
#include "engine/cli/reports/align_report.h"

#include "engine/compute/build_info.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kAlongAxis = 0.99; // cosine of about 8 degrees: largest angle of a direction that counts as
                                    // along an axis
constexpr double kTurnedDegrees = 3;
constexpr const char* kMethodKeys[] = {"gicp", "vgicp", "plane", "ndt"};
constexpr const char* kTargetKeys[] = {"first", "previous", "map"};

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

Json traceOf(const NdtFit& ndt) {
    Json trace = Json::array();
    for (const NdtIteration& at : ndt.trace)
        trace.push_back({{"pose", matrixOf(at.pose)},
                         {"score", at.score},
                         {"gradient", at.gradient},
                         {"step", at.step},
                         {"pairs", at.pairs}});
    return trace;
}

/// Formats a number with a fixed number of decimals, but never as negative zero.
std::string rounded(double value, int digits) {
    const std::string text = fmt::format("{:.{}f}", value, digits);
    const bool nothing = text.find_first_of("123456789") == std::string::npos;
    return nothing && text.starts_with('-') ? text.substr(1) : text;
}

Json coordinatesOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

Json weakOf(const PoseEvidence& evidence) {
    Json all = Json::array();
    for (const WeakDirection& weak : evidence.weak)
        all.push_back({{"translation", coordinatesOf(weak.translation)},
                       {"rotation", coordinatesOf(weak.rotation)},
                       {"held", weak.held},
                       {"back", weak.back},
                       {"forth", weak.forth},
                       {"length", weak.length()},
                       {"bounded", weak.isBounded}});
    return all;
}

Json alternativesOf(const PoseEvidence& evidence) {
    Json all = Json::array();
    for (const PoseRival& rival : evidence.rivals)
        all.push_back({{"pose", matrixOf(rival.pose)},
                       {"shift", coordinatesOf(rival.shift)},
                       {"distance", rival.distance()},
                       {"angle", rival.angle},
                       {"overlap", rival.fit.overlap},
                       {"agreement", rival.fit.agreement},
                       {"seen_through", rival.fit.seenThrough},
                       {"lag", lagOf(rival, evidence)}});
    return all;
}

/// Describes a shift of a pose. If it is nearly parallel to an axis of the target, returns its length and
/// that axis, such as "1.20 m farther along x"; otherwise its length and heading in the xy plane.
std::string directionText(Vec3d shift, const std::string& in) {
    const double flat = std::hypot(shift.x, shift.y);
    for (const int axis : {0, 1, 2})
        if (std::abs(shift[axis]) > kAlongAxis * norm(shift))
            return fmt::format("{:.2f} {} {} {}", std::abs(shift[axis]), in,
                               shift[axis] > 0 ? "farther along" : "back along", "xyz"[axis]);
    return fmt::format("{:.2f} {} away, towards {:.0f} degrees from x", flat, in,
                       std::atan2(shift.y, shift.x) / kDegree);
}

/// Describes an alternative pose that fits about as well, relative to the estimated pose.
std::string alternativeText(const PoseRival& rival, const std::string& in) {
    const double degrees = rival.angle / kDegree;
    if (degrees < kTurnedDegrees)
        return "it also fits " + directionText(rival.shift, in);
    return fmt::format("it also fits rotated by {:.0f} degrees and {:.2f} {} away", degrees, rival.distance(),
                       in);
}

std::string weakText(const WeakDirection& weak, const std::string& in) {
    const std::string more = weak.isBounded ? "" : " or more";
    const double turn = norm(weak.rotation), shift = norm(weak.translation);
    if (turn > shift)
        return fmt::format("the surfaces do not determine its rotation; points may move by {:.2g} {}{}",
                           weak.length(), in, more);
    const Vec3d axis = weak.translation / shift;
    std::string along = fmt::format("({:.2f}, {:.2f}, {:.2f})", axis.x, axis.y, axis.z);
    for (const int k : {0, 1, 2})
        if (std::abs(axis[k]) > kAlongAxis)
            along = "xyz"[k];
    return fmt::format("the surfaces do not determine its position along {}; it may slide by {:.2g} {}{}",
                       along, weak.length(), in, more);
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
                        {"sight_known", e.sightKnown},
                        {"seen_through", e.seenThrough},
                        {"settle_distance", e.settleDistance},
                        {"settle_angle", e.settleAngle},
                        {"slack", e.slack},
                        {"weak_directions", weakOf(e)},
                        {"alternatives", alternativesOf(e)}};
    return json;
}

Json timesOf(const AlignTimes& times) {
    return {{"wall_ms", times.wallMs},
            {"read_ms", times.readMs},
            {"prepare_ms", times.prepareMs},
            {"upload_ms", times.uploadMs},
            {"upload_hidden_ms", times.uploadHiddenMs},
            {"align_ms", times.alignMs},
            {"evidence_ms", times.evidenceMs},
            {"map_ms", times.mapMs},
            {"wait_ms", times.waitMs},
            {"rewinds", times.rewinds}};
}

Json loopsOf(const AlignOutcome& outcome) {
    Json all = Json::array();
    for (const LoopEdge& loop : outcome.loops)
        all.push_back({{"from", loop.from},
                       {"to", loop.to},
                       {"motion", matrixOf(loop.motion)},
                       {"state", describe(loop.state)},
                       {"word", describe(loop.verdict.word)},
                       {"chance", loop.verdict.chance},
                       {"drift", loop.correction}});
    return all;
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
                 {"prepare_ms", a.prepareMs},
                 {"upload_ms", a.uploadMs},
                 {"align_ms", a.alignMs},
                 {"evidence_ms", a.evidenceMs},
                 {"map_ms", a.mapMs}});
    json["verdict"] = verdictOf(scan, unit);
    if (a.alignedPoints == 0)
        return json;
    const NdtFit& ndt = a.ndt;
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
        return "reference: the other scans are aligned to it";
    case PoseReason::isGiven:
        return "given by the user";
    case PoseReason::noPose:
        return scan.problem;
    case PoseReason::notConverged:
        return describe(scan.alignment.ndt.end);
    case PoseReason::littleOverlap:
        return fmt::format("only {:.0f} % of its surfaces overlap other scans", 100 * e.overlap);
    case PoseReason::surfacesDiffer:
        return fmt::format("only {:.0f} % of the surfaces agree, at a distance of {:.3g} {}",
                           100 * e.agreement, e.distance, in);
    case PoseReason::lowScore:
        return "its score is low";
    case PoseReason::seenThrough:
        return fmt::format("{:.0f} % of the points lie in space that the other scan saw as free",
                           100 * e.seenThrough);
    case PoseReason::weakDirections:
        return e.weak.empty() ? "the surfaces do not determine its position along one direction"
                              : weakText(e.weak.front(), in);
    case PoseReason::rival:
        return e.rivals.empty() ? "another pose fits about as well" : alternativeText(e.rivals.front(), in);
    case PoseReason::unsettled:
        return fmt::format("the surfaces fit better after moving it by {:.3g} {} and {:.2g} degrees",
                           e.settleDistance, in, e.settleAngle / kDegree);
    }
    return "";
}

std::string nextStepText(const ScanAlignment& a) {
    const std::string moreSteps = a.hasPose && !a.evidence.converged
                                      ? "Increase the maximum number of iterations (--max-iterations). "
                                      : "";
    switch (a.verdict.reason) {
    case PoseReason::none:
    case PoseReason::isReference:
    case PoseReason::isGiven:
        return "";
    case PoseReason::notConverged:
        return "Increase the maximum number of iterations (--max-iterations), or search for the pose "
               "(--search).";
    case PoseReason::weakDirections:
        return moreSteps +
               "Both scans look the same along this direction: start from a known pose (--start), or add a "
               "scan of an area with more structure.";
    case PoseReason::rival:
        return moreSteps + (a.evidence.searched
                                ? "Start from a known pose (--start), without --search."
                                : "Check which pose is right, and start from a known pose (--start).");
    default:
        return moreSteps +
               (a.evidence.searched
                    ? "Increase the search radius (--search), or use larger cells (--resolution)."
                    : "Search for the pose (--search 5), start closer to it (--start, --start-poses), or use "
                      "larger cells "
                      "(--resolution).") +
               " Also check that the scans show the same place, are in the order in which they were taken, "
               "and "
               "have the same axes, without mirroring.";
    }
}

std::vector<std::string> alignHeader(LengthUnit unit) {
    const std::string in = " " + unitText(unit);
    return {"scan",    "x" + in, "y" + in, "z" + in,  "roll deg", "pitch deg",
            "yaw deg", "steps",  "agree",  "overlap", "chance",   ""};
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
               {fmt::format("{}", a.ndt.iterations), fmt::format("{:.0f} %", 100 * a.evidence.agreement),
                fmt::format("{:.0f} %", 100 * a.evidence.overlap),
                fmt::format("{:.0f} %", std::floor(100 * a.verdict.chance)),
                fmt::format("{}{}{}", describe(a.verdict.word), reason.empty() ? "" : ": ", reason)});
    return row;
}

std::string loopsText(const AlignOutcome& outcome, LengthUnit unit) {
    if (outcome.loops.empty())
        return "";
    double drift = 0;
    for (const LoopEdge& loop : outcome.loops)
        if (loop.state == LoopState::closed)
            drift = std::max(drift, loop.correction);
    const std::string closed =
        fmt::format("{} of {} candidates closed", outcome.closedLoops(), outcome.loops.size());
    return drift > 0 ? fmt::format("{}; corrected a drift of up to {:.3f} {}", closed, drift, unitText(unit))
                     : closed;
}

AlignmentReport alignmentReport(const AlignOutcome& outcome, LengthUnit unit) {
    const std::string in = " " + unitText(unit);
    AlignmentReport report{.outcome = outcome, .unit = unit};
    for (const AlignedScanPtr& scan : outcome.scans) {
        const std::string reason = scan->failed ? scan->problem : reasonText(*scan, unit),
                          step = scan->failed ? "" : nextStepText(scan->alignment);
        report.reasons.push_back(step.empty() ? reason : fmt::format("{}. {}", reason, step));
    }
    report.settings = {{"Method", kMethodKeys[int(outcome.params.method)]},
                       {"Aligned to", kTargetKeys[int(outcome.params.to)]},
                       {"Cells", fmt::format("{:g}{}", *outcome.params.resolution, in)}};
    if (const AlignTimes& times = outcome.times; times.wallMs > 0)
        report.settings.emplace_back(
            "Scans per second", fmt::format("{:.1f}", 1000 * double(outcome.scans.size()) / times.wallMs));
    if (const AlignTimes& times = outcome.times; times.uploadMs > 0)
        report.settings.emplace_back(
            "Uploads to the GPU", fmt::format("{:.1f} ms, {:.0f} % of it during registrations",
                                              times.uploadMs, 100 * times.uploadHiddenMs / times.uploadMs));
    report.program = versionAndCommit();
    report.date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
    return report;
}

std::string toJson(const AlignOutcome& outcome, LengthUnit unit) {
    Json scans = Json::array();
    for (const AlignedScanPtr& scan : outcome.scans)
        scans.push_back(jsonOf(*scan, unit));
    const Json json = {{"schema", "scanloupe/align/2"},
                       {"method", kMethodKeys[int(outcome.params.method)]},
                       {"to", kTargetKeys[int(outcome.params.to)]},
                       {"unit", unitText(unit)},
                       {"resolution", *outcome.params.resolution},
                       {"thinning", *outcome.params.thinning},
                       {"scans", std::move(scans)},
                       {"loops", loopsOf(outcome)},
                       {"times", timesOf(outcome.times)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace); // file names may be invalid UTF-8
}

} // namespace scanloupe::cli
