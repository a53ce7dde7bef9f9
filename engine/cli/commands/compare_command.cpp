// Implements `compare`: computes the deviations of a scan from a model or another scan, as text and as JSON.
#include "engine/cli/commands.h"
#include "engine/cli/compare_alignment.h"
#include "engine/cli/compare_options.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/out_of_tolerance.h"
#include "engine/cli/reports/compare_report.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/report/inspection_report.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/formats.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/writers.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace scanloupe::cli {

namespace {

/// Returns the factor from the reference's unit to the scan's, from --reference-unit if given, else from the
/// units that both files declare.
double scaleOf(const CompareOptions& options, const PointCloud& reference, LengthUnit scan) {
    if (options.unit.empty())
        return unitScale(reference, scan);
    const std::optional<LengthUnit> unit = lengthUnitFromText(options.unit);
    const double metres = unit ? rowOf(*unit).metres : 0;
    if (!(metres > 0))
        throw EngineError(fmt::format("'{}' is not a unit of length (--reference-unit).", options.unit),
                          fmt::format("Use one of: {}.", fmt::join(keysOfLengths(), ", ")));
    const double scanMetres = rowOf(scan).metres;
    return metres / (scanMetres > 0 ? scanMetres : 1);
}

/// Returns the edge of the cells that group neighbouring points out of tolerance. It is the automatic voxel
/// size of the scan, so that a cell on the surface contains several points.
double regionCell(const PointCloud& scan, const std::stop_token& stop) {
    const Recipe resolved = resolve(Recipe{}, scan, defaultsFor(scan, stop), stop);
    const Vec3d size = *resolved.voxelSize;
    return std::max({size.x, size.y, size.z});
}

/// Runs the pipeline on the scan for the report: the scan is coloured by its deviations.
Snapshot comparedScan(const CompareOptions& options, const std::shared_ptr<const PointCloud>& scan,
                      const std::filesystem::path& reference, double scale, Session& session) {
    Recipe recipe;
    const CompareAction action =
        actionOf(options.distances, std::filesystem::absolute(reference).string(), scale);
    recipe.edits = withLayerOfSelectedOrAll({}, std::move(action),
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

/// Writes the aligned scan with the deviation of each point as an attribute.
void writeDeviations(const OutputTarget& target, const PointCloud& scan, const Deviations& deviations,
                     Session& session) {
    Attribute values;
    values.name = kDeviationAttribute;
    values.type = ScalarType::float32;
    values.allocate(scan.size());
    std::memcpy(values.dataToFill(), deviations.distances.values.data(), deviations.distances.values.bytes());
    CloudEdits edits;
    edits.attributes.push_back(std::move(values));
    const PointCloud compared(scan, edits, session.stop);
    for (const std::string& loss : cloudLosses("points" + target.ending, compared, session.stop))
        session.console.line("warning: " + loss);
    WriteOptions writing;
    writing.ending = target.ending;
    writing.progress = session.console.step("writing " + target.path.string());
    writeCloud(target.path, compared, writing, session.stop);
    session.console.clear();
}

void runCompare(const CompareOptions& options, Session& session) {
    check(options);
    std::optional<OutputTarget> report, output;
    const std::filesystem::path scanFile = session.input(options.scan),
                                reference = session.input(options.reference),
                                pairsFile = session.input(options.pairs);
    if (!options.report.empty())
        report = session.target(options.report, {".html", ".htm"}, ".html");
    if (!options.output.empty())
        output = session.target(options.output, cloudEndings());
    auto scan = readPoints(scanFile, options.read, session);
    const LengthUnit unit = referenceOf(scan.get()).unit;
    ReadOptions reading = options.read;
    reading.progress = session.console.step("reading " + options.reference);
    const MeshFile file = readMeshOrScan(reference, reading, session.stop);
    session.console.clear();
    double scale = scaleOf(options, *file.vertices, unit);
    if (scale != 1 && options.unit.empty())
        session.console.line(fmt::format("{} is in {}, the scan is in {}: the reference is scaled by {:g}",
                                         options.reference, unitText(referenceOf(file.vertices.get()).unit),
                                         unitText(unit), scale));
    std::vector<PickedPair> pairs;
    if (!options.pairs.empty())
        pairs = readPairs(pairsFile);
    for (PickedPair& pair : pairs)
        pair.reference = pair.reference * scale;
    std::optional<Stream> stream;
    if (chooseBackend(options.backend).backend == Backend::cuda)
        stream.emplace();
    const Execution on{stream ? std::optional(stream->view()) : std::nullopt, session.stop};
    Alignment alignment;
    const auto given = scan;
    const auto afterAlignment = [&] {
        return alignment.any() ? movedScan(*given, alignment.motion, session.stop) : given;
    };
    if (!options.pairs.empty()) {
        alignByPairs(alignment, pairs, options.fitting.scales);
        scan = afterAlignment();
    }
    const double unitScale = scale;
    scale = unitScale * alignment.referenceScale;
    Reference model = makeReference(file, options.reference, scale, scan->origin(), session.stop);
    session.warn(options.reference, model.warnings);
    if (const auto misfit = misfitOf(scan->bounds(), model, options.unit.empty()))
        session.console.line(
            fmt::format("warning: {}{}", misfit->sentence,
                        misfit->scale ? " Give the reference's unit (--reference-unit)." : ""));
    if (options.fit) {
        session.console.step("fitting");
        FitOptions fitting = options.fitting;
        fitting.largest = options.distances.largest;
        fitting.neighbours = options.distances.neighbours;
        fitting.overlap = options.overlap / 100;
        alignByFit(alignment, scan, model, fitting, on);
        scan = afterAlignment();
        if (scan->origin() != model.origin || scale != unitScale * alignment.referenceScale) {
            scale = unitScale * alignment.referenceScale;
            model = makeReference(file, options.reference, scale, scan->origin(), session.stop);
        }
        session.console.clear();
    }
    DeviationOptions how = options.distances;
    how.tolerance = options.tolerance;
    if (options.tolerance)
        how.regionCell = regionCell(*scan, session.stop);
    const HostPoints points(scan, 1);
    session.console.step("measuring");
    const Deviations deviations = deviationsOf(*scan, points.all(session.stop).positions, model, how, on);
    session.console.clear();
    if (2 * deviations.atBorder > deviations.points)
        session.console.line(
            fmt::format("warning: scan and reference hardly overlap: {} of {} points lie "
                        "beyond the boundary of the reference. "
                        "Exclude them (--largest), or align the scan first (--fit, --pairs).",
                        deviations.atBorder, deviations.points));
    const Comparison comparison{
        *scan, model, deviations, unit, scale, options.requiredShare / 100, options.tolerance, alignment};
    session.text() << toText(comparison);
    if (session.json)
        session.printJson(toJson(comparison));
    if (output)
        writeDeviations(*output, *scan, deviations, session);
    if (report)
        writeReport(options, *report, scan, reference, scale, session);
    if (!comparison.isAccepted())
        throw OutOfTolerance(
            fmt::format(
                "{} is outside tolerance: {} of {} points deviate by more than {:g} {}, but {:g} % must "
                "be within tolerance.",
                options.scan, deviations.above + deviations.below, deviations.points, *options.tolerance,
                unitText(unit), options.requiredShare),
            "The worst places are listed above; --json lists all of them.");
}

} // namespace

void addCompareCommand(Command program, Action& action) {
    Command sub = program.subcommand(
        "compare", "Compute the deviations of a scan from a model or another scan, and the worst places");
    auto options = std::make_shared<CompareOptions>();
    addCompareOptions(sub, *options);
    sub.footer(
        R"(Distances from a mesh are those to its closest point; they are positive on the front side of the triangles,
which is the outside of a closed mesh. Distances from a scan are those to its surface; they are positive on the side
of its normals, or all positive if it has no normals. Lengths are in the scan's unit.
The exit code is 3 if the scan is outside tolerance; all files are written. It is 2 if the scan or the reference is
truncated or damaged, regardless of the result, because the missing points could be outside tolerance.

Examples:
  scanloupe-cli compare part.ply part.stl --reference-unit mm --tolerance 0.0002
  scanloupe-cli compare wall.las plan.obj --largest 0.5 --tolerance 0.01 --required-share 99 --json wall.json
  scanloupe-cli compare part.ply part.stl --tolerance 0.0002 --report part.html --output part_deviation.ply
  scanloupe-cli compare today.laz last_year.laz --local-model quadric --fit --overlap 80 --json change.json)");
    sub.whenParsed(
        [&action, options] { action = [options](Session& session) { runCompare(*options, session); }; });
}

} // namespace scanloupe::cli
