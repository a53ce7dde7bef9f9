// Truncated and damaged scans: the complete points are used, and the exit code reports the damage. With
// --strict, nothing is written.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/damaged_laz.h"
#include "tests/support/pipeline_run.h"

#include <algorithm>
#include <cstring>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

class TestCliDamage : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

    /// The scan in another format, truncated. The text format has a damaged row in its middle instead.
    std::string cut(const std::string& ending, double share = 0.6) const {
        const std::string whole = path("whole" + ending), file = path("cut" + ending);
        // LAZ is read in whole chunks, and therefore needs more points
        const std::string points = ending == ".laz" ? "120000" : "20000";
        if (cli({"synth", whole, "--scene", "room", "--points", points}).code != 0)
            return {};
        const std::string content = readFile(whole);
        writeFile(file, content.substr(0, std::size_t(double(content.size()) * share)) +
                            (ending == ".xyz" ? "\ndamaged 1 2\n" + content : ""));
        return file;
    }
    /// Explains why a command failed to report an incomplete scan; empty if it reported the scan.
    static std::string untold(const std::vector<std::string>& arguments, const std::string& name) {
        std::vector<std::string> quiet = arguments;
        quiet.push_back("--quiet");
        for (const CliResult& result : {cli(arguments), cli(quiet)}) {
            if (result.code != exitUserError)
                return fmt::format("{}: exit code {}: {}", arguments.front(), result.code, result.err);
            if (result.err.find(name) == std::string::npos ||
                result.err.find("Incomplete") == std::string::npos)
                return fmt::format("{}: it does not say what is missing: {}", arguments.front(), result.err);
        }
        return {};
    }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(20000); }

    void truncatedScans_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".ply", ".pcd", ".las", ".laz", ".xyz"})
            QTest::newRow(ending) << ending;
    }
    void truncatedScans() {
        QFETCH(QString, ending);
        const std::string file = cut(ending.toStdString()), name = "cut" + ending.toStdString();
        if (file.empty())
            QSKIP("this build does not write that format");
        const std::string mesh = path("m.ply"), scan = path("c.ply");
        std::string why = untold({"run", file, "--voxel-size", "0.2", "--mesh", mesh}, name);
        QVERIFY2(why.empty(), why.c_str());
        why = untold({"convert", file, scan}, name);
        QVERIFY2(why.empty(), why.c_str());
        QVERIFY(fs::exists(mesh) && fs::exists(scan)); // outputs exist, made of the complete points
        QVERIFY(cli({"info", scan, "--json"}).code == 0);
        why = untold({"info", file}, name);
        QVERIFY2(why.empty(), why.c_str());
        why = untold({"compare", file, m_fixture->scan()}, name);
        QVERIFY2(why.empty(), why.c_str());
        const auto quiet = cli({"convert", file, scan, "--quiet"});
        // two lines: the damage, and the next step
        QCOMPARE(std::ranges::count(quiet.err, '\n'), std::ptrdiff_t{2});
        const auto json = cli({"convert", file, scan, "--json"});
        QCOMPARE(json.code, int(exitUserError));
        QVERIFY(!Json::parse(json.out).at("from").at("warnings").empty());
    }
    void strictlyNothingIsWritten_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".las", ".xyz"})
            QTest::newRow(ending) << ending;
    }
    void strictlyNothingIsWritten() {
        QFETCH(QString, ending);
        fs::remove(path("strict.ply"));
        const std::string file = cut(ending.toStdString());
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"run", file, "--voxel-size", "0.2", "--mesh", path("strict.ply")},
              {"convert", file, path("strict.ply")},
              {"run", file, "--tiles", path("strict"), "--voxel-size", "0.2"},
              {"align", m_fixture->scan(), file, "--merged", path("strict.ply"), "--poses",
               path("strict.ply.txt")},
              {"change", m_fixture->scan(), file, "--output", path("strict.ply")}}) {
            std::vector<std::string> strict = arguments;
            strict.push_back("--strict");
            const auto result = cli(strict);
            QVERIFY2(result.code == exitUserError, result.err.c_str());
            QVERIFY2(result.err.find("Incomplete") != std::string::npos, result.err.c_str());
        }
        QVERIFY(!fs::exists(path("strict.ply")) && !fs::exists(path("strict")) &&
                !fs::exists(path("strict.ply.txt")));
        QCOMPARE(cli({"convert", m_fixture->scan(), path("strict.ply"), "--strict"}).code, 0);
    }
    /// One damaged scan among several intact ones.
    void foldersWithADamagedScan() {
        fs::create_directories(path("frames"));
        fs::copy_file(cut(".las"), path("frames/a.las"));
        fs::copy_file(path("whole.las"), path("frames/b.las"));
        const auto frames =
            cli({"run", path("frames"), "--voxel-size", "0.2", "--mesh", path("f.ply"), "--quiet"});
        QCOMPARE(frames.code, int(exitUserError));
        QVERIFY2(frames.err.find("a.las") != std::string::npos &&
                     frames.err.find("b.las") == std::string::npos,
                 frames.err.c_str());
        QVERIFY(fs::exists(path("f_a.ply")) && fs::exists(path("f_b.ply")));
        const auto strict =
            cli({"run", path("frames"), "--voxel-size", "0.2", "--mesh", path("s.ply"), "--strict"});
        QCOMPARE(strict.code, int(exitUserError));
        QVERIFY(!fs::exists(path("s_a.ply")) && fs::exists(path("s_b.ply")));
        writeFile(path("poses.txt"), "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
        const std::string why =
            untold({"run", path("frames"), "--poses", path("poses.txt"), "--voxel-size", "0.2"}, "a.las");
        QVERIFY2(why.empty(), why.c_str());
    }
    /// Damage in attributes that are loaded late, by the step that writes them.
    void damageThatIsFoundLate() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
        const std::string late = path("late.laz"), mesh = path("late.glb"), voxels = path("late.ply");
        writeCloud(late, *bumpyCloud(3'000'000), {}, {});
        damageLazLayer(late, 1, 4);
        // the scan is large enough for loading attributes on demand
        QVERIFY(!readScan(late, {}, {})->attribute("intensity")->isLoaded());
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"run", late, "--voxel-size", "0.5", "--voxels", voxels},
              {"convert", late, path("late_copy.las")}}) {
            const std::string why = untold(arguments, "late.laz: Incomplete: ");
            QVERIFY2(why.empty(), why.c_str());
        }
        QVERIFY(fs::exists(voxels));
        fs::create_directories(path("late"));
        fs::copy_file(m_fixture->scan(), path("late/a.ply"));
        fs::rename(late, path("late/b.laz"));
        const auto frames = cli({"run", path("late"), "--voxel-size", "0.5", "--voxels", path("l.ply"),
                                 "--stages", "voxels", "--timings", path("l.json")});
        QCOMPARE(frames.code, int(exitUserError));
        QVERIFY2(frames.err.find("b.laz: Incomplete") != std::string::npos, frames.err.c_str());
        QVERIFY(readFile(path("l.json")).find("chunks of the attributes") != std::string::npos);
        writeFile(path("late.txt"), "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
        const auto posed =
            cli({"run", path("late"), "--poses", path("late.txt"), "--voxel-size", "0.5", "--quiet"});
        QCOMPARE(posed.code, int(exitUserError));
        QVERIFY2(posed.err.find("b.laz: Incomplete") != std::string::npos, posed.err.c_str());
        fs::remove(voxels);
        const auto strict =
            cli({"run", path("late/b.laz"), "--voxel-size", "0.5", "--voxels", voxels, "--strict"});
        QCOMPARE(strict.code, int(exitUserError));
        QVERIFY(!fs::exists(voxels));
    }
    void failuresAreNotCalledDone() {
        const std::string file = cut(".ply");
        const auto failed = cli({"run", file, "--voxel-size", "0.2", "--mesh", "ply:/dev/full"});
        QVERIFY2(failed.code == exitUserError, failed.err.c_str());
        QVERIFY2(failed.err.find("Incomplete") != std::string::npos &&
                     failed.err.find("from the intact part and written") == std::string::npos,
                 failed.err.c_str());
        const auto outside = cli({"compare", file, m_fixture->scan(), "--tolerance", "1e-9"});
        QCOMPARE(outside.code, int(exitUserError)); // exit code of damage, not of values out of tolerance
        QVERIFY2(outside.err.find("is outside tolerance") != std::string::npos &&
                     outside.err.find("from the intact part and written") != std::string::npos,
                 outside.err.c_str());
    }
    void tilesListWhatTheyLack_data() { truncatedScans_data(); }
    void tilesListWhatTheyLack() {
        QFETCH(QString, ending);
        const std::string name = "a" + ending.toStdString();
        fs::remove_all(path("survey"));
        fs::remove_all(path("tiles"));
        fs::create_directories(path("survey"));
        fs::copy_file(cut(ending.toStdString()), path("survey/" + name));
        const std::vector<std::string> arguments{"run",
                                                 path("survey"),
                                                 "--tiles",
                                                 path("tiles"),
                                                 "--voxel-size",
                                                 "0.2",
                                                 "--field",
                                                 "density",
                                                 "--iso",
                                                 "40",
                                                 "--quiet",
                                                 "--tile-size",
                                                 "4",
                                                 "--range=-10,-10,-5,10,10,10"};
        // a restarted command computes these tiles again, and reports the damage again
        for (int run = 0; run < 2; ++run) {
            const auto result = cli(arguments);
            QCOMPARE(result.code, int(exitUserError));
            QVERIFY2(result.err.find(name) != std::string::npos &&
                         (result.err.find("missing") != std::string::npos ||
                          result.err.find("were left out") != std::string::npos),
                     result.err.c_str());
            const Json tiles = readJson(path("tiles/manifest.json")).at("tiles");
            QVERIFY(!tiles.empty());
            for (const Json& tile : tiles)
                QVERIFY(tile.at("missing") == Json::array({name}));
        }
        fs::copy_file(path("whole" + ending.toStdString()), path("survey/" + name),
                      fs::copy_options::overwrite_existing);
        const auto whole = cli(arguments);
        QVERIFY2(whole.code == 0, whole.err.c_str());
        const Json manifest = readJson(path("tiles/manifest.json"));
        for (const Json& tile : manifest.at("tiles"))
            QVERIFY(tile.at("missing").empty());
    }
    /// The extent of one file is unknown; the other file declares a box in its header.
    void tilesNameFilesThatCannotBeRead() {
        fs::remove_all(path("survey"));
        fs::create_directories(path("survey"));
        QCOMPARE(cli({"synth", path("survey/a.las"), "--scene", "room", "--points", "20000"}).code, 0);
        const std::string scan = readFile(path("survey/a.las"));
        writeFile(path("survey/b.las"), scan.substr(0, 100));
        std::uint32_t pointsAt = 0;
        std::memcpy(&pointsAt, scan.data() + 96, sizeof pointsAt);
        writeFile(path("survey/c.las"), scan.substr(0, pointsAt));
        std::vector<std::string> arguments{"run",     path("survey"),
                                           "--tiles", path("refused"),
                                           "--field", "density",
                                           "--iso",   "40",
                                           "--quiet", "--tile-size",
                                           "4",       "--voxel-size",
                                           "0.2",     "--range=-10,-10,-5,10,10,10"};
        const auto result = cli(arguments);
        QCOMPARE(result.code, int(exitUserError));
        const auto says = [&](const std::string& words) {
            return result.err.find(words) != std::string::npos;
        };
        QVERIFY2(says("b.las is missing in unknown tiles: ") && says("c.las is missing in tiles ") &&
                     says("2 files of the survey could not be read") && !says("a.las"),
                 result.err.c_str());
        const Json manifest = readJson(path("refused/manifest.json"));
        QCOMPARE(manifest.at("refused").size(), std::size_t{2});
        for (const Json& tile : manifest.at("tiles"))
            QVERIFY(tile.at("missing") == Json::array({"c.las"}));
        arguments[3] = path("strict");
        arguments.emplace_back("--strict");
        QCOMPARE(cli(arguments).code, int(exitUserError));
        QVERIFY(!fs::exists(path("strict")));
    }
    void truncatedModels() {
        const std::string model = path("model.ply");
        QCOMPARE(cli({"run", m_fixture->scan(), "--voxel-size", "0.2", "--mesh", model}).code, 0);
        const std::string content = readFile(model);
        writeFile(path("half.ply"), content.substr(0, content.size() - 100));
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"compare", m_fixture->scan(), path("half.ply")},
              {"mesh-distance", model, path("half.ply")}}) {
            const std::string why = untold(arguments, "half.ply");
            QVERIFY2(why.empty(), why.c_str());
        }
    }
};

SCANLOUPE_TEST(TestCliDamage)
#include "test_cli_damage.moc"
