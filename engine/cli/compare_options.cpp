// Reads and checks the options of `compare`.
#include "engine/cli/compare_options.h"

#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/options.h"
#include "engine/cli/reading_options.h"
#include "engine/cloud/error.h"
#include "engine/edit/edits.h"
#include "engine/reference/length_unit.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace scanloupe::cli {

namespace {

/// An option that takes one of the keys of an enum.
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
                "Bring the scan onto the reference by places that are the same: a file with lines x y z x y "
                "z, of the scan and of the reference, three or more")
        .typeName("FILE");
    command.flag("--fit", options.fit,
                 "Fit the scan to the reference first, starting near it: points that do not belong to it are "
                 "ignored; the motion is reported");
    addKeys(
        command, "--fit-method", options.fitting.method, kFitMethodKeys,
        "icp: distances along the reference's normals; gicp: weighted by the surfaces around both points");
    addKeys(command, "--fit-weights", options.fitting.robust, kRobustKernelKeys,
            "How much counts what lies far away");
    command.flag("--fit-scale", options.fitting.scales,
                 "With --fit or --pairs: find the reference's scale, too");
    command
        .option("--overlap", options.overlap,
                "Per cent of the scan's points that have a counterpart: the nearest ones count for --fit")
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
        throw EngineError(fmt::format("--largest must be a length above 0 (got {:g}).", distances.largest),
                          "Give it in the scan's unit.");
    if (!(distances.average >= 0 && std::isfinite(distances.average)))
        throw EngineError(fmt::format("--average must be a length above 0 (got {:g}).", distances.average),
                          "Give it in the scan's unit.");
    if (!(options.requiredShare >= 0 && options.requiredShare <= 100))
        throw EngineError(
            fmt::format("--required-share must be a percentage (got {:g}).", options.requiredShare),
            "Give 0 to 100.");
    const int fewest = std::max(distances.model != LocalModel::none ? fewestNeighbours(distances.model) : 0,
                                options.fit ? fewestNeighbours(LocalModel::plane) : 0);
    if (fewest > 0 && (distances.neighbours < fewest || distances.neighbours > kMaxNeighbours))
        throw EngineError(fmt::format("--neighbours is out of range (got {}).", distances.neighbours),
                          fmt::format("Give {} to {}.", fewest, kMaxNeighbours));
    if (!(distances.largestAngle >= 0 && distances.largestAngle <= 180))
        throw EngineError(fmt::format("--largest-angle is out of range (got {:g}).", distances.largestAngle),
                          "Give 0 to 180 degrees.");
    if (!(options.overlap > 0 && options.overlap <= 100))
        throw EngineError(fmt::format("--overlap must be a percentage above 0 (got {:g}).", options.overlap),
                          "Give up to 100.");
    const FitOptions usual;
    if (!options.fit && (options.fitting.method != usual.method || options.fitting.robust != usual.robust ||
                         options.overlap != CompareOptions().overlap))
        throw EngineError("--fit-method, --fit-weights and --overlap need --fit.",
                          "Give it, or leave them out.");
    if (options.fitting.scales && !options.fit && options.pairs.empty())
        throw EngineError("--fit-scale needs --fit or --pairs.", "Give one of them.");
}

void addCompareOptions(Command command, CompareOptions& options) {
    command.option("scan", options.scan, "The points").required();
    command.option("reference", options.reference, "Reference: a mesh, or another scan").required();
    command
        .option("--tolerance", options.tolerance,
                "Distances up to it are within, on both sides; without it nothing is judged")
        .typeName("T");
    command
        .option("--required-share", options.requiredShare,
                "Per cent of the points that have to be within tolerance")
        .typeName("P")
        .showDefault();
    command
        .option("--largest", options.distances.largest,
                "Points farther away are left out, and counted; 0: none")
        .typeName("D")
        .showDefault();
    addFitOptions(command, options);
    addKeys(command, "--local-model", options.distances.model, kLocalModelKeys,
            "Of a reference that is a scan: distances to its nearest points, or to a surface through those "
            "around");
    command
        .option("--neighbours", options.distances.neighbours,
                "Points that the local model goes through, and the planes of --fit")
        .typeName("N")
        .showDefault();
    command
        .option(
            "--largest-angle", options.distances.largestAngle,
            "Points whose normals differ more from the reference's are left out, and counted; degrees; 0: "
            "none")
        .typeName("A")
        .showDefault();
    command
        .option("--average", options.distances.average,
                "Deviations are means over so wide a window, which takes noise out of them; walls should be "
                "thicker. 0: each point has its own")
        .typeName("W")
        .showDefault();
    command
        .option("--reference-unit", options.unit, "Unit of the reference, such as mm; the scan's without it")
        .typeName(fmt::format("{}", fmt::join(keysOfLengths(), "|")));
    addJsonOption(command,
                  "Write the figures with the worst places; distances in metres, places in the scan's "
                  "frame");
    command
        .option("--report", options.report,
                "Write a page with figures, pictures and the worst places: .html, one file that needs no "
                "other")
        .typeName("FILE");
    command
        .option(
            "--output", options.output,
            fmt::format("Write the scan with the deviation of each point as the attribute {}, in its unit; "
                        "NaN where a point is left out",
                        kDeviationAttribute))
        .typeName("FILE");
    addBackendOption(command, options.backend,
                     "Where distances are computed; auto: CUDA where a device can be used");
    addReadingOptions(command, options.read);
}

} // namespace scanloupe::cli
