// Runs surveys in tiles from the command line.
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
#include "engine/tiles/manifest.h"
#include "engine/tiles/ranked_run.h"
#include "engine/tiles/tile_cleanup.h"
#include "engine/tiles/tile_memory.h"
#include "engine/tileset/node_files.h"
#include "engine/tileset/tileset.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace scanloupe::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifest = "manifest.json";
constexpr const char* kCleaned = "cleaned"; ///< folder of the surface without small parts

/// Points of a file that are read at once: LAS and LAZ files with more are read in slices.
constexpr std::uint64_t kPointsPerPart = std::uint64_t{16} << 20;

/// The tile size for some 16 million points a tile, if they are spread evenly.
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
        "tiles     {}, of {} x {} x {} places{}\n          {}, {}, checksum {}\n",
        counted(report.tiles.size(), "tile"), plan.tiles().x, plan.tiles().y, plan.tiles().z,
        report.tilesBefore > 0 ? fmt::format("; {} were there before", grouped(report.tilesBefore)) : "",
        counted(points, "point"), counted(triangles, "triangle"), hexOf(report.digest).substr(0, 16));
    if (report.cleanUp)
        text += fmt::format("          {} of {} were removed, with {}\n",
                            grouped(report.cleanUp->removedParts), counted(report.cleanUp->parts, "part"),
                            counted(report.cleanUp->removedTriangles, "triangle"));
    if (const std::uint64_t out = report.points.outside; out > 0)
        text += fmt::format("          {} outside of the range\n", counted(out, "point"));
    if (const std::uint64_t strayed = report.points.strayed; strayed > 0)
        text += fmt::format("          {} outside of the box that their file gives were left out\n",
                            counted(strayed, "point"));
    text += fmt::format("time      {:.1f} s; reading {:.1f} s, waiting for tiles {:.1f} s\n",
                        report.wallMs / 1e3, report.readMs / 1e3, report.waitMs / 1e3);
    for (const WorkerReport& worker : report.workers) {
        if (!worker.failure.empty())
            text += fmt::format("          {} was given up, the host took over: {}\n", worker.name,
                                worker.failure);
        text += fmt::format("          {}: {}, computing {:.1f} s, writing {:.1f} s, waiting {:.1f} s\n",
                            worker.name, counted(worker.tiles, "tile"), worker.computeMs / 1e3,
                            worker.writeMs / 1e3, worker.waitMs / 1e3);
    }
    text += fmt::format("memory    at most {} of points waited{}\n", formatBytes(report.maxPointBytes),
                        report.packedBytes > 0
                            ? fmt::format("; {} were put on the disk", formatBytes(report.packedBytes))
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
    const Option tiles = command
                             .option("--tiles", folder,
                                     "Compute the surface of a survey larger than memory as seamless tiles "
                                     "in this folder; when started again, it resumes")
                             .typeName("FOLDER");
    command
        .option("--tile-size", size,
                "Edge of a tile, in the unit of the coordinates; without it some 16 million points a tile")
        .typeName("S")
        .needs(tiles);
    command.option("--tile-format", ending, "Format of the tiles' meshes")
        .typeName("ply|glb")
        .oneOf({"ply", "glb"})
        .needs(tiles)
        .showDefault();
    command
        .option("--tile-attributes", attributes,
                "What vertices and voxels get of the points: rgb, intensity and others, separated by commas; "
                "means, or the most frequent class")
        .typeName("LIST")
        .needs(tiles);
    const std::vector<std::string> formats = withoutDots(voxelEndings());
    command.option("--tile-voxels", voxels, "Also write the voxels of each tile in this format")
        .typeName(fmt::format("{}", fmt::join(formats, "|")))
        .oneOf(formats)
        .needs(tiles);
    command
        .flag("--tileset", tileset,
              "Also write the surface as 3D Tiles 1.1: tileset.json, and GLB in levels of detail")
        .needs(tiles);
    command
        .option("--tile-memory", memory,
                "GiB of points to keep in memory before they are written to disk; default: a third of the "
                "free memory")
        .typeName("GIB")
        .needs(tiles);
    addDevicesOption(command, devices, "What computes tiles").needs(tiles);
}

namespace {

/// Replaces the surface by the one without its small parts; voxels stay.
void takeCleaned(TileRunReport& report, CleanedTiles cleaned) {
    for (std::size_t i = 0; i < cleaned.tiles.size(); ++i)
        cleaned.tiles[i].voxelFile = report.tiles[i].voxelFile;
    report.tiles = std::move(cleaned.tiles);
    report.digest = cleaned.digest;
    report.cleanUp = cleaned.report;
}

/// Lists the tiles that lack points because a file is unreadable: "a.las is missing in tiles 0_0_0, 0_1_0:
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
        names.empty() ? "in tiles that are not known"
                      : fmt::format("in {} {}", names.size() == 1 ? "tile" : "tiles", fmt::join(names, ", ")),
        file.why);
}

/// Reads all of a survey once, before anything is written. @throws EngineError for missing data; Cancelled
void requireWhole(const SurveyFiles& survey, const ScanList& list, Session& session) {
    for (const LeftOut& file : list.leftOut)
        if (!file.isNoScan)
            session.warnOfMissing(file.why);
    for (const RefusedFile& file : survey.refused())
        session.warnOfMissing(fmt::format("{}: {}", file.name, file.why));
    const ProgressFunction progress = session.console.step("looking for damage");
    for (std::size_t part = 0; part < survey.parts().size(); ++part) {
        session.warn(survey.parts()[part].name, survey.read(
                                                    part, [](const SurveyPiece&) {}, session.stop));
        progress(double(part + 1) / double(survey.parts().size()));
    }
}

/// The forecast of a job: "of up to 400 points: about 90 MiB of memory at most, ..." @throws Cancelled
std::string memoryText(const SurveySource& source, const TilePlan& plan, const TileRunOptions& run,
                       bool keepsVoxels, int ranks, Session& session) {
    session.console.step("looking at a part of the surface");
    const SurfaceSample sample = sampleTiles(source, plan, session.stop);
    const TileMemory memory = forecastMemory(source.parts(), plan, run, {sample, keepsVoxels, ranks});
    return fmt::format(
        "of up to {}: about {} of memory at most{}, {} of it points that wait, {} tiles in work",
        counted(memory.pointsOfLargest, "point"), formatBytes(memory.all()),
        ranks > 1 ? fmt::format(" in each of {} processes", ranks) : "", formatBytes(memory.waiting),
        formatBytes(memory.computing));
}

} // namespace

void addTileOutputs(const fs::path& folder, OutputCheck& files) {
    for (const char* name : {"tiles", "voxels", "cleaned", "nodes", "levels"})
        files.addOutputFolder(folder / name);
    for (const char* name : {"manifest.json", "job.json", "tileset.json", "lock"})
        if (fs::is_regular_file(folder / name)) // others are refused by the job
            files.addOutput(folder / name, {});
}

void runSurvey(const TileOptions& options, const fs::path& survey, const Recipe& recipe, Backend backend,
               Session& session) {
    if (isProjectFile(survey))
        throw EngineError(
            fmt::format("'{}' is a project, and surveys in tiles are made of scans.", survey.string()),
            "Name the folder of its scans, with --recipe: 'run PROJECT --save-recipe FILE' writes the "
            "recipe.");
    if (!(options.size >= 0 && std::isfinite(options.size)))
        throw EngineError(fmt::format("--tile-size must be a length above 0 (got {:g}).", options.size),
                          "Give it in the unit of the coordinates.");
    if (!(options.memory >= 0 && options.memory < 1e6))
        throw EngineError(fmt::format("--tile-memory is out of range (got {:g}).", options.memory),
                          "Give it in GiB, such as 2.");
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
    const SurveyFiles source(files, attributes, kPointsPerPart, session.console.step("looking at the files"),
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
    std::vector<std::string> names{kManifest}; // files written after the tiles
    if (recipe.minComponentTriangles > 0)
        names.emplace_back(kCleaned);
    if (options.tileset)
        names.insert(names.end(), {"tileset.json", "nodes"});
    store.job().claim(names);
    if (isFirst)
        session.console.line(fmt::format(
            "{} in {} {}", counted(std::uint64_t(files.size()), "file"), counted(plan.size(), "tile"),
            memoryText(source, plan, run, store.keepsVoxels(), link ? link->size() : 0, session)));
    trimHeap(); // returns memory of whole files and of the sample to the system
    run.progress = session.console.step(fmt::format("running {}", survey.filename().string()));
    std::optional<TileRunReport> done = link ? runRanked(source, plan, store, run, *link, session.stop)
                                             : runTiles(source, plan, store, run, session.stop);
    if (!done)
        return; // rank 0 reports the work of all ranks
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
        // removed before the manifest describes another surface
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
        throw EngineError(fmt::format("{} could not be read.", counted(report.refused.size(), "file")),
                          "Their points are missing from the tiles. Repair the files, and start the job "
                          "again with the same range: only the tiles near them are recomputed.");
}

} // namespace scanloupe::cli
