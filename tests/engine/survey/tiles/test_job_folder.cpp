// Folders of tile jobs: only files that the job has created are replaced or removed; damaged and modified
// ones are computed again.
#include "engine/cloud/error.h"
#include "engine/io/common/write/own_files.h"
#include "engine/survey/tiles/manifest.h"
#include "engine/survey/tiles/tile_run.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/survey/tiles/tile_recipes.h"
#include "tests/support/generated_survey.h"
#include "tests/support/resting_process.h"

#include <map>
#include <set>
#include <sys/stat.h>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

namespace fs = std::filesystem;

/// All entries below a folder by relative path: the content of files, the target of links, or the kind of
/// another entry.
std::map<std::string, std::string> treeOf(const fs::path& folder) {
    std::map<std::string, std::string> tree;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        std::string& content = tree[fs::relative(entry.path(), folder).generic_string()];
        if (entry.is_symlink())
            content = "link to " + fs::read_symlink(entry.path()).string();
        else if (entry.is_regular_file())
            content = readFile(entry.path());
        else
            content = entry.is_directory() ? "folder" : "other";
    }
    return tree;
}

/// CRC-32 of zlib, bit by bit.
std::uint32_t crc32Of(const std::string& text) {
    std::uint32_t crc = 0xffffffff;
    for (const char c : text) {
        crc ^= std::uint8_t(c);
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

/// A small survey in tiles in its own folder.
struct SmallJob {
    explicit SmallJob(fs::path path, double size = 6)
        : folder(std::move(path)), plan(surveyParams(densityRecipe(), boundsOf(survey.parts())), size) {}
    TileRunReport run() const {
        const TileStore store(folder, plan, jobDescription(plan, {".ply"}), {".ply"});
        return runTiles(survey, plan, store, {}, {});
    }
    /// A file of a tile.
    fs::path file(const TileRecord& record, const char* ending) const {
        return (folder / record.mesh.path).replace_extension(ending);
    }

    fs::path folder;
    GeneratedSurvey survey{{}};
    TilePlan plan;
};

/// A tile of a report that has triangles.
const TileRecord& tileWithMesh(const TileRunReport& report) {
    return *std::ranges::find_if(report.tiles, [](const TileRecord& record) { return record.triangles > 0; });
}

} // namespace

class TestJobFolder : public QObject {
    Q_OBJECT
    CliFixture m_files{3000};

    fs::path freshFolder(const char* name) const {
        const fs::path folder = m_files.path(name);
        fs::remove_all(folder);
        fs::create_directories(folder);
        return folder;
    }
    CliResult runInto(const fs::path& folder, const std::vector<std::string>& more = {},
                      const std::string& scan = {}) const {
        std::vector<std::string> arguments{"run",          scan.empty() ? m_files.scan() : scan,
                                           "--backend",    "cpu",
                                           "--tiles",      folder.string(),
                                           "--tile-size",  "5",
                                           "--voxel-size", "0.4"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return cli(arguments);
    }

private slots:
    void scansBesideTheTilesStay() {
        const fs::path data = freshFolder("data");
        fs::create_directory(data / "points");
        for (const char* name : {"a.ply", "b.ply"})
            fs::copy_file(m_files.scan(), data / "points" / name);
        const auto before = treeOf(data);
        for (const std::vector<std::string>& more :
             {std::vector<std::string>{}, {"--tileset"}, {"--tile-memory", "0.00001"}}) {
            const CliResult result = runInto(data, more, (data / "points").string());
            SCANLOUPE_VERIFY_USER_ERROR(result, "points");
            QVERIFY(treeOf(data) == before);
        }
    }

    void foreignNamesAreRefused_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tiles", "voxels", "cleaned", "manifest.json", "tileset.json", "nodes",
                                 "points", "levels", "job.json"})
            QTest::newRow(name) << name;
    }
    void foreignNamesAreRefused() {
        QFETCH(QString, name);
        const fs::path folder = freshFolder("foreign"), place = folder / name.toStdString();
        for (const char* kind : {"file", "folder", "link"}) {
            fs::remove_all(place);
            if (std::string(kind) == "file") {
                writeFile(place, "{\"mine\": true}");
            } else if (std::string(kind) == "folder") {
                fs::create_directories(place / "0");
                writeFile(place / "0_0_0.ply", "mine");
                writeFile(place / "0" / "0_0_0.glb", "mine");
            } else {
                fs::create_symlink("nowhere", place);
            }
            const auto before = treeOf(folder);
            for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--tileset"}}) {
                SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, more), name.toStdString());
                QVERIFY(treeOf(folder) == before);
            }
        }
    }

    void unrelatedThingsStay() {
        const fs::path folder = freshFolder("mixed");
        fs::create_directories(folder / "photos");
        fs::create_directories(folder / "scratch");
        for (const char* name :
             {"notes.txt", "photos/0_0_0.ply", "scratch/1.scratch", ".slide.tmp", "tiles.json"})
            writeFile(folder / name, name);
        const auto before = treeOf(folder);
        for (int turn = 0; turn < 2; ++turn) { // the second run resumes the job
            const CliResult result = runInto(folder, {"--tileset", "--tile-memory", "0.00001"});
            QVERIFY2(result.code == 0, result.err.c_str());
            const auto after = treeOf(folder);
            for (const auto& [name, content] : before)
                QVERIFY2(after.contains(name) && after.at(name) == content, name.c_str());
            auto expected = namesIn(folder);
            for (const char* name : {"notes.txt", "photos", "scratch", ".slide.tmp", "tiles.json"})
                expected.erase(name);
            QCOMPARE(expected, (std::set<std::string>{"job.json", "lock", "manifest.json", "nodes", "tiles",
                                                      "tileset.json"}));
        }
    }

    /// Files that users put into a job's folder, under names that the job has not used, are kept.
    void laterFilesOfOthersStay() {
        const fs::path folder = freshFolder("later");
        QCOMPARE(runInto(folder).code, 0);
        fs::remove(folder / "manifest.json"); // makes the surface count as another one
        writeFile(folder / "tileset.json", "mine");
        fs::create_directories(folder / "nodes" / "0");
        writeFile(folder / "nodes" / "0" / "0_0_0.glb", "mine");
        QCOMPARE(runInto(folder).code, 0);
        QCOMPARE(readFile(folder / "tileset.json"), std::string("mine"));
        const auto before = treeOf(folder);
        SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tileset"}), "tileset.json");
        QVERIFY(treeOf(folder) == before);
        fs::remove(folder / "tileset.json");
        SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tileset"}), "nodes");
        QCOMPARE(readFile(folder / "nodes" / "0" / "0_0_0.glb"), std::string("mine"));
        fs::remove_all(folder / "nodes");
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        // in the job's nodes folder, foreign files stay, and the job's own are rewritten
        const auto own = treeOf(folder / "nodes");
        writeFile(folder / "nodes" / "view.html", "mine");
        writeFile(folder / "nodes" / "0" / "notes.glb", "mine");
        writeFile(folder / "nodes" / "0" / "77_0_0.glb", "mine"); // the name has no checksum
        writeFile(folder / "nodes" / "0" / "77_0_0-0123456789abcdef.glb", R"(glTF{"generator":"Scanloupe"})");
        // names of the same form, and content with the program's words
        std::map<std::string, std::string> likeNodes{
            {"0/78_0_0-0123456789abcdef.glb", "mine"},
            {"0/79_0_0-0123456789abcdef.glb", R"("Scanloupe" notes of mine)"},
            {"0/78_0_0-0123456789abcdef.json", "{\"review\":\"checked at (commit 12 of ours)\"}"}};
        for (const auto& [name, content] : likeNodes)
            writeFile(folder / "nodes" / name, content);
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        auto after = treeOf(folder / "nodes");
        QCOMPARE(after["view.html"], std::string("mine"));
        QCOMPARE(after["0/notes.glb"], std::string("mine"));
        QCOMPARE(after["0/77_0_0.glb"], std::string("mine"));
        for (const auto& [name, content] : likeNodes) {
            QCOMPARE(after[name], content);
            after.erase(name);
        }
        after.erase("0/77_0_0.glb");
        after.erase("view.html");
        after.erase("0/notes.glb");
        QVERIFY(after == own);
        // a foreign file in place of a node is rejected, and stays
        const auto mesh =
            std::ranges::find_if(own, [](const auto& file) { return file.first.ends_with(".glb"); });
        QVERIFY(mesh != own.end());
        const fs::path node = folder / "nodes" / mesh->first;
        const std::string written = readFile(node);
        writeFile(node, "mine");
        SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tileset"}), node.filename().string());
        QCOMPARE(readFile(node), std::string("mine"));
        writeFile(node, written);
        // a foreign file in place of the job's tileset stays in another run, with the nodes
        const std::string tileset = readFile(folder / "tileset.json");
        writeFile(folder / "tileset.json", "mine");
        fs::remove(folder / "manifest.json");
        QCOMPARE(runInto(folder).code, 0);
        QCOMPARE(readFile(folder / "tileset.json"), std::string("mine"));
        QVERIFY(fs::exists(folder / "nodes" / "0"));
        writeFile(folder / "tileset.json", tileset);
        // a link in place of the job's file is not followed
        fs::rename(folder / "manifest.json", folder / "elsewhere.json");
        fs::create_symlink("elsewhere.json", folder / "manifest.json");
        const std::string elsewhere = readFile(folder / "elsewhere.json");
        SCANLOUPE_VERIFY_USER_ERROR(runInto(folder), "manifest.json");
        QCOMPARE(readFile(folder / "elsewhere.json"), elsewhere);
    }

    /// A tile without surface has no mesh: a file with that mesh's name is foreign.
    void filesInPlaceOfNoMeshStay() {
        auto random = seededRandom("filesInPlaceOfNoMeshStay");
        std::uniform_real_distribution<double> along(0, 2);
        std::string scan = "9.9 9.9 0.5\n";
        for (int i = 0; i < 3000; ++i)
            scan += fmt::format("{} {} {}\n", along(random), along(random), along(random));
        const fs::path folder = freshFolder("empty"), file = freshFolder("few") / "scan.xyz";
        writeFile(file, scan);
        const auto run = [&](const char* smallest) {
            return cli({"run", file.string(), "--backend", "cpu", "--tiles", folder.string(), "--tile-size",
                        "3", "--voxel-size", "0.2", "--min-component-triangles", smallest});
        };
        QCOMPARE(run("100").code, 0);
        int places = 0;
        for (const char* name : {"tiles", "cleaned"})
            for (const auto& entry : fs::directory_iterator(folder / name)) {
                fs::path mesh = entry.path();
                if (mesh.extension() != ".bricks" || fs::exists(mesh.replace_extension(".ply")))
                    continue;
                ++places;
                writeFile(mesh, "mine");
                SCANLOUPE_VERIFY_USER_ERROR(run("101"), mesh.filename().string());
                QCOMPARE(readFile(mesh), std::string("mine"));
                fs::remove(mesh);
            }
        QVERIFY(places > 1);
        QCOMPARE(run("101").code, 0);
    }

    /// A scan may be rewritten with the same number of points and the same box, but other values.
    void scansThatWereWrittenToAreComputedAgain() {
        const fs::path folder = freshFolder("written");
        QCOMPARE(runInto(folder).code, 0);
        const auto writtenAt = [&] {
            std::set<fs::file_time_type> times;
            for (const auto& entry : fs::directory_iterator(folder / "tiles"))
                if (entry.path().extension() == ".ply")
                    times.insert(fs::last_write_time(entry.path()));
            return times;
        };
        const auto first = writtenAt();
        QCOMPARE(runInto(folder).code, 0);
        QVERIFY(!first.empty() && writtenAt() == first);
        const fs::path scan = m_files.scan();
        fs::last_write_time(scan, fs::last_write_time(scan) + std::chrono::seconds(2));
        QCOMPARE(runInto(folder).code, 0);
        QVERIFY(*writtenAt().begin() > *first.rbegin());
    }

    void scansAmongTheTilesAreNotOverwritten() {
        const fs::path folder = freshFolder("among");
        QCOMPARE(runInto(folder).code, 0);
        fs::path tile;
        for (const auto& entry : fs::directory_iterator(folder / "tiles"))
            if (entry.path().extension() == ".ply")
                tile = entry.path();
        QVERIFY(!tile.empty());
        fs::create_symlink(tile, folder / "link.ply");
        fs::create_directory_symlink(folder, m_files.path("way"));
        const auto before = treeOf(folder);
        for (const fs::path& scan : {tile, folder / "link.ply", folder / "tiles"})
            for (const fs::path& out : {folder, fs::path(m_files.path("way"))}) {
                SCANLOUPE_VERIFY_USER_ERROR(runInto(out, {}, scan.string()), "an input");
                QVERIFY(treeOf(folder) == before);
            }
    }

    void jobsThatCannotBeLockedAreRefused() {
        const fs::path folder = freshFolder("locked"), lock = folder / "lock";
        for (const char* kind : {"folder", "link", "pipe"}) {
            fs::remove_all(lock);
            if (std::string(kind) == "folder")
                fs::create_directory(lock);
            else if (std::string(kind) == "link")
                fs::create_symlink("elsewhere", lock);
            else
                QCOMPARE(::mkfifo(lock.c_str(), 0600), 0);
            const auto before = treeOf(folder);
            SCANLOUPE_VERIFY_USER_ERROR(runInto(folder), "lock");
            QVERIFY(treeOf(folder) == before);
        }
        fs::remove_all(lock);
        QCOMPARE(runInto(folder).code, 0);
    }

    /// Ranks check the folder once rank 0 has started the job in it.
    void ranksOfOtherJobsAreRefused() {
        const SmallJob job(freshFolder("ranks"));
        const std::string description = jobDescription(job.plan, {".ply"});
        const TileStore rank(job.folder, job.plan, description, {".ply"}, TileStore::Access::shared);
        QVERIFY(fs::is_empty(job.folder)); // the rejected rank has not changed the folder
        QVERIFY_EXCEPTION_THROWN(rank.job().requireSameJob(), EngineError);
        const TileStore first(job.folder, job.plan, description, {".ply"});
        rank.job().requireSameJob();
        const TileStore other(job.folder, job.plan, jobDescription(job.plan, {".glb"}), {".glb"},
                              TileStore::Access::shared);
        QVERIFY_EXCEPTION_THROWN(other.job().requireSameJob(), EngineError);
    }

    /// A run ended by kill -9 leaves scratch files behind. The job removes them when it is resumed, but keeps
    /// those of running processes and of other jobs.
    void scratchOfKilledRunsIsRemoved() {
        const SmallJob job(freshFolder("killed"));
        fs::path scratch;
        {
            const TileStore store(job.folder, job.plan, jobDescription(job.plan, {".ply"}), {".ply"});
            scratch = store.job().scratch();
        }
        const auto leave = [](const fs::path& prefix) {
            return [prefix](const RestingProcess::Rest& rest) {
                const ScratchFolder folder(prefix);
                writeFile(folder.file("7"), "points");
                rest();
            };
        };
        RestingProcess killed(leave(scratch)), other(leave(job.folder / "scratch-0123456789abcdef-")),
            living(leave(scratch));
        QVERIFY(killed.isReady() && other.isReady() && living.isReady());
        const std::size_t names = namesIn(job.folder).size();
        killed.kill();
        other.kill();
        job.run();
        QCOMPARE(namesIn(job.folder).size(), names - 1);
        living.kill();
        job.run();
        QCOMPARE(namesIn(job.folder).size(), names - 2);
    }

    void damagedBricksAreComputedAgain() {
        const SmallJob job(freshFolder("bricks"));
        const TileRunReport first = job.run();
        const TileRecord& tile = tileWithMesh(first);
        const fs::path file = job.file(tile, ".bricks");
        const std::string bricks = readFile(file);
        auto random = seededRandom("bricks");
        const auto isRepaired = [&](const std::string& damaged) {
            writeFile(file, damaged);
            {
                const TileStore store(job.folder, job.plan, jobDescription(job.plan, {".ply"}), {".ply"});
                QVERIFY_EXCEPTION_THROWN(store.digestOf(first.tiles), EngineError);
            }
            const TileRunReport again = job.run();
            QVERIFY(again.digest == first.digest);
            QCOMPARE(again.tilesBefore, first.tiles.size() - 1);
            QVERIFY(readFile(file) == bricks);
        };
        for (int turn = 0; turn < 8; ++turn) { // two bytes, anywhere
            std::string damaged = bricks;
            for (int flip = 0; flip < 2; ++flip) // after the marker that identifies the file's owner
                damaged[8 + random() % (damaged.size() - 8)] ^= char(1 + random() % 255);
            if (damaged != bricks)
                isRepaired(damaged);
        }
        isRepaired(bricks + '\0'); // additional bytes at the end
        isRepaired(bricks + bricks);
        isRepaired(bricks.substr(0, bricks.size() - 1));
        isRepaired("");
        std::string version1 = bricks.substr(0, 8) + bricks.substr(16, 16) + bricks.substr(40);
        version1[7] = '1'; // version 1 of the file has neither tile number nor checksum
        isRepaired(version1);
        // counts whose product overflows 64 bits
        std::string huge = bricks;
        huge.replace(16, 8, std::string("\x00\x00\x00\x00\x00\x00\x00\x10", 8));
        isRepaired(huge);
        for (const TileRecord& other : first.tiles) // an intact file of another tile
            if (other.triangles > 0 && other.tile != tile.tile) {
                isRepaired(readFile(job.file(other, ".bricks")));
                break;
            }
    }

    /// A copied job.json proves nothing about files of tiles.
    void filesOfOthersAmongTilesStay() {
        const fs::path folder = freshFolder("copied"), origin = freshFolder("origin");
        const std::vector<std::string> voxels{"--tile-voxels", "npz"};
        QCOMPARE(runInto(origin, voxels).code, 0);
        for (const char* name : {"tiles", "voxels"})
            for (const auto& entry : fs::directory_iterator(origin / name)) {
                fs::remove_all(folder);
                const fs::path mine = folder / name / entry.path().filename();
                fs::create_directories(folder / "tiles");
                fs::create_directories(folder / "voxels");
                fs::copy_file(origin / "job.json", folder / "job.json");
                writeFile(mine, "mine");
                SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, voxels), mine.filename().string());
                QCOMPARE(readFile(mine), std::string("mine"));
                QCOMPARE(namesIn(folder / "tiles").size() + namesIn(folder / "voxels").size(),
                         std::size_t(1)); // nothing was written before
            }
        QCOMPARE(runInto(origin, {"--tile-voxels", "npz", "--tileset"}).code, 0);
        for (const char* name : {"manifest.json", "tileset.json"}) {
            fs::remove_all(folder);
            fs::create_directories(folder);
            fs::copy_file(origin / "job.json", folder / "job.json");
            writeFile(folder / name, "{\"mine\": true}");
            SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tile-voxels", "npz", "--tileset"}), name);
            QCOMPARE(readFile(folder / name), std::string("{\"mine\": true}"));
        }
        // a job that was killed before writing its record is resumed
        fs::path record;
        for (const auto& entry : fs::directory_iterator(origin / "tiles"))
            if (entry.path().extension() == ".json")
                record = entry.path();
        const auto whole = treeOf(origin / "tiles");
        fs::remove(record);
        QCOMPARE(runInto(origin, voxels).code, 0);
        QVERIFY(treeOf(origin / "tiles") == whole);
    }

    /// The other files of the tile show that this file belonged to the job; its content shows that it was
    /// replaced.
    void filesThatReplaceOneOfATileStay() {
        const fs::path folder = freshFolder("replaced");
        const std::vector<std::string> options{"--tile-voxels", "npz"};
        QCOMPARE(runInto(folder, options).code, 0);
        const auto whole = treeOf(folder / "tiles");
        const std::string ours = "ply\nformat ascii 1.0\ncomment written by Scanloupe\n";
        int refused = 0;
        for (const char* name : {"tiles", "voxels"})
            for (const auto& [file, content] : treeOf(folder / name)) {
                const fs::path path = folder / name / file;
                const std::string mine = "ply\nformat ascii 1.0\ncomment mine\n";
                writeFile(path, mine);
                SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, options), path.filename().string());
                QCOMPARE(readFile(path), mine);
                ++refused;
                writeFile(path, content);
                if (path.extension() == ".npz") {
                    writeFile(path, ""); // an empty file, as a full disk leaves it
                    QCOMPARE(runInto(folder, options).code, 0);
                    QVERIFY(readFile(path) == content);
                    const fs::path record = folder / "tiles" / path.stem().concat(".json");
                    fs::remove(record);
                    writeFile(path, mine);
                    SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, options), path.filename().string());
                    QCOMPARE(readFile(path), mine);
                    writeFile(path, content);
                    QCOMPARE(runInto(folder, options).code, 0);
                }
                if (path.extension() == ".json") {
                    const std::string list = "{\n  \"points\": [\n    [1, 2, 3]\n  ]\n}\n";
                    writeFile(path, list);
                    SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, options), path.filename().string());
                    QCOMPARE(readFile(path), list);
                    writeFile(path, content);
                }
                if (path.extension() != ".ply")
                    continue;
                for (const std::string& damaged :
                     {std::string(), std::string(500, '\0'), ours, content.substr(0, content.size() / 2)}) {
                    writeFile(path, damaged);
                    QCOMPARE(runInto(folder, options).code, 0);
                    QCOMPARE(readFile(path), content);
                }
            }
        QVERIFY(refused >= 4);
        QVERIFY(treeOf(folder / "tiles") == whole);
        for (const char* mine : {R"({"note":"our list","mesh_sha256":"abc"})",
                                 R"({"asset":{"version":"1.1"},"note":"edited","mesh_sha256":"00"})"}) {
            for (const char* name : {"manifest.json", "tileset.json"}) {
                writeFile(folder / name, mine);
                if (name == std::string("manifest.json"))
                    SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, options), name);
                else
                    QCOMPARE(runInto(folder, options).code, 0);
                QCOMPARE(readFile(folder / name), std::string(mine));
                fs::remove(folder / name);
            }
        }
    }

    /// Records with wrong content and matching checksums.
    void recordsThatLieAreComputedAgain() {
        const SmallJob job(freshFolder("lies"));
        const TileRunReport first = job.run();
        const TileRecord& tile = tileWithMesh(first);
        const fs::path file = job.file(tile, ".json"), bricks = job.file(tile, ".bricks");
        const std::string record = readFile(file);
        for (const char* key : {"vertices", "triangles", "seam_vertices"}) {
            auto json = nlohmann::ordered_json::parse(record);
            json.erase("crc32");
            json[key] = json[key].get<std::uint64_t>() + 1;
            json["crc32"] = crc32Of(json.dump(2));
            writeFile(file, json.dump(2) + "\n");
            const TileRunReport again = job.run();
            QCOMPARE(again.tilesBefore, first.tiles.size() - 1);
            QCOMPARE(readFile(file), record);
        }
        const std::string whole = readFile(bricks);
        const auto found = readBricks(bricks, tile.tile);
        QVERIFY(found && !found->bricks.empty());
        auto lying = found->bricks;
        ++lying[0].triangles;
        writeBricks(bricks, tile.tile, lying, found->seams, {});
        QCOMPARE(job.run().tilesBefore, first.tiles.size() - 1);
        QVERIFY(readFile(bricks) == whole);
    }

    /// A single tile has no seams, whose arrays are then empty.
    void damagedBricksOfOneTileAreComputedAgain() {
        const SmallJob job(freshFolder("one"), 0);
        const TileRunReport first = job.run();
        QCOMPARE(first.tiles.size(), std::size_t(1));
        QCOMPARE(first.tiles[0].seamVertices, std::uint64_t(0));
        const fs::path file = job.file(first.tiles[0], ".bricks");
        const std::string bricks = readFile(file);
        constexpr std::size_t crcAt = 32, headBytes = 40;
        QVERIFY(bricks.substr(crcAt, 4) != std::string(4, '\0'));
        auto random = seededRandom("one tile");
        for (int turn = 0; turn < 4; ++turn) {
            std::string damaged = bricks;
            damaged[headBytes + random() % (damaged.size() - headBytes)] ^= char(1 + random() % 255);
            if (turn == 0) // earlier versions wrote no checksum
                damaged.replace(crcAt, 4, 4, '\0');
            writeFile(file, damaged);
            const TileRunReport again = job.run();
            QVERIFY(again.digest == first.digest);
            QCOMPARE(again.tilesBefore, std::size_t(0));
            QVERIFY(readFile(file) == bricks);
        }
    }

    /// Links in a folder that another user has prepared or changed are not followed.
    void linksLeadNowhere() {
        const fs::path folder = freshFolder("links"), elsewhere = freshFolder("elsewhere");
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        fs::path node;
        for (const auto& entry : fs::directory_iterator(folder / "nodes" / "0"))
            node = entry.path();
        QVERIFY(!node.empty());
        for (const fs::path& place :
             {folder / "tiles", folder / "nodes", folder / "nodes" / "0", node, folder / "tileset.json",
              folder / "manifest.json", folder / "job.json"}) {
            fs::rename(place, elsewhere / "it");
            fs::create_symlink(elsewhere / "it", place);
            writeFile(elsewhere / "victim", "mine");
            const auto before = treeOf(elsewhere);
            SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tileset"}), place.filename().string());
            QVERIFY2(treeOf(elsewhere) == before, place.c_str());
            QVERIFY(fs::is_symlink(place));
            fs::remove(place);
            fs::rename(elsewhere / "it", place);
        }
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        // a dangling link is not a folder either
        fs::remove_all(folder / "nodes");
        fs::create_symlink(elsewhere / "none", folder / "nodes");
        SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, {"--tileset"}), "nodes");
        QCOMPARE(namesIn(elsewhere), std::set<std::string>{"victim"});
    }

    /// A job.json with names that no job writes is invalid.
    void namesOutsideOfTheFolderAreRefused() {
        const fs::path folder = freshFolder("names"), victim = m_files.path("victim");
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        const auto job = nlohmann::ordered_json::parse(readFile(folder / "job.json"));
        writeFile(victim, "mine");
        for (const std::string& name :
             {std::string("../victim"), victim.string(), std::string(".."), std::string("."), std::string(),
              std::string("/"), std::string("nodes/../../victim"), std::string("tiles/"),
              std::string("tiles\0x", 7), std::string("notes.txt")}) {
            auto json = job;
            json["names"].push_back(name);
            writeFile(folder / "job.json", json.dump());
            const auto before = treeOf(folder);
            for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--tileset"}}) {
                SCANLOUPE_VERIFY_USER_ERROR(runInto(folder, more), folder.string());
                QVERIFY(treeOf(folder) == before);
            }
            QCOMPARE(readFile(victim), std::string("mine"));
        }
    }

    /// The file is damaged as after a power cut, or edited by hand.
    void aDamagedJobFileIsNamed() {
        const fs::path folder = freshFolder("damaged"), file = folder / "job.json";
        QCOMPARE(runInto(folder).code, 0);
        const std::string whole = readFile(file);
        for (const std::string& damaged :
             {whole.substr(0, whole.size() / 2), std::string(), std::string(whole.size(), '\0')}) {
            writeFile(file, damaged);
            const auto before = treeOf(folder);
            const CliResult result = runInto(folder);
            SCANLOUPE_VERIFY_USER_ERROR(result, "is damaged");
            QVERIFY2(result.err.find("Restore a copy of the file") != std::string::npos, result.err.c_str());
            QVERIFY(treeOf(folder) == before);
        }
        for (const char* key : {"program", "values", "tile_size", "ending", "names"}) {
            auto json = nlohmann::ordered_json::parse(whole);
            json[key] = 7;
            writeFile(file, json.dump());
            SCANLOUPE_VERIFY_USER_ERROR(runInto(folder), folder.string());
        }
        writeFile(file, whole);
        QCOMPARE(runInto(folder).code, 0);
    }

    /// A process that was killed after writing its manifest has left a tileset of another surface, which is
    /// removed.
    void tilesetsOfOtherSurfacesGo() {
        const fs::path folder = freshFolder("stale"), kept = freshFolder("kept");
        const std::vector<std::string> other{"--min-component-triangles", "200"};
        QCOMPARE(runInto(folder, {"--tileset"}).code, 0);
        for (const char* name : {"nodes", "tileset.json"})
            fs::copy(folder / name, kept / name, fs::copy_options::recursive);
        QCOMPARE(runInto(folder).code, 0);
        QVERIFY(fs::exists(folder / "tileset.json")); // the tileset belongs to the same surface
        for (int turn = 0; turn < 2; ++turn) {
            const CliResult result = runInto(folder, other);
            QVERIFY2(result.code == 0, result.err.c_str());
            QVERIFY(!fs::exists(folder / "tileset.json") && !fs::exists(folder / "nodes"));
            for (const char* name : {"nodes", "tileset.json"})
                fs::copy(kept / name, folder / name, fs::copy_options::recursive);
        }
        QCOMPARE(runInto(folder).code, 0); // computes the first surface again
        QVERIFY(treeOf(folder / "nodes") == treeOf(kept / "nodes"));
    }

    void tamperedRecordsAreComputedAgain() {
        const SmallJob job(freshFolder("records"));
        const TileRunReport first = job.run();
        const TileRecord& tile = tileWithMesh(first);
        const fs::path file = job.file(tile, ".json"), mesh = job.folder / tile.mesh.path;
        const std::string record = readFile(file);
        const fs::path outside = m_files.path("outside.ply");
        fs::copy_file(mesh, outside, fs::copy_options::overwrite_existing);
        const auto isRepaired = [&](const std::string& damaged) {
            writeFile(file, damaged);
            const TileRunReport again = job.run();
            QVERIFY(again.digest == first.digest);
            QCOMPARE(again.tilesBefore, first.tiles.size() - 1);
            QCOMPARE(readFile(file), record);
        };
        const auto isChangeRepaired = [&](const std::function<void(nlohmann::ordered_json&)>& change) {
            auto json = nlohmann::ordered_json::parse(record);
            change(json);
            isRepaired(json.dump(2));
            json.erase("crc32");
            isRepaired(json.dump(2)); // earlier versions wrote no checksum
            json["crc32"] = crc32Of(json.dump(2));
            return json.dump(2);
        };
        for (const std::string& path :
             {std::string("/dev/zero"), outside.string(), std::string("../outside.ply"),
              "tiles/../" + tile.mesh.path, fs::absolute(mesh).string(), std::string("tiles")})
            isRepaired(isChangeRepaired([&](auto& json) { json["mesh"]["path"] = path; }));
        isChangeRepaired([](auto& json) { json["points"] = 1; });
        isRepaired(record + "x");
        isRepaired(record.substr(0, 8));
        isRepaired(record.substr(0, record.size() / 2));
        isRepaired(std::string(record.size(), '\0'));
        // a pipe in place of the file is an error
        fs::remove(file);
        QCOMPARE(::mkfifo(file.c_str(), 0600), 0);
        QVERIFY_EXCEPTION_THROWN(job.run(), EngineError);
        fs::remove(file);
        fs::remove(mesh);
        for (const char* device : {"/dev/zero", "../../outside.ply"}) {
            writeFile(file, record);
            fs::create_symlink(device, mesh);
            QVERIFY_EXCEPTION_THROWN(job.run(), EngineError);
            fs::remove(mesh);
        }
        QVERIFY(readFile(outside).size() == tile.mesh.bytes);
        QVERIFY(job.run().digest == first.digest);
    }
};

SCANLOUPE_TEST(TestJobFolder)
#include "test_job_folder.moc"
