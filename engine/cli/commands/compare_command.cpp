// Implements `compare`: how much a scan deviates from a model, for people and for scripts.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/compare_report.h"
#include "engine/cli/input.h"
#include "engine/cli/out_of_tolerance.h"
#include "engine/cli/reading_options.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/fit_to_mesh.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/output_check.h"
#include "engine/io/writers.h"
#include "engine/pipeline/pipeline.h"
#include "engine/recipe/defaults.h"
#include "engine/reference/coordinate_reference.h"
#include "engine/report/inspection_report.h"
#include "engine/results/kernel_points.h"
#include "engine/stages/edit.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace scanloupe::cli {

namespace {

struct CompareOptions {
    std::string scan, reference, unit, json, report;
    std::optional<double> tolerance;
    double largest = 0, average = 0, requiredShare = 100;
    bool fit = false;
    ReadOptions read;
    Backend backend = Backend::automatic;
};

std::string unitList() {
    std::vector<std::string_view> keys;
    for (const LengthUnitRow& row : lengthUnits())
        if (row.metres > 0)
            keys.push_back(row.key);
    return fmt::format("{}", fmt::join(keys, ", "));
}

/// The scan's unit of a unit of the reference.
double scaleOf(const CompareOptions& options, LengthUnit scan) {
    if (options.unit.empty())
        return 1;
    const std::optional<LengthUnit> unit = lengthUnitFromText(options.unit);
    const double metres = unit ? rowOf(*unit).metres : 0;
    if (!(metres > 0))
        throw EngineError(fmt::format("'{}' is no unit of length.", options.unit),
                          fmt::format("Take {}.", unitList()));
    const double scanMetres = rowOf(scan).metres;
    return metres / (scanMetres > 0 ? scanMetres : 1);
}

void check(const CompareOptions& options) {
    if (options.tolerance && !(*options.tolerance >= 0 && std::isfinite(*options.tolerance)))
        throw EngineError("--tolerance is not a length.", "Give 0 or more, in the scan's unit.");
    if (!(options.largest >= 0 && std::isfinite(options.largest)))
        throw EngineError("--largest is not a length.", "Give a length above 0, in the scan's unit.");
    if (!(options.average >= 0 && std::isfinite(options.average)))
        throw EngineError("--average is not a length.", "Give a length above 0, in the scan's unit.");
    if (!(options.requiredShare >= 0 && options.requiredShare <= 100))
        throw EngineError("--required-share is no percentage.", "Give 0 to 100.");
}

/// The edge of the cells by which points out of tolerance are put together: a voxel as it is chosen for the
/// scan, which holds some points of a surface.
double regionCell(const PointCloud& scan, const std::stop_token& stop) {
    const Recipe resolved = resolve(Recipe{}, scan, defaultsFor(scan, stop), stop);
    const Vec3d size = *resolved.voxelSize;
    return std::max({size.x, size.y, size.z});
}

/// All of a scan, moved in its frame.
std::shared_ptr<const PointCloud> movedScan(const std::shared_ptr<const PointCloud>& scan,
                                            const RigidTransform& motion, const std::stop_token& stop) {
    return withEdits(scan, withLayerOfSelectedOrAll({}, MoveAction{motion}, "Fit").layers, stop);
}

/// The scan with its deviations, coloured by them.
Snapshot comparedScan(const CompareOptions& options, const std::shared_ptr<const PointCloud>& scan,
                      const std::filesystem::path& reference, double scale, Session& session) {
    Recipe recipe;
    recipe.edits = withLayerOfSelectedOrAll(
        {},
        CompareAction{std::filesystem::absolute(reference).string(), scale, options.largest, options.average},
        fmt::format("Compare with {}", reference.filename().string()));
    recipe.colourBy = kDeviationAttribute;
    recipe.colourMap = ColourMapName::coolWarm;
    recipe.tolerance = options.tolerance.value_or(0);
    recipe.show = PictureContent::points;
    recipe.quality = QualityChoice::off;
    Pipeline pipeline(chooseBackend(options.backend));
    pipeline.setInput(scan, 0);
    RunOptions how;
    how.picture = false;
    return pipeline.run(recipe, how, session.stop);
}

void writeReport(const CompareOptions& options, const OutputTarget& target,
                 const std::shared_ptr<const PointCloud>& scan, const std::filesystem::path& reference,
                 double scale, Session& session) {
    ReportOptions how;
    how.unit = referenceOf(scan.get()).unit;
    how.requiredShare = options.requiredShare / 100;
    how.progress = session.console.step("drawing the report");
    const Snapshot snapshot = comparedScan(options, scan, reference, scale, session);
    const std::string html = toHtml(inspectionReport(snapshot, how, session.stop));
    session.console.clear();
    if (target.isStandardOutput())
        session.out << html;
    else
        writeAtomically(target.path, [&](std::ostream& out) { out << html; });
}

void runCompare(const CompareOptions& options, Session& session) {
    session.json = false; // it is a file here
    check(options);
    std::optional<OutputTarget> target, report;
    OutputCheck outputs;
    const std::filesystem::path reference = session.inputs.file(options.reference);
    outputs.addInput(options.scan);
    outputs.addInput(reference);
    if (!options.json.empty())
        outputs.addOutput(*(target = session.target(options.json, {".json"}, ".json")));
    if (!options.report.empty())
        outputs.addOutput(*(report = session.target(options.report, {".html", ".htm"}, ".html")));
    auto scan = readPoints(session.inputs.file(options.scan), options.read, session);
    const LengthUnit unit = referenceOf(scan.get()).unit;
    const double scale = scaleOf(options, unit);
    ReadOptions reading;
    reading.progress = session.console.step("reading " + options.reference);
    const MeshFile file = readMesh(reference, reading, session.stop);
    session.console.clear();
    ReferenceMesh model = referenceMesh(file, options.reference, scale, scan->origin(), session.stop);
    for (const std::string& warning : model.warnings)
        session.console.line(fmt::format("warning: {}: {}", options.reference, warning));
    if (const auto misfit = misfitOf(scan->bounds(), model, options.unit.empty()))
        session.console.line(fmt::format("warning: {}{}", misfit->sentence,
                                         misfit->scale ? " Give its unit (--reference-unit)." : ""));
    std::optional<std::pair<MeshFit, RigidTransform>> fit;
    if (options.fit) {
        session.console.step("fitting");
        FitOptions fitting;
        fitting.largest = options.largest;
        const MeshFit found =
            fitToMesh(HostPoints(scan, 1).all(session.stop).positions.span(), model, fitting, session.stop);
        fit.emplace(found, inScanFrame(found.motion, model.origin));
        scan = movedScan(scan, fit->second, session.stop);
        if (scan->origin() != model.origin)
            model = referenceMesh(file, options.reference, scale, scan->origin(), session.stop);
        session.console.clear();
    }
    DeviationOptions how;
    how.tolerance = options.tolerance;
    how.largest = options.largest;
    how.average = options.average;
    if (options.tolerance)
        how.regionCell = regionCell(*scan, session.stop);
    std::optional<Stream> stream;
    if (chooseBackend(options.backend).backend == Backend::cuda)
        stream.emplace();
    const HostPoints points(scan, 1);
    session.console.step("measuring");
    const Deviations deviations =
        deviationsOf(points.all(session.stop).positions, model, how,
                     {stream ? std::optional(stream->view()) : std::nullopt, session.stop});
    session.console.clear();
    const Comparison comparison{
        *scan, model, deviations, unit, scale, options.requiredShare / 100, options.tolerance, fit};
    session.text() << toText(comparison);
    if (target && target->isStandardOutput())
        session.out << toJson(comparison);
    else if (target)
        writeAtomically(target->path, [&](std::ostream& out) { out << toJson(comparison); });
    if (report)
        writeReport(options, *report, scan, reference, scale, session);
    if (!comparison.isAccepted())
        throw OutOfTolerance(
            fmt::format(
                "{} is outside tolerance: {} of {} points are more than {:g} {} away, and {:g} % have to "
                "be within.",
                options.scan, deviations.above + deviations.below, deviations.points, *options.tolerance,
                unitText(unit), options.requiredShare),
            "The worst places stand above; --json has all of them.");
}

} // namespace

void addCompareCommand(CLI::App& app, Action& action) {
    auto* sub = app.add_subcommand("compare", "How much a scan deviates from a model, and where most");
    auto options = std::make_shared<CompareOptions>();
    sub->add_option("scan", options->scan, "The points")->required();
    sub->add_option("reference", options->reference, "A mesh: what they should be")->required();
    sub->add_option("--tolerance", options->tolerance,
                    "Distances up to it are within, on both sides; without it nothing is judged")
        ->type_name("T");
    sub->add_option("--required-share", options->requiredShare,
                    "Per cent of the points that have to be within tolerance")
        ->type_name("P")
        ->capture_default_str();
    sub->add_option("--largest", options->largest, "Points farther away are left out, and counted; 0: none")
        ->type_name("D")
        ->capture_default_str();
    sub->add_flag(
        "--fit", options->fit,
        "Bring the scan onto the reference first, which it has to lie near: what does not belong to it "
        "is left out; the motion is told");
    sub->add_option(
           "--average", options->average,
           "Deviations are means over so wide a window, which takes noise out of them; walls should be "
           "thicker. 0: each point has its own")
        ->type_name("W")
        ->capture_default_str();
    sub->add_option("--reference-unit", options->unit,
                    "Unit of the reference, such as mm; the scan's without it")
        ->type_name("UNIT");
    sub->add_option(
           "--json", options->json,
           "Write the figures with the worst places; distances in metres, places in the scan's frame")
        ->type_name("FILE");
    sub->add_option("--report", options->report,
                    "Write a page with figures, pictures and the worst places: .html, one file that needs no "
                    "other")
        ->type_name("FILE");
    addBackendOption(*sub, options->backend,
                     "Where distances are computed; auto: CUDA where a device can be used");
    addKittiBinOptions(*sub, options->read);
    sub->footer(
        R"(Distances are those to the closest point of the mesh: positive on the side that its triangles face, the
outside of a closed one. Lengths are in the scan's unit.
Ends with exit code 3 when the scan is outside tolerance; all is written then.

Examples:
  scanloupe-cli compare part.ply part.stl --reference-unit mm --tolerance 0.0002
  scanloupe-cli compare wall.las plan.obj --largest 0.5 --tolerance 0.01 --required-share 99 --json wall.json
  scanloupe-cli compare part.ply part.stl --tolerance 0.0002 --report part.html)");
    sub->callback(
        [&action, options] { action = [options](Session& session) { runCompare(*options, session); }; });
}

} // namespace scanloupe::cli
