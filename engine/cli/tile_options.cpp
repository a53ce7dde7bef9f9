// Runs surveys tile by tile from the command line.
#include "engine/cli/tile_options.h"

#include "engine/cli/devices_option.h"
#include "engine/cli/input.h"
#include "engine/cli/mpi/mpi_link.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/write/write_atomically.h"
#include "engine/io/formats.h"
#include "engine/project/project.h"
#include "engine/recipe/recipe.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tiles/ranked_run.h"
#include "engine/survey/tiles/tile_cleanup.h"
#include "engine/survey/tiles/tile_memory.h"
#include "engine/survey/tileset/node_files.h"
#include "engine/survey/tileset/tileset.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kCleaned = "cleaned"; ///< subfolder of the tiles without small parts

/// Maximum number of points to read at once. LAS and LAZ files with more points are read in slices.
constexpr std::uint64_t kPointsPerPart = std::uint64_t{16} << 20;

/// Returns the tile size that gives about 16 million points per tile if the points are spread evenly; 0 for a
/// single tile.
double usualTileSize(const std::vector<SurveyPart>& parts, const Bounds& bounds) {
    constexpr double pointsPerTile = 16e6;
    double points = 0;
    for (const SurveyPart& part : parts)
        points += double(part.points);
    const Vec3d extent = bounds.max - bounds.min;
    if (points <= pointsPerTile)
        return 0;
    return std::sqrt(extent.x * extent.y * pointsPerTile / points);
}

std::string summaryOf(const TilePlan& plan, const TileRunReport& report, const fs::path& manifest) {
    std::uint64_t points = 0, triangles = 0;
    for (const TileRecord& record : report.tiles) {
        points += record.points;
        triangles += record.triangles;
    }
    std::string text = fmt::format(
        "tiles     {}, in a grid of {} x {} x {}{}\n          {}, {}, checksum {}\n",
        counted(report.tiles.size(), "tile"), plan.tiles().x, plan.tiles().y, plan.tiles().z,
        report.tilesBefore > 0 ? fmt::format("; {} existed before", grouped(report.tilesBefore)) : "",
        counted(points, "point"), counted(triangles, "triangle"), hexOf(report.digest).substr(0, 16));
    if (report.cleanUp)
        text += fmt::format("          removed {} of {}, with {}\n", grouped(report.cleanUp->removedParts),
                            counted(report.cleanUp->parts, "part"),
                            counted(report.cleanUp->removedTriangles, "triangle"));
    if (const std::uint64_t out = report.points.outside; out > 0)
        text += fmt::format("          {} outside the range\n", counted(out, "point"));
    if (const std::uint64_t strayed = report.points.strayed; strayed > 0)
        text += fmt::format("          {} outside the bounding box in their file's header, ignored\n",
                            counted(strayed, "point"));
    text += fmt::format("time      {:.1f} s; reading {:.1f} s, waiting for tiles {:.1f} s\n",
                        report.wallMs / 1e3, report.readMs / 1e3, report.waitMs / 1e3);
    for (const WorkerReport& worker : report.workers) {
        if (!worker.failure.empty())
            text += fmt::format("          {} failed and the CPU took over its work: {}\n", worker.name,
                                worker.failure);
        text += fmt::format("          {}: {}, computing {:.1f} s, writing {:.1f} s, waiting {:.1f} s\n",
                            worker.name, counted(worker.tiles, "tile"), worker.computeMs / 1e3,
                            worker.writeMs / 1e3, worker.waitMs / 1e3);
    }
    text += fmt::format("memory    at most {} of queued points{}\n", formatBytes(report.maxPointBytes),
                        report.packedBytes > 0
                            ? fmt::format("; {} were written to disk", formatBytes(report.packedBytes))
                            : "");
    return text + fmt::format("manifest  {}\n", manifest.string());
}

std::vector<std::string> withoutDots(const std::vector<std::string>& endings) {
    std::vector<std::string> names;
    for (const std::string& ending : endings)
        names.push_back(ending.substr(1));
    return names;
}

} // namespace

void TileOptions::addTo(Command command) {
    const Option tiles =
        command
            .option("--tiles", folder,
                    "Compute the surface of a survey that does not fit in memory as seamless tiles "
                    "in this folder; an interrupted run resumes when started again")
            .typeName("FOLDER");
    command
        .option("--tile-size", size,
                "Edge of a tile, in the unit of the coordinates; default: about 16 million points per tile")
        .typeName("S")
        .needs(tiles);
    command.option("--tile-format", ending, "Format of the tiles' meshes")
        .typeName("ply|glb")
        .oneOf({"ply", "glb"})
        .needs(tiles)
        .showDefault();
    command
        .option("--tile-attributes", attributes,
                "Attributes to transfer from the points to vertices and voxels, separated by commas, such as "
                "rgb,intensity; "
                "numbers are averaged, and the most frequent class is taken")
        .typeName("LIST")
        .needs(tiles);
    const std::vector<std::string> formats = withoutDots(voxelEndings());
    command.option("--tile-voxels", voxels, "Format in which the voxels of each tile are also written")
        .typeName(fmt::format("{}", fmt::join(formats, "|")))
        .oneOf(formats)
        .needs(tiles);
    command
        .flag(
            "--tileset", tileset,
            "Also write the surface as 3D Tiles 1.1: tileset.json and GLB files in several levels of detail")
        .needs(tiles);
    command
        .option(
            "--tile-memory", memory,
            "GiB of points to keep in memory; more are written to disk temporarily; default: a third of the "
            "free memory")
        .typeName("GIB")
        .needs(tiles);
    addDevicesOption(command, devices, "Devices that compute the tiles").needs(tiles);
}

namespace {

/// Updates the report to the tiles without small parts. Voxels do not change.
void takeCleaned(TileRunReport& report, CleanedTiles cleaned) {
    for (std::size_t i = 0; i < cleaned.tiles.size(); ++i)
        cleaned.tiles[i].voxelFile = report.tiles[i].voxelFile;
    report.tiles = std::move(cleaned.tiles);
    report.digest = cleaned.digest;
    report.cleanUp = cleaned.report;
}

/// Describes which tiles lack points because a file is unreadable: "a.las is missing in tiles 0_0_0, 0_1_0:
/// ..."
std::string missingText(const RefusedFile& file, const TilePlan& plan, const std::vector<TileRecord>& tiles) {
    std::vector<std::string> names;
    for (const TileRecord& record : tiles)
        if (std::ranges::find(record.missing, file.name) != record.missing.end()) {
            const Vec3i place = plan.placeOf(record.tile);
            names.push_back(fmt::format("{}_{}_{}", place.x, place.y, place.z));
        }
    return fmt::format(
        "{} is missing {}: {}", file.name,
        names.empty() ? "in unknown tiles"
                      : fmt::format("in {} {}", names.size() == 1 ? "tile" : "tiles", fmt::join(names, ", ")),
        file.why);
}

/// Reads the whole survey once to find damage before anything is written. @throws EngineError for missing
/// data; Cancelled
void requireWhole(const SurveyFiles& survey, const ScanList& list, Session& session) {
    for (const LeftOut& file : list.leftOut)
        if (!file.isNoScan)
            session.warnOfMissing(file.why);
    for (const RefusedFile& file : survey.refused())
        session.warnOfMissing(fmt::format("{}: {}", file.name, file.why));
    const ProgressFunction progress = session.console.step("checking for damage");
    for (std::size_t part = 0; part < survey.parts().size(); ++part) {
        session.warn(survey.parts()[part].name, survey.read(
                                                    part, [](const SurveyPiece&) {}, session.stop));
        progress(double(part + 1) / double(survey.parts().size()));
    }
}

/// Returns the memory forecast of a job as text: "of up to 400 points: about 90 MiB of memory at most, ..."
/// @throws Cancelled
std::string memoryText(const SurveySource& source, const TilePlan& plan, const TileRunOptions& run,
                       bool keepsVoxels, int ranks, Session& session) {
    session.console.step("estimating the memory");
    const SurfaceSample sample = sampleTiles(source, plan, session.stop);
    const TileMemory memory = forecastMemory(source.parts(), plan, run, {sample, keepsVoxels, ranks});
    return fmt::format(
        "of up to {}: about {} of memory at most{}: {} for queued points, {} for tiles being computed",
        counted(memory.pointsOfLargest, "point"), formatBytes(memory.all()),
        ranks > 1 ? fmt::format(" in each of {} processes", ranks) : "", formatBytes(memory.waiting),
        formatBytes(memory.computing));
}

} // namespace

void addTileOutputs(const fs::path& folder, OutputCheck& files) {
    for (const char* name : {"tiles", "voxels", "cleaned", "nodes", "levels"})
        files.addOutputFolder(folder / name);
    for (const char* name : {"manifest.json", "job.json", "tileset.json", "lock"})
        if (fs::is_regular_file(folder / name)) // anything that is not a regular file is rejected when the
                                                // job opens the folder
            files.addOutput(folder / name, {});
}

void runSurvey(const TileOptions& options, const fs::path& survey, const Recipe& recipe, Backend backend,
               Session& session) {
    if (isProjectFile(survey))
        throw EngineError(
            fmt::format("--tiles needs scans, but '{}' is a project.", survey.string()),
            "Name the folder of its scans and use --recipe; 'run PROJECT --save-recipe FILE' writes the "
            "recipe.");
    if (!(options.size >= 0 && std::isfinite(options.size)))
        throw EngineError(
            fmt::format("--tile-size must be a finite length of 0 or more (got {:g}).", options.size),
            "Give it in the unit of the coordinates; 0: from the number of points.");
    if (!(options.memory >= 0 && options.memory < 1e6))
        throw EngineError(
            fmt::format("--tile-memory must be at least 0 and below 1000000 GiB (got {:g}).", options.memory),
            "Give a size such as 2; 0: a third of the free memory.");
    keepFreedMemory();
    TileRunOptions run;
    run.workers = workersIn(options.devices, backend);
    run.memory = std::uint64_t(options.memory * double(std::uint64_t{1} << 30));
    const std::unique_ptr<RankLink> link = joinRanks();
    const bool isFirst = !link || link->rank() == 0;
    if (!isFirst)
        session.console.makeQuiet();
    ScanList list{{survey}, {}, {}};
    if (fs::is_directory(survey))
        list = scansIn(survey, session);
    const std::vector<fs::path>& files = list.scans;
    const std::vector<std::string> attributes =
        options.attributes.empty() ? std::vector<std::string>() : splitAtCommas(options.attributes);
    const SurveyFiles source(files, attributes, kPointsPerPart, session.console.step("inspecting the files"),
                             session.stop);
    if (session.strict)
        requireWhole(source, list, session);
    const Bounds bounds = boundsOf(source.parts());
    const double size = options.size > 0 ? options.size : usualTileSize(source.parts(), bounds);
    SurveyParams params = surveyParams(recipe, bounds);
    params.attributes = source.attributes();
    const TilePlan plan(params, size);
    const TileEndings endings{"." + options.ending, options.voxels.empty() ? "" : "." + options.voxels};
    requireOutsideJob(options.folder, files);
    const TileStore store(options.folder, plan, jobDescription(plan, endings), endings,
                          isFirst ? TileStore::Access::alone : TileStore::Access::shared);
    std::vector<std::string> names{kManifest}; // files to write after the tiles
    if (recipe.minComponentTriangles > 0)
        names.emplace_back(kCleaned);
    if (options.tileset)
        names.insert(names.end(), {"tileset.json", "nodes"});
    store.job().claim(names);
    if (isFirst)
        session.console.line(fmt::format(
            "{} in {} {}", counted(std::uint64_t(files.size()), "file"), counted(plan.size(), "tile"),
            memoryText(source, plan, run, store.keepsVoxels(), link ? link->size() : 0, session)));
    trimHeap(); // frees the memory of whole files and of the sample
    run.progress = session.console.step(fmt::format("running {}", survey.filename().string()));
    std::optional<TileRunReport> done = link ? runRanked(source, plan, store, run, *link, session.stop)
                                             : runTiles(source, plan, store, run, session.stop);
    if (!done)
        return; // rank 0 reports for all ranks
    TileRunReport& report = *done;
    report.refused.insert(report.refused.begin(), source.refused().begin(), source.refused().end());
    for (const LeftOut& file : list.leftOut)
        if (!file.isNoScan)
            report.refused.push_back({file.path.filename().string(), file.why});
    report.bytesRead += source.bytesReadBefore();
    std::optional<TileStore> cleaned;
    if (recipe.minComponentTriangles > 0) {
        cleaned.emplace(store, kCleaned);
        takeCleaned(report, cleanTiles(store, *cleaned, plan, report.tiles, recipe.minComponentTriangles,
                                       session.console.step("removing small parts"), session.stop));
    }
    const fs::path manifest = store.folder() / kManifest;
    const std::string document = manifestOf(plan, recipe, report);
    if (!options.tileset)
        // A tileset of another surface is removed before the manifest is replaced.
        removeOtherTileset(store.job(), report.digest);
    writeAtomically(
        manifest, [&](std::ostream& out) { out << document; }, session.stop);
    std::optional<TilesetReport> tileset;
    if (options.tileset)
        tileset = writeTileset(cleaned ? *cleaned : store, plan, report.tiles,
                               {.progress = session.console.step("writing 3D Tiles")}, session.stop);
    session.console.clear();
    if (session.json)
        session.printJson(document);
    else
        session.text() << summaryOf(plan, report, manifest);
    if (tileset && !session.json)
        session.text() << fmt::format(
            "3D Tiles  {}: {} in {}, {}, {}, {:.1f} s\n", (store.folder() / "tileset.json").string(),
            counted(tileset->nodes, "node"), counted(std::uint64_t(tileset->levels), "level"),
            counted(tileset->triangles, "triangle"), formatBytes(tileset->bytes), tileset->wallMs / 1e3);
    for (const RefusedFile& file : report.damaged)
        session.warn(file.name, {file.why});
    for (const RefusedFile& file : report.refused)
        session.warnOfMissing(missingText(file, plan, report.tiles));
    if (!report.refused.empty())
        throw EngineError(fmt::format("{} of the survey could not be read; the reasons are listed above.",
                                      counted(report.refused.size(), "file")),
                          "The tiles lack their points. Repair the files, and start the job "
                          "again with the same range: only the tiles near them are recomputed.");
}

} // namespace scanloupe::cli
