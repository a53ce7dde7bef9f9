// Runs generated surveys in tiles, and reports time and memory of each step.
#include "tests/bench/bench_scale.h"

#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "engine/compute/side_by_side.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/writers.h"
#include "engine/recipe/recipe.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tileset/tileset.h"
#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"
#include "tests/bench/ask_program.h"
#include "tests/bench/scale_device.h"
#include "tests/bench/scale_model.h"
#include "tests/support/generated_survey.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>

namespace scanloupe::bench {

namespace {

constexpr double kBlockEdge = 100; // metres

test::SurveyArea areaOf(const ScaleOptions& options, std::uint64_t points) {
    test::SurveyArea area;
    area.edge = kBlockEdge;
    area.pointsPerBlock = std::uint64_t(options.perSquareMetre * kBlockEdge * kBlockEdge);
    const double blocks = std::max(1.0, std::round(double(points) / double(area.pointsPerBlock)));
    area.blocksY = std::max(1, int(std::sqrt(blocks / 1.25)));
    area.blocksX = std::max(1, int(std::round(blocks / area.blocksY)));
    return area;
}

Recipe recipeOf(const ScaleOptions& options) {
    Recipe recipe;
    recipe.voxelSize = Vec3d{options.voxelSize, options.voxelSize, options.voxelSize};
    recipe.field = FieldKind::density;
    recipe.iso = options.perSquareMetre / 4 / options.voxelSize;
    return recipe;
}

void resetPeak() {
    std::ofstream("/proc/self/clear_refs") << "5"; // resets VmHWM
}

/// Removes the tiles of an earlier run. @throws EngineError if the folder contains something else
void removeJob(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder) && !std::filesystem::exists(folder / "job.json"))
        throw EngineError("'" + folder.string() + "' exists and holds no tiles.", "Name another --folder.");
    std::filesystem::remove_all(folder);
}

/// Computes a tile of twice the size in the middle of the survey at once. Returns whether it has the same
/// bricks as the stored tiles of this area.
bool isSameInOne(const ScaleOptions& options, const test::GeneratedSurvey& survey, const TileStore& store,
                 const TilePlan& plan, const TileRunReport& report) {
    const TilePlan large(plan.params(), 2 * options.tileSize);
    const std::size_t middle = large.indexOf({large.tiles().x / 2, large.tiles().y / 2, large.tiles().z / 2});
    const std::filesystem::path folder = options.folder + "-check";
    removeJob(folder);
    const TileStore once(folder, large, jobDescription(large, {".ply"}), {".ply"});
    TileRunOptions run;
    run.memory = std::uint64_t(options.memory * double(std::uint64_t{1} << 30));
    run.wanted.assign(large.size(), 0);
    run.wanted[middle] = 1;
    const TileRunReport whole = runTiles(survey, large, once, run, {});
    const std::vector<PartBrick> expected = once.bricksOf(middle);
    std::map<std::uint64_t, Sha256Digest> known;
    for (const TileRecord& record : report.tiles)
        for (const PartBrick& brick : store.bricksOf(record.tile))
            known[brick.key] = brick.digest;
    const bool same = !expected.empty() && std::ranges::all_of(expected, [&](const PartBrick& brick) {
        const auto found = known.find(brick.key);
        return found != known.end() && found->second == brick.digest;
    });
    std::printf("one run on a box of %.0f m, %llu points, %zu bricks of %zu: %s\n", 2 * options.tileSize,
                static_cast<unsigned long long>(whole.tiles.front().points), expected.size(), known.size(),
                same ? "the same surface" : "THE SURFACES DIFFER");
    std::fflush(stdout);
    std::filesystem::remove_all(folder);
    return same;
}

/// Processes a survey on the host, with files. Returns a row of figures.
Json runOnHost(const ScaleOptions& options, std::uint64_t points) {
    const test::GeneratedSurvey survey(areaOf(options, points));
    const Recipe recipe = recipeOf(options);
    const TilePlan plan(surveyParams(recipe, boundsOf(survey.parts())), options.tileSize);
    removeJob(options.folder);
    const TileStore store(options.folder, plan, jobDescription(plan, {".ply"}), {".ply"});
    TileRunOptions run;
    run.memory = std::uint64_t(options.memory * double(std::uint64_t{1} << 30));
    run.workers.clear();
    for (const int worker : options.workers)
        run.workers.push_back({worker < 0 ? std::nullopt : std::optional(worker)});
    resetPeak();
    const TileRunReport report = runTiles(survey, plan, store, run, {});
    std::uint64_t triangles = 0, written = 0;
    for (const TileRecord& record : report.tiles) {
        triangles += record.triangles;
        written += record.mesh.bytes;
    }
    WorkerReport worker; // sums over all workers
    for (const WorkerReport& one : report.workers) {
        worker.computeMs += one.computeMs;
        worker.writeMs += one.writeMs;
        worker.waitMs += one.waitMs;
    }
    const std::uint64_t peak = statusBytes("VmHWM");
    std::printf("%13llu %7zu %12llu %9.1f %8.2f %8.1f %8.1f %8.1f %8.1f %8.2f %8.2f %8.2f\n",
                static_cast<unsigned long long>(report.points.read), report.tiles.size(),
                static_cast<unsigned long long>(triangles), report.wallMs / 1e3,
                report.wallMs * 1e6 / double(report.points.read), report.readMs / 1e3, worker.computeMs / 1e3,
                worker.writeMs / 1e3, worker.waitMs / 1e3, double(peak) / 1e9,
                double(report.packedBytes) / 1e9, double(written) / 1e9);
    std::fflush(stdout);
    TilesetReport tileset;
    if (options.tileset) {
        resetPeak();
        tileset = writeTileset(store, plan, report.tiles, {}, {});
        std::printf("3D Tiles: %llu nodes in %d levels, %llu triangles, %.2f GB, %.1f s, %.2f GB at most\n",
                    static_cast<unsigned long long>(tileset.nodes), tileset.levels,
                    static_cast<unsigned long long>(tileset.triangles), double(tileset.bytes) / 1e9,
                    tileset.wallMs / 1e3, double(statusBytes("VmHWM")) / 1e9);
        std::fflush(stdout);
    }
    const bool isSame = !options.check || isSameInOne(options, survey, store, plan, report);
    if (!options.keep)
        std::filesystem::remove_all(options.folder);
    return {{"is_same", isSame},
            {"points", report.points.read},
            {"tiles", report.tiles.size()},
            {"workers", options.workers.size()},
            {"triangles", triangles},
            {"wall_ms", report.wallMs},
            {"read_ms", report.readMs},
            {"wait_ms", report.waitMs},
            {"compute_ms", worker.computeMs},
            {"write_ms", worker.writeMs},
            {"idle_ms", worker.waitMs},
            {"peak_bytes", peak},
            {"packed_bytes", report.packedBytes},
            {"written_bytes", written},
            {"tileset_ms", tileset.wallMs},
            {"sha256", hexOf(report.digest)}};
}

/// Costs per point, from a row of runOnHost().
ScaleRates ratesOf(const Json& row) {
    constexpr double bytesOfLaz = 6; // bytes per point of format 6 in a generated survey
    const auto points = row["points"].get<double>();
    const auto part = [&](const char* name) { return row[name].get<double>() / points; };
    return {part("read_ms") / 1e3, part("compute_ms") / 1e3, part("write_ms") / 1e3, bytesOfLaz,
            part("written_bytes")};
}

/// Prints the predictions of the model, based on the costs of the first row: for all rows, as a check, and
/// for the requested numbers of hosts.
void model(const ScaleOptions& options, Json& rows) {
    const ScaleRates rates = ratesOf(rows.front());
    const auto predict = [&](std::uint64_t points, const ScaleCluster& cluster) {
        const test::GeneratedSurvey survey(areaOf(options, points));
        const TilePlan plan(surveyParams(recipeOf(options), boundsOf(survey.parts())), options.tileSize);
        return predictScale(survey, plan, rates, cluster);
    };
    std::printf("The model, by the rates of the first row:\n");
    for (Json& row : rows) {
        const ScalePrediction found = predict(row["points"], {1, row["workers"], 0});
        row["model_ms"] = found.wall * 1e3;
        std::printf("%13llu points, %d workers: %.1f s, %.2f times what was measured\n",
                    row["points"].get<unsigned long long>(), row["workers"].get<int>(), found.wall,
                    found.wall * 1e3 / row["wall_ms"].get<double>());
    }
    for (const std::uint64_t hosts : options.modelHosts) {
        const ScalePrediction found =
            predict(options.modelPoints, {int(hosts), options.modelWorkers, options.modelStorage * 1e9});
        std::printf("%13llu points, %llu hosts of %d workers: %.0f s, each point read %.2f times; readers "
                    "work %.0f %%, "
                    "workers %.0f %%, storage %.0f s; what binds: %s\n",
                    static_cast<unsigned long long>(options.modelPoints),
                    static_cast<unsigned long long>(hosts), options.modelWorkers, found.wall, found.readTimes,
                    100 * found.readShare, 100 * found.workShare, found.storageTime, found.binds.c_str());
    }
}

/// Processes the same survey without files: devices generate the points, and take tiles from a common queue.
Json runOnDevices(const ScaleOptions& options, std::uint64_t points, int devices) {
    const test::SurveyArea area = areaOf(options, points);
    const test::GeneratedSurvey survey(area);
    const TilePlan plan(surveyParams(recipeOf(options), boundsOf(survey.parts())), options.tileSize);
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::vector<PartBrick> bricks;
    struct Part {
        std::uint64_t tiles = 0, points = 0, triangles = 0;
        double generateMs = 0, computeMs = 0;
    };
    // as in runTiles(): the host works on one tile while the device computes another
    constexpr int threadsPerDevice = 2;
    const int threads = devices * threadsPerDevice;
    const auto count = std::size_t(threads);
    std::vector<Part> parts(count);
    std::vector<std::unique_ptr<const Stream>> streams(count);
    std::vector<std::function<void()>> functions;
    const auto work = [&](int thread, bool warms) {
        useDevice(thread / threadsPerDevice);
        auto& stream = streams[std::size_t(thread)];
        if (!stream)
            stream = std::make_unique<const Stream>();
        Part part;
        while (true) {
            const std::size_t tile = warms ? 0 : next++;
            if (tile >= plan.size())
                break;
            WallTimer timer;
            const TileCloud own{deviceTilePoints(area, plan, tile, *stream)};
            part.generateMs += timer.elapsedMs();
            timer = WallTimer();
            const TileSurface surface = tileSurface(own, plan, tile, false, {stream->view(), {}});
            part.computeMs += timer.elapsedMs();
            ++part.tiles;
            part.points += surface.points;
            part.triangles += surface.mesh.triangleCount();
            if (warms)
                return;
            const std::lock_guard lock(mutex);
            bricks.insert(bricks.end(), surface.bricks.begin(), surface.bricks.end());
        }
        parts[std::size_t(thread)] = part;
    };
    for (const bool warms : {true, false}) {
        functions.clear();
        for (int thread = 0; thread < threads; ++thread)
            functions.push_back([&work, thread, warms] { work(thread, warms); });
        next = 0;
        if (warms)
            runSideBySide(functions);
    }
    const WallTimer timer;
    runSideBySide(functions);
    const double wallMs = timer.elapsedMs();
    Part sum;
    for (const Part& part : parts) {
        sum.points += part.points;
        sum.triangles += part.triangles;
        sum.tiles += part.tiles;
        sum.generateMs += part.generateMs;
        sum.computeMs += part.computeMs;
    }
    const std::string digest = hexOf(surfaceDigest(std::move(bricks)));
    std::printf("%d devices: %llu points, %llu triangles, %.2f s, %.0f Mpoints/s; generating %.2f s, "
                "computing %.2f s of all; %s\n",
                devices, static_cast<unsigned long long>(sum.points),
                static_cast<unsigned long long>(sum.triangles), wallMs / 1e3,
                double(sum.points) / wallMs / 1e3, sum.generateMs / 1e3, sum.computeMs / 1e3,
                digest.substr(0, 16).c_str());
    std::fflush(stdout);
    return {{"devices", devices}, {"points", sum.points},          {"triangles", sum.triangles},
            {"wall_ms", wallMs},  {"generate_ms", sum.generateMs}, {"compute_ms", sum.computeMs},
            {"sha256", digest}};
}

} // namespace

void addScaleOptions(CLI::App& app, ScaleOptions& options) {
    app.add_option("--points", options.points, "of the generated survey; several sizes");
    app.add_option("--density", options.perSquareMetre, "points a square metre");
    app.add_option("--voxel-size", options.voxelSize, "metres");
    app.add_option("--tile-size", options.tileSize, "metres");
    app.add_option("--memory", options.memory, "GiB of points that wait");
    app.add_option("--folder", options.folder, "for the tiles");
    app.add_flag("--tileset", options.tileset, "also writes 3D Tiles of the tiles");
    app.add_flag("--check", options.check,
                 "also computes a tile of twice the size at once, and compares the surfaces");
    app.add_flag("--keep", options.keep, "leaves the tiles of the last run");
    app.add_option("--workers", options.workers, "devices that compute the tiles; -1: the host");
    app.add_option("--devices", options.devices,
                   "makes and computes the points on so many devices, without files; several numbers");
    app.add_option("--model-hosts", options.modelHosts, "adds a model of so many hosts; several numbers");
    app.add_option("--model-workers", options.modelWorkers, "devices of each of them");
    app.add_option("--model-points", options.modelPoints, "of their survey");
    app.add_option("--model-storage", options.modelStorage, "GB a second of their file system; 0: no limit");
    app.add_option("--json", options.json, "writes the figures to this file");
}

int scale(const ScaleOptions& options) {
    Json all = Json::array();
    bool agree = true;
    keepFreedMemory(); // `run --tiles` does the same
    std::printf("%d threads\n", parallelThreads());
    if (options.devices.empty())
        std::printf("%13s %7s %12s %9s %8s %8s %8s %8s %8s %8s %8s %8s\n", "points", "tiles", "triangles",
                    "wall s", "ns/point", "read s", "tiles s", "write s", "idle s", "peak GB", "disk GB",
                    "mesh GB");
    for (const std::uint64_t points : options.points) {
        if (options.devices.empty()) {
            all.push_back(runOnHost(options, points));
            agree = agree && all.back()["is_same"].get<bool>();
            continue;
        }
        std::string digest;
        for (const int devices : options.devices) {
            all.push_back(runOnDevices(options, points, devices));
            const std::string found = all.back()["sha256"];
            agree = agree && (digest.empty() || digest == found);
            digest = found;
        }
    }
    if (options.devices.empty() && !options.modelHosts.empty())
        model(options, all);
    if (!agree)
        std::printf("The checksums differ.\n");
    if (!options.json.empty())
        writeAtomically(options.json, [&](std::ostream& out) { out << all.dump(2) << '\n'; });
    return agree ? 0 : 1;
}

} // namespace scanloupe::bench
