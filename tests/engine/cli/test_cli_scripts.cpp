// Behaviour that scripts rely on: exit codes, standard output and error, several outputs, folders, and wrong
// column counts.
#include "engine/io/formats.h"
#include "tests/engine/cli/test_cli_support.h"

#include <cmath>
#include <cstring>
#include <stdexcept>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

/// A stream buffer that throws an exception no command expects.
class FaultyBuffer : public std::streambuf {
protected:
    int_type overflow(int_type) override { throw std::logic_error("a fault of the program"); }
};

/// Writes a .bin file of points on a ring, with `columns` numbers for each point. The numbers after the
/// coordinates are small.
void writeSweep(const fs::path& file, std::size_t points, int columns) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < points; ++i) {
        const double angle = double(i) * 0.003;
        numbers.push_back(float(20 * std::cos(angle) + 0.3 * std::sin(17 * angle)));
        numbers.push_back(float(20 * std::sin(angle)));
        numbers.push_back(float(-1.7 + double(i % 32) * 0.001));
        for (int c = 3; c < columns; ++c)
            numbers.push_back(float(c == 3 ? i % 50 : i / 100 % 32));
    }
    std::string bytes(numbers.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    writeFile(file, bytes);
}

} // namespace

class TestCliScripts : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(); }

    void everyExitCode() {
        QCOMPARE(cli({"info", m_fixture->scan()}).code, int(exitOk));
        QCOMPARE(cli({"info", path("none.ply")}).code, int(exitUserError));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(cli({"info", m_fixture->scan()}, stop.get_token()).code, int(exitInterrupted));
        FaultyBuffer buffer;
        std::ostream out(&buffer);
        out.exceptions(std::ios::badbit);
        std::ostringstream err;
        const std::vector<std::string> arguments{"info", m_fixture->scan()};
        QCOMPARE(runCommandLine(arguments, out, err, {}), int(exitFault));
        QVERIFY2(err.str().find("report this error") != std::string::npos, err.str().c_str());
    }
    void exitCodesAreInTheManual() {
        if (!fs::exists(SCANLOUPE_SOURCE_DIR))
            QSKIP("the source tree is not here");
        const std::string manual =
            readFile(fs::path(SCANLOUPE_SOURCE_DIR) / "resources/manual/command_line.md");
        int last = -1;
        for (const ExitMeaning& one : exitMeanings()) {
            QVERIFY(one.code > last);
            last = one.code;
            QVERIFY2(manual.find(fmt::format("\n| {} | ", one.code)) != std::string::npos, one.meaning);
        }
    }
    void misspelledOptionsAreSuggested() {
        SCANLOUPE_VERIFY_USER_ERROR(cli({"rum", "a.ply"}), "Did you mean 'run'?");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"aling", "a.ply"}), "Did you mean 'align'?");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--voxelsize=1"}), "'--voxel-size'");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--max-voxel", "1"}), "'--max-voxels'");
        const auto far = cli({"run", m_fixture->scan(), "--qqqqqqqq"});
        SCANLOUPE_VERIFY_USER_ERROR(far, "has no option '--qqqqqqqq'");
        QVERIFY(far.err.find("Did you mean") == std::string::npos);
    }
    void quietOnlyPrintsErrors() {
        const auto run = cli({"run", m_fixture->scan(), "--quiet", "--mesh", path("q.stl")});
        QCOMPARE(run.code, 0);
        QCOMPARE(run.out, std::string());
        QCOMPARE(run.err, std::string());
        const auto json = cli({"info", m_fixture->scan(), "-q", "--json"});
        QCOMPARE(Json::parse(json.out).at("points").get<int>(), 20000);
        QCOMPARE(json.err, std::string());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", path("none.ply"), "--quiet"}), "none.ply");
    }
    void severalMeshesAndVoxels() {
        const auto run = cli({"run", m_fixture->scan(), "--mesh", path("a.ply"), "--mesh", path("a.glb"),
                              "--voxels", path("v.csv"), "--voxels", path("v.npz"), "--quiet"});
        QVERIFY2(run.code == 0, run.err.c_str());
        for (const char* file : {"a.ply", "a.glb", "v.csv", "v.npz"})
            QVERIFY2(fs::file_size(path(file)) > 0, file);
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", m_fixture->scan(), "--mesh", path("a.ply"), "--mesh", path("a.ply")}), "Two results");
    }
    void framesWithoutPointsWriteEmptyArrays() {
        const fs::path frames = path("empty_frames");
        fs::create_directory(frames);
        std::string near, far;
        for (int i = 0; i < 400; ++i) {
            near += fmt::format("{} {} {} {}\n", i % 20 * 0.1, i / 20 * 0.1, 0.01 * (i % 7), i);
            far += fmt::format("{} {} {} {}\n", 500 + i % 20 * 0.1, i / 20 * 0.1, 0.01 * (i % 7), i);
        }
        writeFile(frames / "a.xyz", near);
        writeFile(frames / "b.xyz", far);
        writeFile(frames / "c.ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\n"
                                    "property float y\nproperty float z\nend_header\n");
        std::vector<std::string> arguments{"run", frames.string(), "--range=-1,-1,-1,3,3,3", "--voxel-size",
                                           "0.2"};
        for (const std::string& ending : voxelEndings())
            arguments.insert(arguments.end(), {"--voxels", path("empty" + ending)});
        std::vector<std::string> voxelsAlone = arguments;
        voxelsAlone.insert(voxelsAlone.end(), {"--stages", "voxels", "--json", "--max-points-per-voxel", "5",
                                               "--voxel-order", "first-point"});
        const auto run = cli(voxelsAlone);
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY2(run.err.find("warning: no point of b.xyz is in the range") != std::string::npos,
                 run.err.c_str());
        QVERIFY2(run.err.find("warning: no point of c.ply is in the range") != std::string::npos,
                 run.err.c_str());
        QVERIFY(run.err.find("no point of a.xyz") == std::string::npos);
        const Json json = Json::parse(run.out);
        QVERIFY(json.at("frames").at(0).at("voxels").get<int>() > 50);
        QCOMPARE(json.at("frames").at(1).at("voxels").get<int>(), 0);
        QVERIFY(json.at("frames").at(1).at("notes").dump().find("No point") != std::string::npos);
        for (const std::string& ending : voxelEndings())
            QVERIFY2(fs::file_size(path("empty_b" + ending)) > 0, ending.c_str());
        QCOMPARE(readFile(path("empty_b.csv")).find('\n'), readFile(path("empty_b.csv")).size() - 1);
        // c.ply has no points at all, so that no automatic field can be chosen
        fs::remove(frames / "c.ply");
        const auto all = cli(arguments); // computes the surface of frames that have one
        QVERIFY2(all.code == 0, all.err.c_str());
        QVERIFY(all.err.find("warning: no point of b.xyz is in the range") != std::string::npos);
        arguments.insert(arguments.end(), {"--mesh", path("empty.stl")});
        const auto mesh = cli(arguments);
        QCOMPARE(mesh.code, int(exitUserError));
        QVERIFY2(mesh.err.find("b.xyz: No point of the scan lies in the range") != std::string::npos,
                 mesh.err.c_str());
        QVERIFY(fs::exists(path("empty_a.stl")) && !fs::exists(path("empty_b.stl")));
    }
    void aFormatInFrontOverrulesTheEnding() {
        const auto run = cli({"run", m_fixture->scan(), "--voxels", "csv:" + path("table.dat"), "--stages",
                              "voxels", "--quiet"});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(readFile(path("table.dat")).starts_with("ix,iy,iz,count,x,y,z"));
        writeSweep(path("sweep.dat"), 2000, 4);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", path("sweep.dat")}), "unknown format");
        const auto info = cli({"info", "bin:" + path("sweep.dat"), "--json"});
        QVERIFY2(info.code == 0, info.err.c_str());
        QCOMPARE(Json::parse(info.out).at("points").get<int>(), 2000);
        QCOMPARE(Json::parse(info.out).at("file").get<std::string>(), "bin:" + path("sweep.dat"));
    }
    void helpOfCommands() {
        const std::string all = cli({"help"}).out;
        QCOMPARE(all, cli({"--help"}).out);
        for (const char* exit : {"    0  Done", "    3  All results", "    4  All results", "  130  Stopped"})
            QVERIFY2(all.find(exit) != std::string::npos, exit);
        QCOMPARE(cli({"help", "info"}).code, int(exitOk));
        QCOMPARE(cli({"help", "info"}).out, cli({"info", "--help"}).out);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"help", "inof"}), "Unknown command 'inof'");
    }
    void jsonIsPrintedOrWritten() {
        const std::string scan = m_fixture->scan(), file = path("document.json");
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"info", scan},
              {"convert", scan, path("json.xyz")},
              {"synth", path("json.ply"), "--points", "1000"},
              {"compare", scan, scan, "--backend", "cpu"},
              {"run", scan, "--stages", "voxels", "--backend", "cpu"}}) {
            const auto with = [&](const std::vector<std::string>& more) {
                std::vector<std::string> arguments = command;
                arguments.insert(arguments.end(), more.begin(), more.end());
                return cli(arguments);
            };
            const CliResult bare = with({"--json"});
            QVERIFY2(bare.code == 0, bare.err.c_str());
            const std::string schema = Json::parse(bare.out).at("schema").get<std::string>();
            for (const std::vector<std::string>& json :
                 {std::vector<std::string>{"--json", file}, {"--json=" + file}}) {
                const CliResult written = with(json);
                QVERIFY2(written.code == 0, written.err.c_str());
                QCOMPARE(readJson(file).at("schema").get<std::string>(), schema);
                QVERIFY(!written.out.starts_with('{')); // standard output has the text for users, not JSON
                fs::remove(file);
            }
        }
        QCOMPARE(Json::parse(cli({"info", "--json", scan}).out).at("points").get<int>(), 20000);
        // a name after --json that is also the only candidate for the missing input
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", "--json", file}), "document.json");
        QVERIFY(!fs::exists(file));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", scan, "--json="}), "The value of --json is empty");
    }
    void unknownChoicesListTheKnownOnes() {
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--stages", "some"}),
                                    "'some' is not one of all, field, voxels");
        const std::string help = cli({"run", "--help"}).out;
        QVERIFY(help.find("--tile-format ply|glb") != std::string::npos);
        QVERIFY(help.find("{ply") == std::string::npos); // choices are not listed a second time in braces
    }
    void optionsOfTilesNeedTiles() {
        for (const std::vector<std::string>& option : {std::vector<std::string>{"--tile-size", "5"},
                                                       {"--tile-format", "glb"},
                                                       {"--tile-voxels", "npz"},
                                                       {"--tile-attributes", "rgb"},
                                                       {"--tile-memory", "1"},
                                                       {"--tileset"},
                                                       {"--devices", "host"}}) {
            std::vector<std::string> arguments{"run", m_fixture->scan()};
            arguments.insert(arguments.end(), option.begin(), option.end());
            SCANLOUPE_VERIFY_USER_ERROR(cli(arguments), "--tiles");
        }
    }
    void standardOutputHasOneUse() {
        const std::string scan = m_fixture->scan();
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", "csv:-", "--mesh", "ply:-"}),
                                    "both be written");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", "npz:-", "--json"}), "both be written");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", "-"}), "Prefix the name with the format");
    }
    void stagesEndWhereTheyAreAsked() {
        const auto run = cli({"run", m_fixture->scan(), "--stages", "voxels", "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json json = Json::parse(run.out);
        QCOMPARE(json.at("stages").size(), std::size_t{3}); // read, upload, voxelize
        QCOMPARE(json.at("recipe").at("field").get<std::string>(), std::string("auto"));
        const Json whole = Json::parse(cli({"run", m_fixture->scan(), "--stages", "all", "--json"}).out);
        QVERIFY(whole.at("voxels") == json.at("voxels"));
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", m_fixture->scan(), "--stages", "voxels", "--mesh", path("n.ply")}), "--stages");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", m_fixture->scan(), "--stages", "field", "--image", path("n.png")}), "--stages");
    }

    void foldersSayWhereTheScansAre() {
        const fs::path drive(path("drive")), below = drive / "velodyne";
        fs::create_directories(below);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", drive.string()}), "Convert it to PLY");
        fs::copy(m_fixture->scan(), below / "0001.ply");
        fs::copy(m_fixture->scan(), below / "0002.ply");
        for (const char* command : {"run", "info"}) {
            const auto told = cli({command, drive.string()});
            SCANLOUPE_VERIFY_USER_ERROR(told, "Its subfolders have scans");
            QVERIFY2(told.err.find("velodyne (2 files)") != std::string::npos, told.err.c_str());
        }
    }
    void otherFilesAreSkipped() {
        const fs::path folder(path("mixed"));
        fs::create_directories(folder);
        fs::copy(m_fixture->scan(), folder / "a.ply");
        writeFile(folder / "README.txt", "A drive around the block.\nTaken in May.\n");
        writeFile(folder / "calib.json", "{\"a\": 1}\n");
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"info", folder.string()},
              {"run", folder.string(), "--stages", "voxels", "--voxel-size", "0.5"}}) {
            const auto done = cli(command);
            QVERIFY2(done.code == 0, done.err.c_str());
            for (const char* name : {"README.txt", "calib.json"})
                QVERIFY2(done.err.find(name) != std::string::npos, done.err.c_str());
            QVERIFY2(done.err.find("ignored: ") != std::string::npos, done.err.c_str());
        }
        // b.ply has the name of a scan, so that its failure is an error
        writeFile(folder / "b.ply", "ply\nthis is none\n");
        QCOMPARE(cli({"info", folder.string()}).code, int(exitUserError));
    }

    void wrongColumnsAreRefused() {
        writeSweep(path("five.bin"), 3000, 5);
        writeSweep(path("odd.bin"), 3001, 5);
        for (const char* file : {"five.bin", "odd.bin"}) {
            const auto wrong = cli({"info", path(file), "--columns", "4"});
            SCANLOUPE_VERIFY_USER_ERROR(wrong, "--columns 5");
            QVERIFY2(wrong.err.find("--force") != std::string::npos, wrong.err.c_str());
            const auto right = cli({"info", path(file), "--columns", "5"});
            QVERIFY2(right.code == 0, right.err.c_str());
            QCOMPARE(cli({"info", path(file), "--columns", "4", "--force"}).code, 0);
        }
        // truncated within a point: only the complete points are read
        const std::string whole = readFile(path("five.bin"));
        writeFile(path("cut.bin"), whole.substr(0, whole.size() - 6));
        const auto cut = cli({"info", path("cut.bin"), "--columns", "5", "--json"});
        QVERIFY2(cut.code == exitUserError, cut.err.c_str());
        QCOMPARE(Json::parse(cut.out).at("points").get<int>(), 2999);
    }
    void columnsOfATextAreNamedByNumber() {
        writeFile(path("survey.csv"), "7,20.5,10.5,30.5,TREE\n8,21,11,31,EP\n");
        const auto info =
            cli({"info", path("survey.csv"), "--json", "--text-columns", "x=2,y=3,z=4,point=1"});
        QVERIFY2(info.code == 0, info.err.c_str());
        const Json json = Json::parse(info.out);
        QCOMPARE(json.at("bounds").at("min").get<std::vector<double>>(), (std::vector{20.5, 10.5, 30.5}));
        QVERIFY2(info.out.find("\"point\"") != std::string::npos, info.out.c_str());
        for (const char* wrong :
             {"", "x", "x=", "=1", "x=0", "x=-1", "x=2.5", "x=2,x=3", "x=2,y=2", "x=2,,y=3"})
            SCANLOUPE_VERIFY_USER_ERROR(cli({"info", path("survey.csv"), "--text-columns", wrong}),
                                        "--text-columns");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", path("survey.csv"), "--text-columns", "x=9"}), "(got 9)");
    }
    void nonsenseCoordinatesAreRefused() {
        std::string bytes(4000 * 4 * sizeof(float), '\0');
        for (std::size_t i = 0; i < 16000; ++i) {
            const float value = i % 12 == 0 ? 1e30f : float(std::sin(0.1 * double(i)));
            std::memcpy(bytes.data() + i * sizeof(float), &value, sizeof(float));
        }
        writeFile(path("far.bin"), bytes);
        const auto far = cli({"info", path("far.bin"), "--columns", "4", "--type", "float32"});
        SCANLOUPE_VERIFY_USER_ERROR(far, "farther than 1e8 m");
        QCOMPARE(cli({"info", path("far.bin"), "--columns", "4", "--type", "float32", "--force"}).code, 0);
    }
    void realSweepsTakeTheirOwnColumns() {
        const fs::path folder = scansFolder() / "sweeps";
        if (!fs::is_directory(folder))
            QSKIP("there are no real sweeps");
        const std::pair<const char*, int> sweeps[] = {{"gtsam_kitti00_000000_xyz.bin", 3},
                                                      {"kitti_tiny_800pts.bin", 4},
                                                      {"kitti_training_000000.bin", 4},
                                                      {"nuscenes_10sweep_ff9eff_f32.bin", 5},
                                                      {"nuscenes_n015_1532402927647951.pcd.bin", 5},
                                                      {"nuscenes_tiny_400pts.pcd.bin", 5},
                                                      {"voxelize_cuda_0000000000.bin", 4}};
        for (const auto& [name, columns] : sweeps) {
            const std::string file = (folder / name).string();
            for (int said = 3; said <= 6; ++said) {
                const auto info = cli({"info", file, "--columns", std::to_string(said)});
                const std::string what = fmt::format("{} as {}: {}", name, said, info.err);
                QVERIFY2((info.code == 0) == (said == columns), what.c_str());
                if (said != columns)
                    QVERIFY2(info.err.find(fmt::format("--columns {}", columns)) != std::string::npos,
                             what.c_str());
            }
        }
    }
};

SCANLOUPE_TEST(TestCliScripts)
#include "test_cli_scripts.moc"
