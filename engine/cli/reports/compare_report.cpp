// Formats comparisons.
#include "engine/cli/reports/compare_report.h"

#include "engine/cli/output/text.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numbers>
#include <vector>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "scanloupe/compare/1";
constexpr std::size_t kShownRegions = 10;

Json jsonOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

/// @param metres length of the scan's unit in metres; positions are in the scan's frame and unit
Json jsonOf(const DeviationRegion& region, double metres) {
    return {{"largest", region.largest * metres},
            {"mean", region.mean * metres},
            {"points", region.points},
            {"at", jsonOf(region.at)},
            {"box", {{"min", jsonOf(region.box.min)}, {"max", jsonOf(region.box.max)}}}};
}

Json rowsOf(const RigidTransform& motion) {
    Json rows = Json::array();
    for (int row = 0; row < 3; ++row)
        rows.push_back({motion.rows[row].x, motion.rows[row].y, motion.rows[row].z, motion.translation[row]});
    return rows;
}

Json jsonOf(const Reference& reference, double scale) {
    Json json = {{"file", reference.name}, {"scale", scale}};
    if (const ReferenceMesh* mesh = reference.mesh()) {
        json["kind"] = "mesh";
        json["triangles"] = mesh->mesh.triangleCount();
        json["closed"] = mesh->topology.closed();
    } else {
        json["kind"] = "scan";
        json["points"] = reference.scan()->points.size();
        json["normals"] = reference.hasSigns();
    }
    json["warnings"] = reference.warnings;
    return json;
}

/// @param origin origin of the fit's coordinates, in the scan's frame
/// @param metres length of the scan's unit in metres
Json jsonOf(const Fit& fit, Vec3d origin, double metres) {
    Json covariance = Json::array();
    for (std::size_t r = 0; r < 6; ++r) {
        Json& row = covariance.emplace_back(Json::array());
        for (std::size_t c = 0; c < 6; ++c)
            row.push_back(fit.covariance[r][c] * (r < 3 ? 1 : metres) * (c < 3 ? 1 : metres));
    }
    const FitInScanFrame found = inScanFrame(fit.motion, fit.scale, origin);
    return {{"motion", rowsOf(found.motion)},
            {"scale", fit.scale},
            {"before", fit.before * metres},
            {"after", fit.after * metres},
            {"share", fit.share},
            {"iterations", fit.iterations},
            {"converged", fit.hasConverged},
            {"weak_directions", fit.weakDirections},
            {"middle", jsonOf(fit.middle + origin / fit.scale)},
            {"covariance", covariance}};
}

/// Formats a fraction as a percentage, rounded down, so that 99.999 % is not shown as 100 %.
std::string percent(double share) {
    return fmt::format("{} %", std::floor(1e4 * share) / 100);
}

} // namespace

std::string toText(const Comparison& comparison) {
    const Deviations& d = comparison.deviations;
    const std::string unit = unitText(comparison.unit);
    const auto length = [&](double value) { return fmt::format("{:+.6g} {}", value, unit); };
    std::string text;
    const auto line = [&](const char* label, const std::string& value) {
        text += fmt::format("{:<20}{}\n", label, value);
    };
    const Alignment& alignment = comparison.alignment;
    if (alignment.pairs)
        line("pairs", fmt::format("{} pairs, distance after alignment: rms {:.6g} {}, maximum {:.6g}",
                                  alignment.pairs->residuals.size(), alignment.pairs->rms, unit,
                                  *std::ranges::max_element(alignment.pairs->residuals)));
    if (alignment.fit) {
        const Fit& fit = *alignment.fit;
        line("fitted",
             fmt::format("median distance {} before, {} after; {} of the points used{}", length(fit.before),
                         length(fit.after), percent(fit.share), fit.hasConverged ? "" : "; not converged"));
        line("", fmt::format("standard deviation {:.2g} {} and {:.2g} degrees, from the residuals",
                             fit.shiftDeviation(), unit, fit.turnDeviation() * 180 / std::numbers::pi));
        if (fit.weakDirections > 0)
            line("", fmt::format("{} of {} degrees of freedom are not determined by the reference; the scan "
                                 "was not moved along them",
                                 fit.weakDirections, comparison.alignment.directions()));
    }
    if (alignment.referenceScale != 1)
        line("scale", fmt::format("the reference was scaled by {:.8g}", alignment.referenceScale));
    line("points", fmt::format("{} measured", d.points));
    if (d.notFinite > 0)
        line("", fmt::format("{} left out: coordinates not finite", d.notFinite));
    if (d.tooFar > 0)
        line("", fmt::format("{} left out: farther than the maximum distance", d.tooFar));
    if (d.turned > 0)
        line("", fmt::format("{} left out: angle between the normals too large", d.turned));
    if (d.atBorder > 0)
        line("", comparison.reference.mesh()
                     ? fmt::format("{} closest to the boundary of the open reference: their sign may not "
                                   "mean above or below the surface",
                                   d.atBorder)
                     : fmt::format("{} beyond the boundary of the reference: measured to its nearest point",
                                   d.atBorder));
    line("mean", length(d.mean));
    line("median", length(d.median));
    line("rms", fmt::format("{:.6g} {}", d.rms, unit));
    line("standard deviation", fmt::format("{:.6g} {}", d.standardDeviation, unit));
    line("largest", length(d.largest));
    if (d.gauss.exists())
        line("gauss fit", fmt::format("{} ± {:.6g} {}, for the bulk of the points", length(d.gauss.mean),
                                      d.gauss.deviation, unit));
    if (!comparison.tolerance)
        return text;
    line("tolerance", fmt::format("{:g} {}", *comparison.tolerance, unit));
    line("within", fmt::format("{} ({} above, {} below)", percent(d.shareWithin()), d.above, d.below));
    line("verdict", comparison.isAccepted() ? "within tolerance" : "outside tolerance");
    if (d.worst.empty())
        return text;
    std::vector<std::vector<std::string>> rows{{"worst places", "largest", "points", "x", "y", "z"}};
    for (std::size_t i = 0; i < std::min(kShownRegions, d.worst.size()); ++i) {
        const DeviationRegion& region = d.worst[i];
        rows.push_back({std::to_string(i + 1), length(region.largest), std::to_string(region.points),
                        fmt::format("{:.4f}", region.at.x), fmt::format("{:.4f}", region.at.y),
                        fmt::format("{:.4f}", region.at.z)});
    }
    constexpr std::size_t right[] = {1, 2, 3, 4, 5};
    text += '\n' + formatTable(rows, "", right);
    if (d.regions > kShownRegions)
        text += fmt::format("and {} more\n", d.regions - kShownRegions);
    return text;
}

std::string toJson(const Comparison& comparison) {
    const Deviations& d = comparison.deviations;
    const Reference& reference = comparison.reference;
    const double known = rowOf(comparison.unit).metres, metres = known > 0 ? known : 1;
    Json worst = Json::array();
    for (const DeviationRegion& region : d.worst)
        worst.push_back(jsonOf(region, metres));
    Json json = {
        {"schema", kSchema},
        {"scan", comparison.scan.path},
        {"reference", jsonOf(reference, comparison.scale)},
        {"scan_unit", unitText(comparison.unit)},
        {"points", d.points},
        {"left_out", {{"not_finite", d.notFinite}, {"too_far", d.tooFar}, {"turned", d.turned}}},
        {"at_border", d.atBorder},
        {"mean", d.mean * metres},
        {"median", d.median * metres},
        {"rms", d.rms * metres},
        {"standard_deviation", d.standardDeviation * metres},
        {"largest", d.largest * metres},
        {"gauss", {{"mean", d.gauss.mean * metres}, {"standard_deviation", d.gauss.deviation * metres}}}};
    if (comparison.tolerance) {
        json["tolerance"] = *comparison.tolerance * metres;
        json["within"] = d.shareWithin();
        json["above"] = d.above;
        json["below"] = d.below;
        json["accepted"] = comparison.isAccepted();
        json["regions"] = d.regions;
        json["worst"] = std::move(worst);
    }
    const Alignment& alignment = comparison.alignment;
    if (alignment.any())
        json["motion"] = rowsOf(alignment.motion);
    if (alignment.pairs) {
        Json residuals = Json::array();
        for (const double residual : alignment.pairs->residuals)
            residuals.push_back(residual * metres);
        json["pairs"] = {{"residuals", residuals},
                         {"rms", alignment.pairs->rms * metres},
                         {"scale", alignment.pairs->scale}};
    }
    if (alignment.fit) {
        json["fit"] = jsonOf(*alignment.fit, comparison.reference.origin, metres);
        json["fit"]["milliseconds"] = alignment.fitMs;
    }
    json["backend"] = d.measuredOnDevice ? "cuda" : "cpu";
    json["milliseconds"] = {{"tree", reference.treeMs}, {"distances", d.distances.cost.wallMs}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace scanloupe::cli
