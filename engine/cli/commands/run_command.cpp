// Implements `run`: runs the pipeline on a scan, a volume, a folder, a folder merged by poses, or a project.
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
#include "engine/pipeline/pipeline.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"

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
    fs::path scanFile; ///< the file to read
    RunTargets targets;
    ReadOptions read;
    BackendRequest backend;
};

/// Runs the pipeline on a scan.
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
        session.console.line(fmt::format("warning: no point of {} is in range: it has no voxels",
                                         terminalLine(scan.filename().string())));
    warnOfReference(snapshot.reference.get(), session);
    return snapshot;
}

FrameReport reportOf(const std::string& scan, const Snapshot& snapshot, const ChosenReference& reference,
                     std::vector<WrittenFile> written) {
    std::vector<std::string> notes = snapshot.notes;
    if (snapshot.cloud) // values of some attributes are loaded when they are written
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

/// Writes --timings, and prints the document of --json.
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
    const auto trusted = command.options.trustedCode(recipe); // checked before reading a large scan
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

/// A name for each frame, unique on case-insensitive file systems, too: the file's stem if all stems are
/// distinct, else the whole file name; names that then only differ by case get a number.
std::vector<std::string> frameNames(const std::vector<fs::path>& scans) {
    std::set<std::string> stems, used;
    std::map<std::string, int> numbers; // numbers already appended, by name
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

/// Runs each scan of a folder or of a project as a frame. Frames that fail are reported and counted; the
/// others run.
/// @param recipes one a scan, or one for all
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
            continue; // e.g. a picture or notes
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
        throw EngineError(fmt::format("{} of {} failed.", failed, counted(frames.size(), "frame")),
                          "The reasons are listed above, with what to do; the other frames are done.");
}

/// The recipe with which the window shows a scan of a project.
Recipe recipeOf(const Project& project, std::size_t scan) {
    const bool isOther = project.kind == ProjectKind::clouds && int(scan) != project.shown;
    if (!isOther)
        return project.recipe;
    const auto& own = project.scans[scan].recipe;
    return own ? **own : forAnotherScan(project.recipe, isVolumeFile(project.scans[scan].path));
}

/// Runs the shown scans of a project: a single one, all of them together, or each of them.
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
        command.read.octree->range.reset(); // each scan has its own
    for (std::size_t i = 0; i < project.scans.size(); ++i) {
        list.scans.push_back(project.scans[i].path);
        recipes.push_back(command.options.recipe(session, recipeOf(project, i)));
    }
    runFrames(command, list, recipes, session);
}

/// Runs a survey in tiles, which has no other outputs.
void runInTiles(const RunCommand& command, Session& session) {
    if (!command.targets.isEmpty() || command.end != RunEnd::surface || !command.poses.empty())
        throw EngineError("--tiles makes a surface in tiles, and nothing else.",
                          "Leave out other outputs, --stages and --poses.");
    addTileOutputs(command.tiles.folder, session.files);
    if (command.backend.backend == Backend::sycl || !command.backend.device.empty())
        throw EngineError("--tiles runs with CUDA or on the CPU, but not with --backend sycl or --device.",
                          "Leave these options out, and choose devices with --devices.");
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
        throw EngineError("--poses needs a folder of scans, and '" + command.scan + "' is not a folder.",
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
    Command sub =
        program.subcommand("run", "Voxels, surface, picture and timings of a scan, a raw volume or a folder");
    auto command = std::make_shared<RunCommand>(sub);
    sub.option("scan", command->scan,
               "A scan, a raw volume, a folder of scans that run one after the other, or a project that the "
               "window has saved")
        .required();
    sub.option("--poses", command->poses,
               "All scans of the folder as one, each where this file says: KITTI or TUM poses, as align "
               "writes them")
        .typeName("FILE");
    const std::map<std::string, RunEnd> ends{
        {"voxels", RunEnd::voxels}, {"field", RunEnd::field}, {"all", RunEnd::surface}};
    sub.choice("--stages", command->end, ends,
               "How far it runs: voxels: these alone, and nothing is chosen that they don't need; field: "
               "without a surface; all")
        .typeName("voxels|field|all")
        .showDefault("all");
    addJsonOption(sub, "For programs: stages, counts, quality, notes, recipe and files as JSON");
    addReadingOptions(sub, command->read);
    addOctreeOption(sub, command->resolution, true);
    addDeviceOptions(sub, command->backend);
    sub.footer(
        R"(What you leave out is chosen from the data, and said. Give values that begin with a minus after an equals sign.
For a folder the name of each frame goes into its files' names: --mesh m.ply writes m_0001.ply, m_0002.ply, ...

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
