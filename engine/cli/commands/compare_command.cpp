// Implements `compare`: deviations of a scan from a model or another scan, as text and for scripts.
#include "engine/cli/commands.h"
#include "engine/cli/compare_alignment.h"
#include "engine/cli/compare_options.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/out_of_tolerance.h"
#include "engine/cli/reports/compare_report.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/inspect/compare_options.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/formats.h"
#include "engine/io/mesh_reader.h"
#include "engine/io/writers.h"
#include "engine/pipeline/pipeline.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"
#include "engine/reference/coordinate_reference.h"
#include "engine/report/inspection_report.h"
#include "engine/results/kernel_points.h"
#include "engine/results/snapshot.h"
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

/// Scale from the reference's unit to the scan's: as the user states, else as both files declare.
double scaleOf(const CompareOptions& options, const PointCloud& reference, LengthUnit scan) {
    if (options.unit.empty())
        return unitScale(reference, scan);
    const std::optional<LengthUnit> unit = lengthUnitFromText(options.unit);
    const double metres = unit ? rowOf(*unit).metres : 0;
    if (!(metres > 0))
        throw EngineError(fmt::format("'{}' is no unit of length.", options.unit),
                          fmt::format("Take {}.", fmt::join(keysOfLengths(), ", ")));
    const double scanMetres = rowOf(scan).metres;
    return metres / (scanMetres > 0 ? scanMetres : 1);
}

/// The edge of the cells that group points out of tolerance: the automatic voxel size of the scan, which
/// gives a voxel some points of a surface.
double regionCell(const PointCloud& scan, const std::stop_token& stop) {
    const Recipe resolved = resolve(Recipe{}, scan, defaultsFor(scan, stop), stop);
    const Vec3d size = *resolved.voxelSize;
    return std::max({size.x, size.y, size.z});
}

/// The scan with its deviations, coloured by them.
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

/// Writes the scan, as it was aligned, with the deviation of each point.
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
        session.console.line(fmt::format("{} is in {}, the scan in {}: it is taken {:g} times",
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
        session.console.line(fmt::format("warning: {}{}", misfit->sentence,
                                         misfit->scale ? " Give its unit (--reference-unit)." : ""));
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
        session.console.line(fmt::format("warning: scan and reference hardly overlap: {} of {} points lie "
                                         "beyond the border of the reference. "
                                         "Leave them out (--largest), or align both first (--fit, --pairs).",
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
                "{} is outside tolerance: {} of {} points are more than {:g} {} away, and {:g} % have to "
                "be within.",
                options.scan, deviations.above + deviations.below, deviations.points, *options.tolerance,
                unitText(unit), options.requiredShare),
            "The worst places stand above; --json has all of them.");
}

} // namespace

void addCompareCommand(Command program, Action& action) {
    Command sub = program.subcommand("compare",
                                     "How much a scan deviates from a model or another scan, and where most");
    auto options = std::make_shared<CompareOptions>();
    addCompareOptions(sub, *options);
    sub.footer(
        R"(Distances are those to the closest point of a mesh, positive on the side that its triangles face, the outside of a
closed one; or to the surface of another scan, positive on the side of its normals, and everywhere if it has none.
Lengths are in the scan's unit.
Ends with exit code 3 when the scan is outside tolerance; all is written then. With 2 where the scan or the reference
is truncated or damaged, whatever the result: what is missing could have been outside, too.

Examples:
  scanloupe-cli compare part.ply part.stl --reference-unit mm --tolerance 0.0002
  scanloupe-cli compare wall.las plan.obj --largest 0.5 --tolerance 0.01 --required-share 99 --json wall.json
  scanloupe-cli compare part.ply part.stl --tolerance 0.0002 --report part.html --output part_deviation.ply
  scanloupe-cli compare today.laz last_year.laz --local-model quadric --fit --overlap 80 --json change.json)");
    sub.whenParsed(
        [&action, options] { action = [options](Session& session) { runCompare(*options, session); }; });
}

} // namespace scanloupe::cli
