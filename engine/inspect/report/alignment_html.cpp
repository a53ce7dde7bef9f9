// Writes reports of alignments as HTML.
#include "engine/inspect/report/alignment_report.h"
#include "engine/inspect/report/html.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <numbers>

namespace scanloupe {

namespace {

constexpr std::size_t kMaxRows = 2000; // maximum number of listed scans with right poses
constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

Vec3d sensorAt(const AlignedScan& scan) {
    return scan.alignment.pose(scan.alignment.reference);
}

/// Whether the rating of a pose is based on its evidence, so that there are values to show.
bool hasFigures(const AlignedScan& scan) {
    return scan.alignment.hasPose && scan.alignment.evidence.surfaces > 0;
}

double scanMs(const ScanAlignment& a) {
    return a.prepareMs + a.alignMs + a.evidenceMs + a.mapMs;
}

/// Returns 0 for values below `least`, which avoids a negative sign.
double withoutNoise(double value, double least) {
    return std::abs(value) < least ? 0 : value;
}

const char* classOf(PoseWord word) {
    return word == PoseWord::right ? "within" : word == PoseWord::wrong ? "outside" : "doubtful";
}

void addSummary(std::string& html, const AlignmentReport& report) {
    const AlignOutcome& outcome = report.outcome;
    double length = 0, moved = 0, ms = 0;
    for (std::size_t i = 0; i < outcome.scans.size(); ++i) {
        ms += scanMs(outcome.scans[i]->alignment);
        if (i > 0)
            length += norm(sensorAt(*outcome.scans[i]) - sensorAt(*outcome.scans[i - 1]));
    }
    for (const LoopEdge& loop : outcome.loops)
        if (loop.state == LoopState::closed)
            moved = std::max(moved, loop.correction);
    const std::string in = " " + unitText(report.unit);
    html.append("<h2>Result</h2>\n<table>\n");
    addHtmlRow(html, "Scans", fmt::format("{}", outcome.scans.size()));
    addHtmlRow(
        html, "Poses",
        fmt::format("<span class=\"within\">{} right</span>, <span class=\"doubtful\">{} doubtful</span>, "
                    "<span class=\"outside\">{} wrong</span>",
                    outcome.countOf(PoseWord::right), outcome.countOf(PoseWord::doubtful),
                    outcome.countOf(PoseWord::wrong)));
    if (outcome.failedCount() > 0)
        addHtmlRow(html, "Not aligned", fmt::format("{}, due to errors", outcome.failedCount()));
    addHtmlRow(html, "Length of the trajectory", fmt::format("{:.6g}{}", length, in));
    if (!outcome.loops.empty())
        addHtmlRow(html, "Loops",
                   fmt::format("{} of {} candidates closed; corrected a drift of up to {:.3g}{}",
                               outcome.closedLoops(), outcome.loops.size(), moved, in));
    addHtmlRow(html, "Time",
               fmt::format("{:.1f} s, {:.0f} ms per scan, excluding reading", ms / 1000,
                           ms / double(std::max<std::size_t>(1, outcome.scans.size()))));
    for (const auto& [name, value] : report.settings)
        addHtmlRow(html, htmlEscaped(name).c_str(), htmlEscaped(value));
    addHtmlRow(html, "Scanloupe", htmlEscaped(report.program));
    addHtmlRow(html, "Date", report.date);
    html.append("</table>\n");
}

void addTrajectory(std::string& html, const AlignmentReport& report) {
    html.append("<h2>Trajectory from above</h2>\n<p>");
    html.append(trajectorySvg(report));
    html.append(
        "</p>\n<p class=\"caption\">x to the right, y up, in the frame of the first scan. Large dots: "
        "the first and the last scan. "
        "Green: right; orange: doubtful; red: wrong. Broad orange lines: the surfaces do not determine the "
        "pose along "
        "them. Blue lines: closed loops; dashed lines: candidates that were not used, red "
        "where the other motions contradict them.</p>\n");
}

void addSeries(std::string& html, const AlignmentReport& report) {
    const std::string in = unitText(report.unit);
    const std::string residual = "RMS distance of surfaces that agree, " + in;
    ScanSeries series[] = {{residual.c_str(), {}},
                           {"share of surfaces that agree, %", {}},
                           {"share of surfaces near the target's, %", {}},
                           {"time of a scan, ms", {}}};
    for (const AlignedScanPtr& scan : report.outcome.scans) {
        const PoseEvidence& e = scan->alignment.evidence;
        const bool isJudged = hasFigures(*scan);
        series[0].values.push_back(isJudged ? e.distance : kNoValue);
        series[1].values.push_back(isJudged ? 100 * e.agreement : kNoValue);
        series[2].values.push_back(isJudged ? 100 * e.overlap : kNoValue);
        series[3].values.push_back(scan->failed ? kNoValue : scanMs(scan->alignment));
    }
    html.append("<h2>Each scan</h2>\n");
    for (const ScanSeries& each : series)
        if (const std::string svg = seriesSvg(each); !svg.empty())
            fmt::format_to(std::back_inserter(html), "<p>{}</p>\n", svg);
}

void addLoopTable(std::string& html, const AlignmentReport& report) {
    const AlignOutcome& outcome = report.outcome;
    if (outcome.loops.empty())
        return;
    fmt::format_to(std::back_inserter(html),
                   "<h2>Loops</h2>\n<table class=\"places\">\n<tr><th>From</th><th>To</th><th>State</th>"
                   "<th>Drift {}</th><th>Pose</th></tr>\n",
                   unitText(report.unit));
    for (const LoopEdge& loop : outcome.loops)
        fmt::format_to(std::back_inserter(html),
                       "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.3f}</td><td class=\"{}\">{}</td></tr>\n",
                       loop.from + 1, loop.to + 1, describe(loop.state), loop.correction,
                       classOf(loop.verdict.word), describe(loop.verdict.word));
    html.append("</table>\n<p class=\"caption\">Drift: distance between the loop and the poses before the "
                "loop was closed. "
                "unsure: the pose of the loop is not rated right; alone: no other loop nearby confirms it; "
                "contradicted: the other "
                "motions do not allow it.</p>\n");
}

void addScanRow(std::string& html, const AlignmentReport& report, std::size_t number) {
    const AlignedScan& scan = *report.outcome.scans[number];
    const ScanAlignment& a = scan.alignment;
    const Vec3d at = a.shift(), angles = rollPitchYaw(a.pose) * (180 / std::numbers::pi);
    fmt::format_to(std::back_inserter(html),
                   "<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.2f}</td>"
                   "<td>{:.2f}</td><td>{:.2f}</td>",
                   number + 1, htmlEscaped(scan.path.filename().string()), withoutNoise(at.x, 5e-4),
                   withoutNoise(at.y, 5e-4), withoutNoise(at.z, 5e-4), withoutNoise(angles.x, 5e-3),
                   withoutNoise(angles.y, 5e-3), withoutNoise(angles.z, 5e-3));
    if (hasFigures(scan))
        fmt::format_to(std::back_inserter(html), "<td>{:.4f}</td><td>{:.0f} %</td>", a.evidence.distance,
                       100 * a.evidence.overlap);
    else
        html.append("<td></td><td></td>");
    fmt::format_to(std::back_inserter(html), "<td>{:.0f}</td><td class=\"{}\">{}</td></tr>\n", scanMs(a),
                   classOf(a.verdict.word), scan.failed ? "not aligned" : describe(a.verdict.word));
    const std::string& reason = report.reasons[number];
    if (!reason.empty() && a.verdict.word != PoseWord::right)
        fmt::format_to(std::back_inserter(html),
                       "<tr><td></td><td colspan=\"11\" class=\"caption why\">{}</td></tr>\n",
                       htmlEscaped(reason));
}

void addScanTable(std::string& html, const AlignmentReport& report) {
    const AlignOutcome& outcome = report.outcome;
    const std::string in = unitText(report.unit);
    fmt::format_to(std::back_inserter(html),
                   "<h2>Poses</h2>\n<table class=\"places\">\n<tr><th></th><th>Scan</th><th>x {0}</th>"
                   "<th>y {0}</th><th>z {0}</th><th>roll °</th><th>pitch °</th><th>yaw °</th>"
                   "<th>Residual {0}</th><th>Overlap</th><th>ms</th><th>Pose</th></tr>\n",
                   in);
    std::size_t right = 0, leftOut = 0;
    for (std::size_t i = 0; i < outcome.scans.size(); ++i) {
        const bool isRight = outcome.scans[i]->alignment.verdict.word == PoseWord::right;
        if (isRight && ++right > kMaxRows)
            ++leftOut;
        else
            addScanRow(html, report, i);
    }
    html.append("</table>\n");
    if (leftOut > 0)
        fmt::format_to(std::back_inserter(html), "<p>and {} more right poses; --poses writes all poses</p>\n",
                       leftOut);
}

} // namespace

std::string toHtml(const AlignmentReport& report) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Alignment of {0} scans"
        "</title><style>{1}.doubtful {{ color: #c77700; font-weight: bold; }}\n"
        ".places .why {{ text-align: left; }}\nsvg {{ max-width: 100%; height: auto; }}\n</style></head>\n"
        "<body>\n<h1>Alignment of {0} scans</h1>\n",
        report.outcome.scans.size(), kReportStyle);
    addSummary(html, report);
    addTrajectory(html, report);
    addLoopTable(html, report);
    addSeries(html, report);
    addScanTable(html, report);
    html.append("</body></html>\n");
    return html;
}

} // namespace scanloupe
