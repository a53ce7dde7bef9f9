// Reads and checks the options of `compare`.
#include "engine/cli/compare_options.h"

#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/options.h"
#include "engine/cli/reading_options.h"
#include "engine/cloud/error.h"
#include "engine/cloud/reference/length_unit.h"
#include "engine/edit/edits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace scanloupe::cli {

namespace {

/// Adds an option whose value is one of the keys of an enum.
template <class Enum, std::size_t size>
void addKeys(Command command, const char* name, Enum& value, const char* const (&keys)[size],
             const char* description) {
    std::map<std::string, Enum> values;
    std::string list;
    for (std::size_t i = 0; i < size; ++i) {
        values.emplace(keys[i], Enum(i));
        list += (i > 0 ? "|" : "") + std::string(keys[i]);
    }
    command.choice(name, value, values, description).typeName(list).showDefault(keys[std::size_t(value)]);
}

void addFitOptions(Command command, CompareOptions& options) {
    command
        .option("--pairs", options.pairs,
                "Align the scan with the reference by picked point pairs: a text file with three or more "
                "lines x y z x y "
                "z, first the point of the scan, then the same point of the reference")
        .typeName("FILE");
    command.flag("--fit", options.fit,
                 "Fit the scan to the reference before comparing. The scan must be roughly aligned. Points "
                 "without a counterpart are "
                 "ignored; the motion is reported");
    addKeys(command, "--fit-method", options.fitting.method, kFitMethodKeys,
            "Registration method of --fit. icp: point-to-plane distances; gicp: generalized ICP, weighted by "
            "the local surfaces of both points");
    addKeys(command, "--fit-weights", options.fitting.robust, kRobustKernelKeys,
            "Robust weights of --fit, which limit the influence of distant points");
    command.flag("--fit-scale", options.fitting.scales,
                 "With --fit or --pairs: also estimate the scale of the reference");
    command
        .option("--overlap", options.overlap,
                "With --fit: per cent of the scan's points that have a counterpart in the reference. Only "
                "this share of the points, the nearest ones, is used")
        .typeName("P")
        .showDefault();
}

} // namespace

void check(const CompareOptions& options) {
    if (options.tolerance && !(*options.tolerance >= 0 && std::isfinite(*options.tolerance)))
        throw EngineError(
            fmt::format("--tolerance must be a length of 0 or more (got {:g}).", *options.tolerance),
            "Give it in the scan's unit.");
    const DeviationOptions& distances = options.distances;
    if (!(distances.largest >= 0 && std::isfinite(distances.largest)))
        throw EngineError(
            fmt::format("--largest must be a length of 0 or more (got {:g}).", distances.largest),
            "Give it in the scan's unit; 0 sets no limit.");
    if (!(distances.average >= 0 && std::isfinite(distances.average)))
        throw EngineError(
            fmt::format("--average must be a length of 0 or more (got {:g}).", distances.average),
            "Give it in the scan's unit; 0 turns averaging off.");
    if (!(options.requiredShare >= 0 && options.requiredShare <= 100))
        throw EngineError(
            fmt::format("--required-share must be between 0 and 100 % (got {:g}).", options.requiredShare),
            "Give a percentage such as 95.");
    const int fewest = std::max(distances.model != LocalModel::none ? fewestNeighbours(distances.model) : 0,
                                options.fit ? fewestNeighbours(LocalModel::plane) : 0);
    if (fewest > 0 && (distances.neighbours < fewest || distances.neighbours > kMaxNeighbours))
        throw EngineError(fmt::format("--neighbours must be between {} and {} (got {}).", fewest,
                                      kMaxNeighbours, distances.neighbours),
                          "Give a number of points in this range.");
    if (!(distances.largestAngle >= 0 && distances.largestAngle <= 180))
        throw EngineError(fmt::format("--largest-angle must be between 0 and 180 degrees (got {:g}).",
                                      distances.largestAngle),
                          "Give an angle such as 45; 0 sets no limit.");
    if (!(options.overlap > 0 && options.overlap <= 100))
        throw EngineError(
            fmt::format("--overlap must be above 0 and at most 100 % (got {:g}).", options.overlap),
            "Give a percentage such as 80.");
    const FitOptions usual;
    if (!options.fit && (options.fitting.method != usual.method || options.fitting.robust != usual.robust ||
                         options.overlap != CompareOptions().overlap))
        throw EngineError("--fit-method, --fit-weights and --overlap need --fit.",
                          "Add --fit, or leave these options out.");
    if (options.fitting.scales && !options.fit && options.pairs.empty())
        throw EngineError("--fit-scale needs --fit or --pairs.",
                          "Add one of them, or leave --fit-scale out.");
}

void addCompareOptions(Command command, CompareOptions& options) {
    command.option("scan", options.scan, "Scan to compare").required();
    command.option("reference", options.reference, "Reference to compare with: a mesh or another scan")
        .required();
    command
        .option("--tolerance", options.tolerance,
                "Maximum distance within tolerance, on both sides of the reference; without it the command "
                "gives no verdict")
        .typeName("T");
    command
        .option("--required-share", options.requiredShare,
                "Per cent of the points that must be within --tolerance")
        .typeName("P")
        .showDefault();
    command
        .option(
            "--largest", options.distances.largest,
            "Maximum distance: points farther away are left out of the statistics and counted; 0: no limit")
        .typeName("D")
        .showDefault();
    addFitOptions(command, options);
    addKeys(command, "--local-model", options.distances.model, kLocalModelKeys,
            "For a reference that is a scan: none: distances to its nearest points; otherwise distances to a "
            "surface fitted to the points around");
    command
        .option("--neighbours", options.distances.neighbours,
                "Number of points that a surface of --local-model or a plane of --fit is fitted to")
        .typeName("N")
        .showDefault();
    command
        .option(
            "--largest-angle", options.distances.largestAngle,
            "Maximum angle between the normals of a point and of the reference, in degrees: points above it "
            "are left out of the statistics and counted; 0: no limit")
        .typeName("A")
        .showDefault();
    command
        .option("--average", options.distances.average,
                "Average the deviations in a window of this width, to reduce noise; walls should be thicker "
                "than the window. 0: no averaging")
        .typeName("W")
        .showDefault();
    command
        .option("--reference-unit", options.unit,
                "Unit of the reference, such as mm; default: the unit in its file, else the scan's unit")
        .typeName(fmt::format("{}", fmt::join(keysOfLengths(), "|")));
    addJsonOption(command,
                  "Write the statistics and the worst places; distances in metres, positions in the scan's "
                  "frame");
    command
        .option("--report", options.report,
                "Write a report with statistics, pictures and the worst places as one self-contained "
                "HTML file: .html")
        .typeName("FILE");
    command
        .option(
            "--output", options.output,
            fmt::format(
                "Write the scan with the deviation of each point as the attribute {}, in the scan's unit; "
                "NaN where a point is left out",
                kDeviationAttribute))
        .typeName("FILE");
    addBackendOption(command, options.backend,
                     "Backend for computing distances; auto: CUDA if a device is available, else the CPU");
    addReadingOptions(command, options.read);
}

} // namespace scanloupe::cli
