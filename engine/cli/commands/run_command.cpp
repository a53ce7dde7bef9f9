// Implements `run`: runs the pipeline on a scan, a volume, a project, or a folder, whose scans may be merged
// by poses.
#include "engine/cli/backend_option.h"
#include "engine/cli/commands.h"
#include "engine/cli/commands/start_run.h"
#include "engine/cli/input.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/cli/project_input.h"
#include "engine/cli/reading_options.h"
#include "engine/cli/recipe_options.h"
#include "engine/cli/reports/run_report.h"
#include "engine/cli/run_outputs.h"
#include "engine/cli/tile_options.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/text/utf8.h"
#include "engine/io/formats.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <set>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

struct RunCommand {
    explicit RunCommand(Command command) : options(command) {
        outputs.addTo(command);
        tiles.addTo(command);
    }
    RecipeOptions options;
    RunOutputs outputs;
    TileOptions tiles;
    std::string scan, poses, resolution; ///< values of the options, as typed
    RunEnd end = RunEnd::surface;
    fs::path scanFile; ///< the file to read for the option `scan`
    RunTargets targets;
    ReadOptions read;
    BackendRequest backend;
};

/// Runs the pipeline on one scan and reports its warnings.
Snapshot runScan(ScanInput input, const fs::path& scan, const Recipe& recipe, const RunTargets& targets,
                 RunEnd end, Pipeline& pipeline, Session& session) {
    if (input.volume)
        pipeline.setInput(std::move(input.volume), input.readMs);
    else
        pipeline.setInput(std::move(input.cloud), input.readMs);
    RunOptions options;
    options.picture = targets.wantsPicture(recipe);
    options.end = end;
    options.mayBeEmpty = targets.areVoxelsAlone();
    options.quality = recipe.quality != QualityChoice::automatic || !targets.meshes.empty();
    options.progress = session.console.step("running " + scan.filename().string());
    Snapshot snapshot = pipeline.run(recipe, options, session.stop);
    if (options.picture)
        snapshot = pipeline.refine(snapshot, int(recipe.samples), session.stop);
    session.console.clear();
    if (snapshot.voxels && snapshot.voxels->stats.pointsInRange == 0)
        session.console.line(fmt::format("warning: no point of {} is in the range, so there are no voxels",
                                         terminalLine(scan.filename().string())));
    warnOfReference(snapshot.reference.get(), session);
    return snapshot;
}

FrameReport reportOf(const std::string& scan, const Snapshot& snapshot, const ChosenReference& reference,
                     std::vector<WrittenFile> written) {
    std::vector<std::string> notes;
    for (const RunNote& note : snapshot.notes)
        notes.push_back(note.text);
    if (snapshot.cloud) // Some attribute values are loaded only when they are written.
        for (std::string& warning : snapshot.cloud->loadWarnings())
            if (std::ranges::find(notes, warning) == notes.end())
                notes.push_back(std::move(warning));
    return {scan,
            "",
            snapshot.timings,
            snapshot.resolved,
            std::move(notes),
            snapshot.quality,
            referenceOf(snapshot.cloud.get(), reference).unit,
            {},
            std::move(written)};
}

FrameReport failureOf(const std::string& scan, const std::string& what, const std::string& nextStep) {
    return {scan, what, {}, {}, {}, nullptr, LengthUnit::metre, nextStep};
}

/// Writes the file of --timings, and prints the document of --json.
void report(const RunCommand& command, const std::vector<FrameReport>& frames,
            const std::optional<std::string>& folder, const BackendChoice& backend, Session& session) {
    if (command.targets.timings) {
        writeTimings(*command.targets.timings, frames, folder, backend, session.stop);
        printWritten(session, "timings", *command.targets.timings);
    }
    if (session.json)
        session.printJson(runsJson(frames, folder, backend));
}

void runOne(const RunCommand& command, const Recipe& recipe, const InputReader& reader, Session& session) {
    const auto trusted = command.options.trustedCode(recipe); // fails before a large scan is read
    auto [started, input] = startRun(command.backend, command.read, reader);
    Pipeline& pipeline = *started;
    pipeline.setTrustedCode(trusted);
    Snapshot snapshot =
        runScan(std::move(input), command.scan, recipe, command.targets, command.end, pipeline, session);
    const ChosenReference& reference = command.targets.reference;
    printSummary(snapshot, referenceOf(snapshot.cloud.get(), reference), pipeline.backend(), session);
    std::vector<WrittenFile> written = command.targets.write(snapshot, pipeline, session);
    report(command, {reportOf(command.scan, snapshot, reference, std::move(written))}, std::nullopt,
           pipeline.backend(), session);
}

/// Returns a name for each frame, unique even on case-insensitive file systems: the file's stem if all stems
/// are distinct, else the whole file name. Names that differ only by case get a number.
std::vector<std::string> frameNames(const std::vector<fs::path>& scans) {
    std::set<std::string> stems, used;
    std::map<std::string, int> numbers; // the last number that was appended to each name
    for (const fs::path& scan : scans)
        stems.insert(lowerCase(scan.stem().string()));
    std::vector<std::string> names;
    for (const fs::path& scan : scans) {
        const std::string baseName = (stems.size() == scans.size() ? scan.stem() : scan.filename()).string();
        std::string name = baseName;
        for (int& number = numbers[lowerCase(name)]; !used.insert(lowerCase(name)).second;)
            name = fmt::format("{}_{}", baseName, number++ + 2);
        names.push_back(name);
    }
    return names;
}

/// Runs each scan of a folder or of a project as a frame. A frame that fails is reported and counted, and the
/// other frames still run.
/// @param recipes one for each scan, or a single one for all scans
void runFrames(const RunCommand& command, const ScanList& list, const std::vector<Recipe>& recipes,
               Session& session) {
    Pipeline pipeline(chooseBackend(command.backend));
    const std::vector<fs::path>& scans = list.scans;
    const std::vector<std::string> names = frameNames(scans);
    for (const std::string& name : names)
        command.targets.ofFrame(name).check(session.files);
    ReadOptions read = command.read;
    read.deviceStream = deviceStreamOf(pipeline.backend());
    std::vector<std::shared_ptr<const TrustedCode>> trusted;
    for (const Recipe& recipe : recipes)
        trusted.push_back(command.options.trustedCode(recipe));
    std::vector<FrameReport> frames;
    std::size_t failed = 0;
    for (const LeftOut& file : list.leftOut) {
        if (file.isNoScan)
            continue; // a file of another kind, such as a picture or notes
        ++failed;
        frames.push_back(failureOf(file.path.string(), file.why, knownFormats()));
    }
    for (std::size_t i = 0; i < scans.size(); ++i) {
        const std::string label =
            fmt::format("[{}/{}] {}", i + 1, scans.size(), terminalLine(scans[i].filename().string()));
        try {
            RunTargets targets = command.targets.ofFrame(names[i]);
            if (targets.arrays.batch)
                targets.arrays.batch = static_cast<std::int32_t>(i);
            const std::size_t own = recipes.size() == 1 ? 0 : i;
            const Recipe& recipe = recipes[own];
            pipeline.setTrustedCode(trusted[own]);
            Snapshot snapshot = runScan(readInput(scans[i], read, session), scans[i], recipe, targets,
                                        command.end, pipeline, session);
            const RunTimings& timings = snapshot.timings;
            session.text() << fmt::format(
                "{}: {} in range, {}, {}{:.1f} ms\n", label,
                counted(timings.count("points_in_range"), "point"), counted(timings.count("voxels"), "voxel"),
                snapshot.mesh ? counted(timings.count("triangles"), "triangle") + ", " : "", timings.totalMs);
            std::vector<WrittenFile> written = targets.write(snapshot, pipeline, session);
            frames.push_back(
                reportOf(scans[i].string(), snapshot, command.targets.reference, std::move(written)));
        } catch (const Error& error) {
            ++failed;
            session.console.error(
                fmt::format("{}: {}\n  {}", label, terminalLine(error.what()), error.nextStep()));
            frames.push_back(failureOf(scans[i].string(), error.what(), error.nextStep()));
        }
    }
    printStatistics(frames, session);
    report(command, frames, command.scan, pipeline.backend(), session);
    if (failed > 0)
        throw EngineError(fmt::format("{} of {} failed. The other frames are done.", failed,
                                      counted(frames.size(), "frame")),
                          "The reasons and the next steps are listed above.");
}

/// Returns the recipe with which the window shows a scan of a project.
Recipe recipeOf(const Project& project, std::size_t scan) {
    const bool isOther = project.kind == ProjectKind::clouds && int(scan) != project.shown;
    if (!isOther)
        return project.recipe;
    const auto& own = project.scans[scan].recipe;
    return own ? **own : forAnotherScan(project.recipe, isVolumeFile(project.scans[scan].path));
}

/// Runs the visible scans of a project: a single scan, all of them merged, or each as a frame.
void runProject(RunCommand& command, const Project& project, Session& session) {
    const Recipe recipe = command.options.recipe(session, project.recipe);
    command.read.octree = octreeReading(command.resolution, recipe);
    const bool isOfAll = project.kind != ProjectKind::clouds || project.scans.size() == 1;
    ChosenReference& reference = command.targets.reference;
    if (isOfAll && !reference.unit)
        reference = project.reference;
    if (project.shown == Project::kTogether)
        return runOne(
            command, recipe,
            [&](const ReadOptions& options) {
                return readProjectTogether(project, command.scanFile, options, session);
            },
            session);
    if (project.scans.size() == 1)
        return runOne(
            command, recipe,
            [&](const ReadOptions& options) {
                return readProjectScan(project.scans.front(), options, session);
            },
            session);
    ScanList list;
    std::vector<Recipe> recipes;
    if (command.read.octree)
        command.read.octree->range.reset(); // each scan has its own range
    for (std::size_t i = 0; i < project.scans.size(); ++i) {
        list.scans.push_back(project.scans[i].path);
        recipes.push_back(command.options.recipe(session, recipeOf(project, i)));
    }
    runFrames(command, list, recipes, session);
}

/// Runs a survey in tiles. Other outputs can't be combined with tiles.
void runInTiles(const RunCommand& command, Session& session) {
    if (!command.targets.isEmpty() || command.end != RunEnd::surface || !command.poses.empty())
        throw EngineError("--tiles can't be combined with other outputs, --stages or --poses.",
                          "Leave these options out, or leave --tiles out.");
    addTileOutputs(command.tiles.folder, session.files);
    if (command.backend.backend == Backend::sycl || !command.backend.device.empty())
        throw EngineError(
            "--tiles can't be combined with --backend sycl or --device; it runs with CUDA or on the CPU.",
            "Leave these options out. Use --devices to choose devices.");
    runSurvey(command.tiles, command.scanFile, command.options.recipe(session), command.backend.backend,
              session);
}

void run(RunCommand& command, Session& session) {
    command.scanFile = session.input(command.scan);
    command.targets = command.outputs.targets(session);
    if (!command.tiles.folder.empty())
        return runInTiles(command, session);
    command.targets.requireIn(command.end);
    std::optional<Project> project;
    if (isProjectFile(command.scanFile))
        project = openProject(command.scanFile, session);
    const bool isFolder = fs::is_directory(command.scanFile);
    if (!command.poses.empty() && !isFolder)
        throw EngineError("--poses needs a folder of scans, but '" + command.scan + "' is not a folder.",
                          "Name the folder, or leave --poses out.");
    if (project)
        return runProject(command, *project, session);
    const Recipe recipe = command.options.recipe(session);
    command.read.octree = octreeReading(command.resolution, recipe);
    if (!command.poses.empty())
        return runOne(
            command, recipe,
            [&](const ReadOptions& options) {
                return readPosedScans(command.scanFile, command.poses, options, session);
            },
            session);
    if (!isFolder)
        return runOne(
            command, recipe,
            [&](const ReadOptions& options) { return readInput(command.scanFile, options, session); },
            session);
    runFrames(command, scansIn(command.scanFile, session), {recipe}, session);
}

} // namespace

void addRunCommand(Command program, Action& action) {
    Command sub = program.subcommand(
        "run", "Compute voxels, surface, picture and timings of a scan, a raw volume or a folder");
    auto command = std::make_shared<RunCommand>(sub);
    sub.option("scan", command->scan,
               "A scan, a raw volume, a folder whose scans are processed one at a time, or a project saved "
               "by the "
               "window")
        .required();
    sub.option("--poses", command->poses,
               "Merge all scans of the folder by the poses in this file: KITTI or TUM poses, as align "
               "writes them")
        .typeName("FILE");
    const std::map<std::string, RunEnd> ends{
        {"voxels", RunEnd::voxels}, {"field", RunEnd::field}, {"all", RunEnd::surface}};
    sub.choice("--stages", command->end, ends,
               "Last stage to run. voxels: only the voxels, without the automatic values of later stages; "
               "field: up to the field, without a surface; all: all stages")
        .typeName("voxels|field|all")
        .showDefault("all");
    addJsonOption(sub, "Write JSON for programs: stages, counts, quality, notes, recipe and files");
    addReadingOptions(sub, command->read);
    addOctreeOption(sub, command->resolution, true);
    addDeviceOptions(sub, command->backend);
    sub.footer(
        R"(Values of omitted options are chosen from the data and printed. Write negative values after an equals sign.
For a folder, output files get the name of their frame: --mesh m.ply writes m_0001.ply, m_0002.ply, ...

Examples:
  scanloupe-cli run room.pcd --mesh room.glb --image room.png --size 1920x1080 --camera top
  scanloupe-cli run room.pcd --mesh small.ply --min-component-triangles 200 --decimate-to 50000 --quality all
  scanloupe-cli run car.ply --field density --voxel-size 0.05 --iso 2000 --voxels car.csv
  scanloupe-cli run sweep.bin --stages voxels --max-points-per-voxel 10 --max-voxels 60000 --voxel-order first-point \
      --voxel-size 0.075,0.075,0.2 --range=-54,-54,-5,54,54,3 --voxels sweep.npz
  zcat sweep.bin.gz | scanloupe-cli run bin:- --stages voxels --voxels npz:- | python3 detect.py
  scanloupe-cli run sweep.bin --camera=0,-30,15,0,0,0,50 --image sweep.png --show points --colour-by intensity
  scanloupe-cli run city.copc.laz --range=0,0,0,200,200,50 --voxel-size 1 --octree-resolution auto --image part.png
  scanloupe-cli run frames/ --poses poses.txt --mesh street.ply
  scanloupe-cli run survey/ --tiles city/ --voxel-size 0.25 --field density --iso 40 --tile-size 250
  scanloupe-cli run survey.json --mesh survey.ply --voxel-size 0.02
  scanloupe-cli run frames/ --save-recipe used.json --timings timings.csv)");
    sub.whenParsed([&action, command] { action = [command](Session& session) { run(*command, session); }; });
}

} // namespace scanloupe::cli
