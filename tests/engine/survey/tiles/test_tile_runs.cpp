// Tile jobs that are packed, stopped, damaged or shared between ranks always give the same surface.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/side_by_side.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tiles/ranked_run.h"
#include "engine/survey/tiles/read_tile.h"
#include "engine/survey/tiles/tile_cleanup.h"
#include "engine/survey/tiles/tile_memory.h"
#include "kernels/core/devices.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

/// A survey in memory with the given parts.
class HeldSurvey : public SurveySource {
public:
    void add(std::string name, std::vector<Vec3d> points, const Bounds& bounds) {
        m_parts.push_back({std::move(name), points.size(), 24 * points.size(), bounds});
        m_points.push_back(std::move(points));
    }
    const std::vector<SurveyPart>& parts() const override { return m_parts; }
    std::vector<std::string> read(std::size_t part, const Use& use, const std::stop_token&) const override {
        if (m_parts[part].name == m_broken)
            throw EngineError("the part is broken", "Mend it.");
        use({m_points[part]});
        return {};
    }
    void breakPart(std::string name) { m_broken = std::move(name); }

private:
    std::vector<SurveyPart> m_parts;
    std::vector<std::vector<Vec3d>> m_points;
    std::string m_broken;
};

/// A survey that removes its job's folder when it is read.
class LostFolder : public GeneratedSurvey {
public:
    explicit LostFolder(fs::path job) : GeneratedSurvey({}), m_job(std::move(job)) {}
    std::vector<std::string> read(std::size_t part, const Use& use,
                                  const std::stop_token& stop) const override {
        fs::remove_all(m_job);
        return GeneratedSurvey::read(part, use, stop);
    }

private:
    fs::path m_job;
};

std::vector<fs::path> scratchFoldersIn(const fs::path& job) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(job))
        if (entry.path().filename().string().starts_with("scratch-"))
            folders.push_back(entry.path());
    return folders;
}

/// Message queues of ranks that run as threads.
struct Mailboxes {
    explicit Mailboxes(int ranks) : messages(std::size_t(ranks)) {}
    std::mutex mutex;
    std::vector<std::deque<RankMessage>> messages;
};

class ThreadLink : public RankLink {
public:
    ThreadLink(Mailboxes& boxes, int rank) : m_boxes(boxes), m_rank(rank) {}
    int rank() const override { return m_rank; }
    int size() const override { return int(m_boxes.messages.size()); }
    void send(int to, const std::string& text) override {
        const std::lock_guard lock(m_boxes.mutex);
        m_boxes.messages[std::size_t(to)].push_back({m_rank, text});
    }
    std::optional<RankMessage> receive() override {
        const std::lock_guard lock(m_boxes.mutex);
        auto& mine = m_boxes.messages[std::size_t(m_rank)];
        if (mine.empty())
            return std::nullopt;
        RankMessage message = mine.front();
        mine.pop_front();
        return message;
    }

private:
    Mailboxes& m_boxes;
    int m_rank;
};

std::uint64_t trianglesOf(const TileRunReport& report) {
    std::uint64_t sum = 0;
    for (const TileRecord& record : report.tiles)
        sum += record.triangles;
    return sum;
}

TileRunReport runIn(const fs::path& folder, const SurveySource& source, const Recipe& recipe, double size,
                    const TileRunOptions& options = {}, const std::stop_token& stop = {}) {
    const TilePlan plan(surveyParams(recipe, boundsOf(source.parts())), size);
    const TileStore store(folder, plan, jobDescription(plan, {".ply"}), {".ply"});
    return runTiles(source, plan, store, options, stop);
}

} // namespace

class TestTileRuns : public QObject {
    Q_OBJECT
private slots:
    void runsGiveTheSameInEveryWay() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey survey({});
        const TileRunReport one = runIn(top / "one", survey, densityRecipe(), 0);
        QCOMPARE(one.tiles.size(), std::size_t(1));
        QVERIFY(trianglesOf(one) > 10'000);
        const TileRunReport many = runIn(top / "many", survey, densityRecipe(), 6);
        QVERIFY(many.tiles.size() > 10);
        QVERIFY(many.digest == one.digest);
        QCOMPARE(trianglesOf(many), trianglesOf(one));
        QCOMPARE(many.points.read, std::uint64_t(240'000));
        QCOMPARE(many.packedBytes, std::uint64_t(0));
        // several workers; memory for a few thousand points, so that most are packed on the disk
        TileRunOptions options;
        options.workers = {{}, {}, {}};
        options.memory = 100'000;
        const TileRunReport packed = runIn(top / "packed", survey, densityRecipe(), 6, options);
        QVERIFY(packed.digest == one.digest);
        QVERIFY(packed.packedBytes > 200'000);
        QVERIFY(scratchFoldersIn(top / "packed").empty());
        // files of the tiles are whole
        for (const TileRecord& record : many.tiles)
            QVERIFY(!record.mesh.exists() ||
                    fs::file_size(top / "many" / record.mesh.path) == record.mesh.bytes);
    }

    /// Values go to the disk and back, and into the files.
    void valuesAreWritten() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        SurveyArea area;
        area.corner = {691'234.5, 5'334'567.25, 512};
        const GeneratedSurvey survey(area, true);
        SurveyParams params = surveyParams(densityRecipe(), boundsOf(survey.parts()));
        params.attributes = survey.attributes();
        std::optional<Sha256Digest> digest;
        for (const auto& [size, memory, mesh, voxels] :
             {std::tuple{0.0, 0, ".ply", ".ply"}, {6.0, 0, ".glb", ".las"}, {6.0, 200'000, ".ply", ".npy"}}) {
            const fs::path here = top / fmt::format("{}{}{}", size, memory, mesh);
            const TilePlan plan(params, size);
            const TileEndings endings{mesh, voxels};
            const TileStore store(here, plan, jobDescription(plan, endings), endings);
            TileRunOptions options;
            options.memory = std::uint64_t(memory);
            const TileRunReport report = runTiles(survey, plan, store, options, {});
            QVERIFY(!digest || report.digest == *digest);
            digest = report.digest;
            QVERIFY((report.packedBytes > 0) == (memory > 0));
            std::uint64_t written = 0, read = 0;
            for (const TileRecord& record : report.tiles) {
                written += record.voxels;
                QCOMPARE(record.voxelFile.exists(), record.voxels > 0);
                if (record.voxels > 0 && std::string(voxels) != ".npy") {
                    const auto cloud = readScan(here / record.voxelFile.path, {}, {});
                    read += cloud->size();
                    for (const char* name : {"red", "intensity", "classification", "count"})
                        QVERIFY2(cloud->attribute(name), name);
                    const bool isLas = std::string(voxels) == ".las";
                    const Attribute* exact = cloud->attribute(isLas ? "intensity_exact" : "intensity");
                    QVERIFY(exact);
                    cloud->loadAll({});
                    QVERIFY(exact->min() >= -0.5 && exact->max() <= 0.75 && exact->min() < exact->max());
                    QVERIFY(cloud->attribute("red")->min() > 2000 && cloud->attribute("red")->max() < 63'000);
                    if (isLas) // stretched identically in all tiles: from -1 to 1
                        for (std::size_t v = 0; v < cloud->size(); ++v)
                            QVERIFY(std::abs(cloud->attribute("intensity")->value(v) / 65'535 * 2 - 1 -
                                             exact->value(v)) < 1e-4);
                    QVERIFY(plan.boundsOf(record.tile).min.x - 1 < cloud->bounds().min.x);
                }
                if (!record.mesh.exists())
                    continue;
                const TileSurface back = readTile(store, plan, record, {});
                QCOMPARE(back.values.colours.size(), back.mesh.vertexCount());
                QVERIFY(std::ranges::any_of(back.values.colours,
                                            [](std::uint32_t c) { return c != 0xff000000u; }));
                QVERIFY(std::ranges::all_of(back.values.channels[0],
                                            [](float value) { return value > -0.6f && value < 0.8f; }));
                QVERIFY(std::ranges::all_of(back.values.channels[1],
                                            [](float value) { return value >= 0 && value < 6; }));
            }
            QVERIFY(std::string(voxels) == ".npy" || read == written);
            // a deleted voxel file is written again
            const auto some = std::ranges::find_if(
                report.tiles, [](const TileRecord& record) { return record.voxelFile.exists(); });
            QVERIFY(some != report.tiles.end() && fs::remove(here / some->voxelFile.path));
            const TileRunReport again = runTiles(survey, plan, store, options, {});
            QCOMPARE(again.tilesBefore, report.tiles.size() - 1);
            QVERIFY(fs::exists(here / some->voxelFile.path));
        }
    }

    /// A component that extends over several tiles is judged by its total size.
    void smallPartsAreRemoved() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        auto random = seededRandom("parts");
        SurveyArea area;
        area.seed = random();
        Recipe recipe = densityRecipe();
        recipe.field = FieldKind::occupancy;
        recipe.iso = std::nullopt;
        area.pointsPerBlock = 900; // sparse enough that the surface is fragmented
        const GeneratedSurvey survey(area, true);
        SurveyParams params = surveyParams(recipe, boundsOf(survey.parts()));
        params.attributes = survey.attributes();
        std::optional<CleanedTiles> first;
        for (const double size : {0.0, 11.0, 5.0}) {
            const fs::path here = top / fmt::format("{}", size);
            const TilePlan plan(params, size);
            const TileStore store(here, plan, jobDescription(plan, {".ply"}), {".ply"});
            const TileRunReport report = runTiles(survey, plan, store, {}, {});
            const TileStore cleanedStore(store, "cleaned");
            constexpr std::uint64_t least = 200;
            const CleanedTiles cleaned = cleanTiles(store, cleanedStore, plan, report.tiles, least, {}, {});
            QVERIFY(cleaned.report.removedParts > 20 &&
                    cleaned.report.parts > cleaned.report.removedParts + 3);
            std::uint64_t before = 0, after = 0, vertices = 0;
            for (std::size_t i = 0; i < report.tiles.size(); ++i) {
                before += report.tiles[i].triangles;
                after += cleaned.tiles[i].triangles;
                vertices += cleaned.tiles[i].vertices;
                if (cleaned.tiles[i].mesh.exists())
                    readTile(cleanedStore, plan, cleaned.tiles[i], {});
            }
            QCOMPARE(before - after, cleaned.report.removedTriangles);
            if (!first) { // one tile: as a scan that is cleaned up as a whole
                const TriangleMesh mesh = readTile(store, plan, report.tiles.front(), {}).mesh;
                const FilteredMesh whole = cpu::removeSmallComponents(mesh, least, {});
                QCOMPARE(cleaned.report.removedParts, whole.removedComponents);
                QCOMPARE(cleaned.report.removedTriangles, whole.removedTriangles);
                const TriangleMesh left = readTile(cleanedStore, plan, cleaned.tiles.front(), {}).mesh;
                QVERIFY(std::ranges::equal(left.positions.span(), whole.mesh.positions.span()));
                QVERIFY(std::ranges::equal(left.indices.span(), whole.mesh.indices.span()));
                QCOMPARE(vertices, std::uint64_t(whole.mesh.vertexCount()));
                first = cleaned;
            }
            QVERIFY(cleaned.digest == first->digest && cleaned.digest != report.digest);
            QCOMPARE(cleaned.report.parts, first->report.parts);
            QCOMPARE(after, first->tiles.front().triangles);
            // seams name the vertices that their owners have left
            std::map<std::uint64_t, std::uint32_t> verticesOf;
            for (const TileRecord& record : cleaned.tiles)
                for (const PartBrick& brick : cleanedStore.bricksOf(record.tile))
                    verticesOf[brick.key] = brick.vertices;
            for (const TileRecord& record : cleaned.tiles)
                for (const SeamVertex& seam : cleanedStore.seamsOf(record.tile))
                    QVERIFY(seam.number < verticesOf.at(seam.brick));
            // a second clean-up with the same limit has no work; with another limit, everything is cleaned
            // again
            QVERIFY(cleanTiles(store, cleanedStore, plan, report.tiles, least, {}, {}).digest ==
                    cleaned.digest);
            QVERIFY(size == 5 ||
                    cleanTiles(store, cleanedStore, plan, report.tiles, 1, {}, {}).digest == report.digest);
        }
    }

    // At most one row of tiles of a square survey waits, whatever the order of the files.
    void fewPointsWait() {
        SurveyArea area;
        area.blocksX = 41;
        area.blocksY = 40;
        area.pointsPerBlock = 1;
        std::vector<SurveyPart> parts = GeneratedSurvey(area).parts();
        std::ranges::sort(
            parts, {}, [](const SurveyPart& part) { return mixBits(std::hash<std::string>()(part.name)); });
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(parts)), 3.3 * area.edge);
        std::vector<int> missing(plan.size()), held(plan.size());
        for (const SurveyPart& part : parts)
            plan.forTilesNear(part.bounds, [&](std::size_t tile) { ++missing[tile]; });
        int waiting = 0, most = 0, all = 0; // numbers of pairs of a tile and a part near it
        for (const std::size_t number : readingOrder(parts, plan)) {
            plan.forTilesNear(parts[number].bounds, [&](std::size_t tile) {
                ++waiting;
                ++all;
                ++held[tile];
            });
            most = std::max(most, waiting);
            plan.forTilesNear(parts[number].bounds, [&](std::size_t tile) {
                if (--missing[tile] == 0)
                    waiting -= held[tile];
            });
        }
        QCOMPARE(waiting, 0);
        const int rows = std::max(plan.tiles().x, plan.tiles().y);
        const TileMemory memory = forecastMemory(parts, plan, {}, {});
        QVERIFY2(memory.pointsOfLargest >= 9 &&
                     memory.pointsOfLargest <= 16, // 3.3 x 3.3 blocks or slightly more
                 qPrintable(QString::number(memory.pointsOfLargest)));
        QVERIFY2(most * rows < all, qPrintable(QString("%1 of %2 in %3 rows").arg(most).arg(all).arg(rows)));
    }

    void mapCoordinatesKeepTheirDigits() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        SurveyArea area;
        area.corner = {691'234.5, 5'334'567.25, 512};
        const GeneratedSurvey survey(area);
        const TileRunReport one = runIn(top / "one", survey, densityRecipe(), 0);
        const TileRunReport many = runIn(top / "many", survey, densityRecipe(), 7);
        QVERIFY(many.digest == one.digest && trianglesOf(one) > 10'000);
    }

    void stoppedJobsGoOn() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey survey({});
        const TileRunReport whole = runIn(top / "whole", survey, densityRecipe(), 5);
        auto random = seededRandom("stops");
        for (int turn = 0; turn < 4; ++turn) {
            const fs::path here = top / std::to_string(turn);
            const std::uint64_t last = 1 + random() % (whole.tiles.size() / 2);
            std::stop_source stop;
            std::atomic<std::uint64_t> seen = 0;
            TileRunOptions options;
            options.beforeTile = [&](const ComputeWorker&, std::size_t) {
                if (++seen == last)
                    stop.request_stop();
            };
            QVERIFY_EXCEPTION_THROWN(runIn(here, survey, densityRecipe(), 5, options, stop.get_token()),
                                     Cancelled);
            // a mesh that was damaged meanwhile is made again
            bool isDamaged = false;
            for (const auto& entry : fs::directory_iterator(here / "tiles"))
                if (!isDamaged && entry.path().extension() == ".ply") {
                    std::ofstream(entry.path(), std::ios::in | std::ios::out | std::ios::binary) << "plx";
                    isDamaged = true;
                }
            const TileRunReport again = runIn(here, survey, densityRecipe(), 5);
            QVERIFY(again.digest == whole.digest);
            QCOMPARE(again.tiles.size(), whole.tiles.size());
            QVERIFY(again.tilesBefore + 1 >= last - 1 && again.tilesBefore < whole.tiles.size());
        }
        // with other values, it is another job
        Recipe other = densityRecipe();
        other.iso = 61;
        QVERIFY_EXCEPTION_THROWN(runIn(top / "whole", survey, other, 5), EngineError);
    }

    /// If points can't be stored on the disk, the job fails; this does not count as damage of a part.
    void aFullDiskEndsTheJob() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const LostFolder survey(top / "job"); // without the folder, no scratch folder can be created
        TileRunOptions options;
        options.memory = 100'000;
        QVERIFY_EXCEPTION_THROWN(runIn(top / "job", survey, densityRecipe(), 6, options), EngineError);
    }

    void oneJobAtATime() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey survey({});
        const TilePlan plan(surveyParams(densityRecipe(), boundsOf(survey.parts())), 6);
        const std::string job = jobDescription(plan, {".ply"});
        const TileStore first(top, plan, job, {".ply"});
        QVERIFY_EXCEPTION_THROWN(TileStore(top, plan, job, {".ply"}), EngineError);
        // opens the job as another rank of it
        TileStore(top, plan, job, {".ply"}, TileStore::Access::shared).job().requireSameJob();
    }

    void brokenPartsCostTheirPoints() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey all({});
        HeldSurvey held, without;
        for (std::size_t part = 0; part < all.parts().size(); ++part) {
            std::vector<Vec3d> points;
            all.read(
                part,
                [&](const SurveyPiece& piece) { points.assign(piece.points.begin(), piece.points.end()); },
                {});
            const SurveyPart& told = all.parts()[part];
            if (part == 4) {
                without.add(told.name, {}, told.bounds);
            } else {
                without.add(told.name, points, told.bounds);
            }
            if (part == 2) { // extra points outside of their file's box, or points that are invalid
                points.push_back(told.bounds.max + Vec3d{5, 0, 0});
                points.push_back({std::nan(""), 0, 0});
            }
            held.add(told.name, points, told.bounds);
        }
        held.breakPart(all.parts()[4].name);
        const TileRunReport broken = runIn(top / "broken", held, densityRecipe(), 6);
        QCOMPARE(broken.refused.size(), std::size_t(1));
        QCOMPARE(broken.refused[0].name, all.parts()[4].name);
        QCOMPARE(broken.points.strayed, std::uint64_t(1));
        QCOMPARE(broken.points.notFinite, std::uint64_t(1));
        QVERIFY(broken.digest == runIn(top / "without", without, densityRecipe(), 6).digest);
        // after the repair, the tiles near the part are computed again, and the others reused
        held.breakPart({});
        const TileRunReport mended = runIn(top / "broken", held, densityRecipe(), 6);
        QVERIFY(mended.refused.empty() && mended.tilesBefore > 0);
        QVERIFY(mended.digest == runIn(top / "all", held, densityRecipe(), 6).digest);
        QVERIFY(mended.digest != broken.digest);
        // a part that was replaced: the tiles near it are computed again
        const TileRunReport replaced = runIn(top / "all", without, densityRecipe(), 6);
        QVERIFY(replaced.digest == broken.digest);
        QVERIFY(replaced.tilesBefore > 0 && replaced.tilesBefore < replaced.tiles.size());
    }

    void ranksShareTiles() {
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        SurveyArea area;
        area.pointsPerBlock = 5000;
        const GeneratedSurvey survey(area);
        const Recipe recipe = densityRecipe();
        const TileRunReport one = runIn(top / "one", survey, recipe, 0);
        for (const int ranks : {1, 2, 4})
            for (const double size : {4.0, 7.5, 40.0}) {
                const TilePlan plan(surveyParams(recipe, boundsOf(survey.parts())), size);
                std::vector<int> groupsOfTile(plan.size());
                for (const IndexBox& group : tileGroups(plan, survey.parts(), ranks))
                    for (std::size_t tile = 0; tile < plan.size(); ++tile)
                        groupsOfTile[tile] += group.contains(plan.placeOf(tile));
                QVERIFY(std::ranges::count(groupsOfTile, 1) == std::ptrdiff_t(plan.size()));
                const fs::path here = top / fmt::format("{} {}", ranks, size);
                const TileStore store(here, plan, jobDescription(plan, {".ply"}), {".ply"});
                Mailboxes boxes(ranks);
                std::optional<TileRunReport> report;
                std::vector<std::function<void()>> functions;
                for (int rank = 0; rank < ranks; ++rank)
                    functions.push_back([&, rank] {
                        ThreadLink link(boxes, rank);
                        if (auto done = runRanked(survey, plan, store, {}, link, {}))
                            report = std::move(done);
                    });
                runSideBySide(functions);
                QVERIFY(report.has_value());
                QVERIFY(report->digest == one.digest);
                QCOMPARE(report->workers.size(), std::size_t(ranks));
                std::uint64_t tiles = 0;
                for (const WorkerReport& worker : report->workers)
                    tiles += worker.tiles;
                QCOMPARE(tiles, std::uint64_t(report->tiles.size()));
                QVERIFY(report->points.read >= one.points.read);
            }
    }

    /// Every device computes large tiles. Their points are uploaded in pieces, by threads that use the first
    /// device by default.
    void everyDeviceTakesLargeTiles() {
        SCANLOUPE_NEEDS_CUDA();
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey survey({}, true);
        SurveyParams params = surveyParams(densityRecipe(), boundsOf(survey.parts()));
        params.attributes = survey.attributes();
        const TilePlan plan(params, 0);
        std::optional<Sha256Digest> digest;
        for (int device = 0; device < deviceCount(); ++device) {
            const TileStore store(top / std::to_string(device), plan, jobDescription(plan, {".ply"}),
                                  {".ply"});
            TileRunOptions options;
            options.workers = {{device}};
            const TileRunReport report = runTiles(survey, plan, store, options, {});
            QCOMPARE(report.workers.front().failure, std::string());
            QVERIFY(!digest || report.digest == *digest);
            digest = report.digest;
        }
    }

    void failingDevicesAreReplaced() {
        SCANLOUPE_NEEDS_CUDA();
        const QTemporaryDir folder;
        const fs::path top = folder.path().toStdString();
        const GeneratedSurvey survey({});
        const TileRunReport one = runIn(top / "one", survey, densityRecipe(), 0);
        TileRunOptions options;
        options.workers.clear();
        for (int device = 0; device < deviceCount(); ++device)
            options.workers.push_back({device});
        options.workers.push_back({});
        const TileRunReport all = runIn(top / "all", survey, densityRecipe(), 4, options);
        QVERIFY(all.digest == one.digest);
        for (const WorkerReport& worker : all.workers)
            QVERIFY2(worker.failure.empty(), worker.failure.c_str());
        std::atomic<int> seen = 0;
        options.beforeTile = [&](const ComputeWorker& worker, std::size_t) {
            if (worker.device == 0 && ++seen == 3)
                throw KernelError("the device is gone", "Plug it in.");
        };
        const TileRunReport failed = runIn(top / "failed", survey, densityRecipe(), 4, options);
        QVERIFY(failed.digest == one.digest);
        QCOMPARE(failed.workers.front().failure, std::string("the device is gone"));
    }
};

SCANLOUPE_TEST(TestTileRuns)
#include "test_tile_runs.moc"
