// Implements `align`: registers scans, and writes their poses and the merged cloud.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/devices_option.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/doubtful_result.h"
#include "engine/cli/output/text.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/reports/align_report.h"
#include "engine/cli/scan_reading.h"
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/compute/memory.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/formats.h"
#include "engine/io/scan_input.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

struct AlignOptions {
    std::vector<std::string> scans;
    AlignParams params;
    std::string start, startPoses, poses, merged, report;
    ReadOptions read;
    bool mergeDoubtful = false;
    Backend backend = Backend::automatic;
    std::string devices;
};

/// Parses "x,y,z" or "x,y,z,roll,pitch,yaw": position in the scans' unit, angles in degrees.
RigidTransform poseFrom(const std::string& text) {
    const std::vector<double> n = parseNumbers(text);
    if (n.size() != 3 && n.size() != 6)
        throw EngineError(fmt::format("--start must have 3 or 6 numbers (got {}).", n.size()),
                          "Give x, y, z in the scans' unit and optionally roll, pitch, yaw in degrees: "
                          "--start=1.8,0.7,0,0,0,40.");
    constexpr double degree = std::numbers::pi / 180;
    const Vec3d angles = n.size() == 6 ? Vec3d{n[3], n[4], n[5]} * degree : Vec3d{};
    return fromRollPitchYaw(angles, {n[0], n[1], n[2]});
}

/// Returns the scans in the order of the arguments. A folder is replaced by its scans, sorted by name.
std::vector<fs::path> scansOf(const AlignOptions& options, Session& session) {
    std::vector<fs::path> scans;
    for (const std::string& named : options.scans) {
        const fs::path path = session.input(named);
        if (!fs::is_directory(path)) {
            scans.push_back(path); // errors are reported when the scan is read
            continue;
        }
        const ScanList inFolder = scansIn(path, session);
        scans.insert(scans.end(), inFolder.scans.begin(), inFolder.scans.end());
        for (const LeftOut& file : inFolder.leftOut)
            if (!file.isNoScan)
                session.warnOfMissing(file.why);
    }
    return scans;
}

struct AlignTargets {
    std::optional<OutputTarget> poses, merged, report;
};

AlignTargets targetsOf(const AlignOptions& options, Session& session) {
    AlignTargets targets;
    if (!options.poses.empty())
        targets.poses = session.poseTarget(options.poses);
    if (!options.merged.empty())
        targets.merged = session.target(options.merged, cloudEndings());
    if (!options.report.empty())
        targets.report = session.target(options.report, {".html", ".htm"}, ".html");
    return targets;
}

std::size_t unsureCount(const AlignOutcome& outcome) {
    return outcome.countOf(PoseWord::doubtful) + outcome.countOf(PoseWord::wrong);
}
bool refusesToMerge(const AlignOptions& options, const AlignOutcome& outcome) {
    return !options.merged.empty() && !options.mergeDoubtful && unsureCount(outcome) > 0;
}

/// Returns the hint on a merged cloud that was not written; empty if it was written, or was not requested.
std::string unwrittenText(const AlignOptions& options, const AlignOutcome& outcome) {
    if (!refusesToMerge(options, outcome))
        return "";
    return fmt::format(
        "'{}' was not written because poses are doubtful or wrong. --merge-doubtful writes it with "
        "the scans whose poses are doubtful, but without those whose poses are wrong.",
        options.merged);
}

void writeReport(const OutputTarget& target, const AlignOutcome& outcome, LengthUnit unit, Session& session) {
    const std::string html = toHtml(alignmentReport(outcome, unit));
    if (target.isStandardOutput()) {
        session.out << html;
        return;
    }
    writeAtomically(target.path, [&](std::ostream& out) { out << html; });
    session.text() << fmt::format("report   {}\n", target.path.string());
}

void writeOutputs(const AlignOptions& options, const AlignTargets& targets, const AlignOutcome& outcome,
                  LengthUnit unit, Session& session) {
    if (targets.report)
        writeReport(*targets.report, outcome, unit, session);
    if (targets.poses) {
        const fs::path& poses = targets.poses->path;
        writeTrajectory(poses, outcome.trajectory(), poseFormatOf(*targets.poses), session.stop);
        session.text() << fmt::format("poses    {}\n", poses.string());
    }
    if (!targets.merged || refusesToMerge(options, outcome))
        return;
    const fs::path& file = targets.merged->path;
    const std::vector<PosedCloud> posed = outcome.posedClouds(options.mergeDoubtful);
    const PointCloud merged = mergeClouds(posed, session.console.step("merging the scans"), session.stop);
    warnOfMerging(merged, session);
    WriteOptions writing;
    writing.ending = targets.merged->ending;
    writing.progress = session.console.step("writing " + file.string());
    writeCloud(file, merged, writing, session.stop);
    session.console.clear();
    session.text() << fmt::format("merged   {}: {} of {} of {}\n", file.string(),
                                  counted(merged.size(), "point"), posed.size(),
                                  counted(outcome.scans.size(), "scan"));
}

void printTable(const AlignOutcome& outcome, LengthUnit unit, Session& session) {
    std::vector<std::vector<std::string>> rows{alignHeader(unit)};
    for (const AlignedScanPtr& scan : outcome.scans)
        rows.push_back(alignRow(*scan, unit));
    std::vector<std::size_t> right(rows.front().size() - 2);
    std::iota(right.begin(), right.end(), 1);
    session.text() << formatTable(rows, "", right);
    session.text() << fmt::format("map cells of {0:g} {2}, scans thinned to {1:g} {2}\n",
                                  *outcome.params.resolution, *outcome.params.thinning, unitText(unit));
    if (const std::string loops = loopsText(outcome, unit); !loops.empty())
        session.text() << fmt::format("loops    {}\n", loops);
}

/// Fails if a pose is doubtful or wrong. @throws DoubtfulResult
void failIfUnsure(const AlignOptions& options, const AlignOutcome& outcome) {
    const std::size_t doubtful = outcome.countOf(PoseWord::doubtful),
                      wrong = outcome.countOf(PoseWord::wrong);
    if (doubtful + wrong == 0)
        return;
    std::vector<std::string> words, steps;
    const auto addWord = [&](std::size_t count, PoseWord word) {
        if (count > 0)
            words.push_back(fmt::format("{} {} {}", count, count == 1 ? "is" : "are", describe(word)));
    };
    addWord(doubtful, PoseWord::doubtful);
    addWord(wrong, PoseWord::wrong);
    for (const AlignedScanPtr& scan : outcome.scans)
        if (const std::string step = nextStepText(scan->alignment);
            !step.empty() && std::find(steps.begin(), steps.end(), step) == steps.end())
            steps.push_back(step);
    if (const std::string unwritten = unwrittenText(options, outcome); !unwritten.empty())
        steps.push_back(unwritten);
    else if (!options.merged.empty() && wrong > 0)
        steps.push_back(fmt::format("'{}' does not contain {} with a wrong pose.", options.merged,
                                    counted(wrong, "scan")));
    throw DoubtfulResult(fmt::format("Of {} poses, {}.", outcome.scans.size(), fmt::join(words, " and ")),
                         fmt::format("{}", fmt::join(steps, "\n  ")));
}

void runAlign(const AlignOptions& options, Session& session) {
    AlignJob job;
    job.scans = scansOf(options, session);
    const AlignTargets targets = targetsOf(options, session);
    job.params = options.params;
    job.params.ndtFigures = session.json;
    job.backend = chooseBackend(options.backend).backend;
    if (!options.devices.empty())
        job.workers = workersIn(options.devices, options.backend);
    if (!options.start.empty())
        job.starts = {poseFrom(options.start)};
    if (!options.startPoses.empty())
        job.starts = readTrajectory(session.input(options.startPoses)).poses;
    job.keepClouds = !options.merged.empty();
    LengthUnit unit = LengthUnit::metre; // The unit of the first scan. All poses are in this scan's frame and
                                         // unit.
    ScanReading reading(job.scans, options.read, session);
    job.read = [&](std::size_t i) { return reading.read(i); };
    job.reads = concurrentReads();
    job.onRead = [&](std::size_t i, const PointCloud& cloud) {
        reading.warn(i, cloud);
        if (i == 0)
            unit = referenceOf(&cloud).unit;
    };
    job.onAligned = [&](std::size_t, const AlignedScanPtr& scan) {
        session.console.clear();
        if (!scan->problem.empty())
            session.console.error(fmt::format("{}: no pose: {}{}{}", scan->path.filename().string(),
                                              scan->problem, scan->nextStep.empty() ? "" : "\n  ",
                                              scan->nextStep));
    };
    keepFreedMemory(); // The memory of one scan is reused for the next scans.
    const AlignOutcome outcome = alignScans(job, session.stop);
    session.console.clear();
    if (session.strict && outcome.failedCount() > 0)
        throw EngineError(fmt::format("{} of {} could not be aligned.", outcome.failedCount(),
                                      counted(outcome.scans.size(), "scan")),
                          "The reasons are listed above. Leave these scans out, or repair them. Without "
                          "--strict the other scans are aligned.");
    for (const std::string& sentence : outcome.givenUp)
        session.console.line("warning: " + sentence);
    if (session.json)
        session.printJson(toJson(outcome, unit));
    else
        printTable(outcome, unit, session);
    writeOutputs(options, targets, outcome, unit, session);
    if (const std::size_t failed = outcome.failedCount(); failed > 0)
        throw EngineError(
            fmt::format("{} of {} could not be aligned.", failed, counted(outcome.scans.size(), "scan")),
            "The reasons are listed above; the other scans are aligned. The poses written for the failed "
            "scans "
            "are guesses. Remove these scans, or repair them." +
                (unwrittenText(options, outcome).empty() ? "" : "\n  " + unwrittenText(options, outcome)));
    failIfUnsure(options, outcome);
}

} // namespace

void addAlignCommand(Command program, Action& action) {
    Command sub = program.subcommand("align", "Register scans: find the pose of each scan by ICP or NDT");
    auto options = std::make_shared<AlignOptions>();
    AlignParams& params = options->params;
    const std::map<std::string, AlignTo> targets{
        {"first", AlignTo::first}, {"previous", AlignTo::previous}, {"map", AlignTo::map}};
    const std::map<std::string, AlignMethod> methods{{"gicp", AlignMethod::gicp},
                                                     {"vgicp", AlignMethod::vgicp},
                                                     {"plane", AlignMethod::plane},
                                                     {"ndt", AlignMethod::ndt}};
    const std::map<std::string, NdtNeighbours> neighbours{
        {"1", NdtNeighbours::direct1}, {"7", NdtNeighbours::direct7}, {"27", NdtNeighbours::direct27}};
    const std::map<std::string, NdtCovariance> covariances{{"sample", NdtCovariance::sample},
                                                           {"pcl", NdtCovariance::pcl},
                                                           {"autoware", NdtCovariance::autoware}};
    sub.option("scans", options->scans, "Two or more scans, or folders of scans; the first scan is not moved")
        .required();
    sub.choice("--method", params.method, methods,
               "Registration method: planar surface patches (GICP, VGICP or point-to-plane distances), or "
               "the normal "
               "distributions transform (NDT)")
        .typeName("gicp|vgicp|plane|ndt")
        .showDefault("gicp");
    sub.choice("--to", params.to, targets,
               "Target that a scan is aligned to. first: the first scan; previous: the scan before it; map: "
               "all earlier scans around it")
        .typeName("first|previous|map")
        .showDefault("map");
    sub.option("--poses", options->poses, "Write one pose per scan: KITTI format, or TUM for .tum")
        .typeName("FILE");
    sub.option("--merged", options->merged,
               fmt::format("Write all aligned scans merged into one: {}", fmt::join(cloudEndings(), ", ")))
        .typeName("FILE");
    sub.option("--report", options->report,
               "Write a report as HTML: trajectory, residuals, ratings of the poses, loops, times")
        .typeName("FILE");
    sub.flag("--merge-doubtful", options->mergeDoubtful,
             "Write --merged even if poses are doubtful or wrong: scans with doubtful poses are included, "
             "scans with wrong poses are not");
    sub.flag(
        "--loops,!--no-loops", params.closeLoops,
        "Close loops: where a drive returns to a place, distribute the drift over all poses; default: on, "
        "except with --to first");
    const Option start =
        sub.option("--start", options->start,
                   "Start pose of the second scan: x,y,z[,roll,pitch,yaw], angles in degrees; R = "
                   "Rx(roll) Ry(pitch) Rz(yaw)")
            .typeName("POSE");
    sub.option(
           "--start-poses", options->startPoses,
           "Start poses: a file with the KITTI or TUM pose of every scan, or one matrix for the second scan")
        .typeName("FILE")
        .excludes(start);
    sub.option("--search", params.searchRadius,
               "Search for the pose within this distance of the given or predicted start, with any heading; "
               "in the scans' unit; 0: no search")
        .typeName("M")
        .showDefault();
    sub.option("--resolution", params.resolution,
               "Edge of the map's cells, in the scans' unit; default: from the first scan")
        .typeName("R");
    sub.option(
           "--thinning", params.thinning,
           "Thin each scan: points are averaged in cubes of this edge, in the scans' unit; 0: no thinning; "
           "default: a fifth of --resolution")
        .typeName("S");
    sub.choice("--neighbours", params.ndt.neighbours, neighbours,
               "NDT: number of cells that a point is compared with")
        .typeName("1|7|27")
        .showDefault("7");
    sub.option("--max-iterations", params.ndt.maxIterations,
               "Maximum number of iterations; a registration that reaches it is rated as not converged")
        .typeName("N")
        .showDefault();
    sub.option("--epsilon", params.ndt.epsilon,
               "Convergence threshold: iterations end at a shorter step, the norm of length and radians")
        .typeName("E")
        .showDefault();
    sub.option("--max-step", params.ndt.maxStep,
               "NDT: maximum step, the norm of length and radians; longer steps are shortened")
        .typeName("L")
        .showDefault();
    sub.option("--outlier-ratio", params.ndt.outlierRatio,
               "NDT: expected share of points without a counterpart")
        .typeName("O")
        .showDefault();
    sub.flag("--line-search,!--no-line-search", params.ndt.lineSearch,
             "NDT: shorten steps that do not raise the score enough; default: on");
    sub.choice("--covariance", params.map.covariance, covariances,
               "Estimator of a cell's covariance; sample: sample covariance; pcl, autoware: as in these "
               "libraries")
        .typeName("sample|pcl|autoware")
        .showDefault("sample");
    addBackendOption(
        sub, options->backend,
        "Backend for the alignment; auto: CUDA if a device is available, else the CPU. NDT with --to map "
        "always runs on the CPU");
    addDevicesOption(sub, options->devices,
                     "Devices that align scans in parallel, with --to first and --start-poses");
    addReadingOptions(sub, options->read);
    addJsonOption(sub, "Write JSON for programs: poses, scores, covariances, and every iteration");
    sub.footer(
        R"(Poses are in the frame of the first scan. Write negative values after an equals sign: --start=-1,0,0.
The exit code is 4 if a pose is doubtful or wrong; all files except --merged are written. It is 2 if a scan is
truncated or damaged, regardless of the poses.
To compute one surface of all scans, use 'run' on the folder with --poses, or on the file of --merged.

Examples:
  scanloupe-cli align room1.pcd room2.pcd --start=1.8,0.7,0,0,0,40 --merged room.ply
  scanloupe-cli align room1.pcd room2.pcd --search 3
  scanloupe-cli align frames/ --poses poses.txt --merged street.ply --report drive.html
  scanloupe-cli align frames/ --to previous --json | jq '.scans[].ndt.iterations')");
    sub.whenParsed(
        [&action, options] { action = [options](Session& session) { runAlign(*options, session); }; });
}

} // namespace scanloupe::cli
