// Formats comparisons.
#include "engine/cli/compare_report.h"

#include "engine/cli/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace scanloupe::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "scanloupe/compare/1";
constexpr std::size_t kShownRegions = 10;

Json jsonOf(Vec3d v) {
    return {v.x, v.y, v.z};
}

/// @param metres of a unit of the scan; places stay in its frame
Json jsonOf(const DeviationRegion& region, double metres) {
    return {{"largest", region.largest * metres},
            {"mean", region.mean * metres},
            {"points", region.points},
            {"at", jsonOf(region.at)},
            {"box", {{"min", jsonOf(region.box.min)}, {"max", jsonOf(region.box.max)}}}};
}

/// Rounded down: what is not whole is not said to be.
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
    if (comparison.fit) {
        const MeshFit& fit = comparison.fit->first;
        line("fitted", fmt::format("median distance {} before, {} after; {} of the points count{}",
                                   length(fit.before), length(fit.after), percent(fit.share),
                                   fit.hasConverged ? "" : "; it was still moving"));
        if (fit.weakDirections > 0)
            line("", fmt::format(
                         "the reference does not hold {} of 6 directions: the scan was not moved along them",
                         fit.weakDirections));
    }
    line("points", fmt::format("{} measured", d.points));
    if (d.notFinite > 0)
        line("", fmt::format("{} left out: no coordinates", d.notFinite));
    if (d.tooFar > 0)
        line("", fmt::format("{} left out: too far away", d.tooFar));
    if (d.atBorder > 0)
        line("", fmt::format("{} nearest to the border of the open reference: their sign is only a side",
                             d.atBorder));
    line("mean", length(d.mean));
    line("median", length(d.median));
    line("rms", fmt::format("{:.6g} {}", d.rms, unit));
    line("standard deviation", fmt::format("{:.6g} {}", d.standardDeviation, unit));
    line("largest", length(d.largest));
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
    const ReferenceMesh& reference = comparison.reference;
    const double known = rowOf(comparison.unit).metres, metres = known > 0 ? known : 1;
    Json worst = Json::array();
    for (const DeviationRegion& region : d.worst)
        worst.push_back(jsonOf(region, metres));
    Json json = {{"schema", kSchema},
                 {"scan", comparison.scan.path},
                 {"reference",
                  {{"file", reference.name},
                   {"scale", comparison.scale},
                   {"triangles", reference.mesh.triangleCount()},
                   {"closed", reference.topology.closed()},
                   {"warnings", reference.warnings}}},
                 {"scan_unit", unitText(comparison.unit)},
                 {"points", d.points},
                 {"left_out", {{"not_finite", d.notFinite}, {"too_far", d.tooFar}}},
                 {"at_border", d.atBorder},
                 {"mean", d.mean * metres},
                 {"median", d.median * metres},
                 {"rms", d.rms * metres},
                 {"standard_deviation", d.standardDeviation * metres},
                 {"largest", d.largest * metres}};
    if (comparison.tolerance) {
        json["tolerance"] = *comparison.tolerance * metres;
        json["within"] = d.shareWithin();
        json["above"] = d.above;
        json["below"] = d.below;
        json["accepted"] = comparison.isAccepted();
        json["regions"] = d.regions;
        json["worst"] = std::move(worst);
    }
    if (comparison.fit) {
        const auto& [fit, motion] = *comparison.fit;
        Json rows = Json::array();
        for (int row = 0; row < 3; ++row)
            rows.push_back(
                {motion.rows[row].x, motion.rows[row].y, motion.rows[row].z, motion.translation[row]});
        json["fit"] = {{"motion", rows},
                       {"before", fit.before * metres},
                       {"after", fit.after * metres},
                       {"share", fit.share},
                       {"iterations", fit.iterations},
                       {"converged", fit.hasConverged},
                       {"weak_directions", fit.weakDirections}};
    }
    json["backend"] = d.measuredOnDevice ? "cuda" : "cpu";
    json["milliseconds"] = {{"tree", reference.treeMs}, {"distances", d.distances.cost.wallMs}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace scanloupe::cli
