// Invalid input: each mistake is answered by a sentence, a next step and exit code 2; no existing file is
// lost, and none is left half-written.
#include "engine/edit/cuda_files.h"
#include "engine/edit/edit_list.h"
#include "engine/edit/trust_store.h"
#include "engine/project/project.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/support/bad_scans.h"

using namespace scanloupe;
using namespace scanloupe::test;

class TestCliBadInput : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

    /// Runs an unreadable scan with an output that exists already. The old file must be kept, and no file may
    /// be created.
    CliResult runOverOldMesh(const std::string& scan, std::vector<std::string> more = {}) {
        writeFile(path("old.ply"), "what was there before");
        const auto before = namesIn(m_fixture->folder());
        std::vector<std::string> arguments{"run",           scan,        "--mesh",
                                           path("old.ply"), "--timings", path("times.json")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        CliResult result = cli(arguments);
        if (readFile(path("old.ply")) != "what was there before")
            result.err += "the old mesh is lost\n";
        if (namesIn(m_fixture->folder()) != before)
            result.err += "something was left behind\n";
        return result;
    }
    std::string oldLost(const CliResult& result) const {
        return result.err.find("is lost") != std::string::npos ||
                       result.err.find("left behind") != std::string::npos
                   ? result.err
                   : "";
    }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(); }

    void unreadableScans_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(test::unreadableScans().size()); ++i)
            QTest::newRow(test::unreadableScans()[std::size_t(i)].what) << i;
    }
    void unreadableScans() {
        QFETCH(int, index);
        const BadScan bad = test::unreadableScans()[std::size_t(index)];
        const std::string file = path(bad.name);
        if (bad.content)
            writeFile(file, *bad.content);
        const auto result = runOverOldMesh(file);
        SCANLOUPE_VERIFY_USER_ERROR(result, bad.mention);
        QCOMPARE(oldLost(result), std::string());
    }

    /// An unset shell variable results in an empty name.
    void emptyNames() {
        const std::string scan = m_fixture->scan();
        const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> commands{
            {{"run", scan},
             {"--mesh", "--voxels", "--dense-voxels", "--image", "--section-lines", "--timings",
              "--save-recipe", "--tiles", "--recipe", "--poses"}},
            {{"sweep", scan, "--across", "iso=0.3", "--down", "voxel_size=0.3"}, {"--sheet", "--csv"}},
            {{"recipe"}, {"--out"}},
            {{"convert", scan, path("converted.ply")}, {"--edits"}},
            {{"change", scan, scan}, {"--output", "--json"}},
            {{"compare", scan, scan}, {"--json", "--report"}},
            {{"mesh-distance", scan, scan}, {"--json"}},
            {{"align", scan, scan}, {"--merged", "--poses"}},
            {{"synth", path("made.ply")}, {"--poses"}}};
        for (const auto& [command, options] : commands)
            for (const std::string& option : options) {
                std::vector<std::string> arguments = command;
                arguments.insert(arguments.end(), {option, ""});
                SCANLOUPE_VERIFY_USER_ERROR(cli(arguments), "The value of " + option + " is empty");
            }
        QVERIFY(!std::filesystem::exists(path("converted.ply")) &&
                !std::filesystem::exists(path("made.ply")));
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", m_fixture->scan(), "--backend", "cpu", "--voxel-size", "0.3", "--tiles="}),
            "--tiles");
    }

    /// Options that would have no effect, or do not apply to the input.
    void optionsWithoutEffectAreRefused() {
        const std::string scan = m_fixture->scan();
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--section-scale", "50"}), "--section-lines");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", scan, "--section-lines", path("cut.dxf"), "--section-scale", "50"}),
            "--section-scale applies to .svg files only");
        Project project;
        project.scans = {{scan}};
        writeProject(path("tiled.json"), project);
        const CliResult result =
            cli({"run", path("tiled.json"), "--tiles", path("of project"), "--voxel-size", "1"});
        SCANLOUPE_VERIFY_USER_ERROR(result, "is a project");
        QVERIFY2(result.err.find("--recipe") != std::string::npos, result.err.c_str());
        QVERIFY(!std::filesystem::exists(path("of project")) && !std::filesystem::exists(path("cut.dxf")));
    }

    /// Long words that an error message quotes from a file are shortened.
    void longWordsAreShortened() {
        writeFile(path("key.json"), "{\"" + std::string(5'000'000, 'k') + "\": 1}");
        writeFile(path("long.pcd"), "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\n"
                                    "HEIGHT 1\nPOINTS 1\nDATA " +
                                        std::string(5'000'000, 'x') + "\n1 2 3\n");
        for (const std::vector<std::string>& command :
             {std::vector<std::string>{"run", m_fixture->scan(), "--recipe", path("key.json")},
              {"info", path("long.pcd")}}) {
            const CliResult result = cli(command);
            SCANLOUPE_VERIFY_USER_ERROR(result, "");
            QVERIFY2(result.err.size() < 20'000, std::to_string(result.err.size()).c_str());
        }
    }

    /// The CUDA code of a recipe or project only runs if the user has approved it, in the window or by an
    /// option.
    void cudaCodeThatWasNotApproved() {
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", path("config").c_str());
        const std::string code = "__device__ float value(Point p) { return 1; }";
        Recipe recipe;
        recipe.edits.layers.push_back(std::make_shared<const EditLayer>(
            EditLayer{"a.cu", false, {}, cudaFileAction("/tmp/a.cu", code, {0, 0, 1})}));
        writeRecipe(path("code.json"), recipe);
        Project project;
        project.scans.push_back({m_fixture->scan()});
        project.recipe = recipe;
        writeProject(path("code_project.json"), project);
        const std::vector<std::vector<std::string>> commands{
            {"run", m_fixture->scan(), "--recipe", path("code.json")},
            {"run", path("code_project.json")},
            {"sweep", m_fixture->scan(), "--recipe", path("code.json"), "--across", "voxel_size=0.2,0.4",
             "--down", "field=occupancy,distance"}};
        for (std::vector<std::string> command : commands) {
            command.insert(command.end(), {"--backend", "cpu"});
            SCANLOUPE_VERIFY_USER_ERROR(cli(command), "a.cu can't be used: its code was not approved");
            SCANLOUPE_VERIFY_USER_ERROR(cli(command), "--trust-cuda");
            command.push_back("--trust-cuda"); // the option does not store the approval
            SCANLOUPE_VERIFY_USER_ERROR(cli(command), "a.cu needs a GPU");
        }
        QVERIFY(!std::filesystem::exists(path("config")));
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"convert", m_fixture->scan(), path("out.ply"), "--edits", path("code.json")}),
            "convert runs on the CPU");
        QVERIFY(TrustStore().remember(code)); // stores the approval, as the window does
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("code_project.json"), "--backend", "cpu"}),
                                    "a.cu needs a GPU");
        recipe.edits = withChangedLayer(recipe.edits, 0, [](EditLayer& layer) {
            layer.isHidden = true;
            std::get<CudaFileAction>(layer.action).file.source += "// other";
        });
        writeRecipe(path("hidden.json"), recipe);
        QCOMPARE(cli({"run", m_fixture->scan(), "--recipe", path("hidden.json"), "--backend", "cpu"}).code,
                 0);
        before.isNull() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", before);
    }

    void folders() {
        std::filesystem::create_directory(path("empty_folder"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("empty_folder")}), "empty_folder");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"info", path("empty_folder")}), "folder");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("no/such/folder/scan.ply")}), "scan.ply");
    }

    void truncatedScansGiveWhatIsWhole() {
        writeFile(path("cut.ply"), plyOf("2000", 1500) + "12345");
        const auto info = cli({"info", path("cut.ply"), "--json"});
        QVERIFY2(info.code == exitUserError, info.err.c_str());
        const Json json = Json::parse(info.out);
        QCOMPARE(json.at("points").get<int>(), 1500);
        QCOMPARE(json.at("warnings").size(), std::size_t{1});
        QVERIFY(json.at("warnings").at(0).get<std::string>().find("500") != std::string::npos);
        const auto run = cli({"run", path("cut.ply"), "--mesh", path("cut_mesh.ply")});
        SCANLOUPE_VERIFY_USER_ERROR(run, "500 are missing");
        QVERIFY(run.err.find("warning: cut.ply") != std::string::npos);
        QVERIFY(std::filesystem::exists(path("cut_mesh.ply")));
    }
    void lyingHeadersTakeNoMemory() {
        // a file of 18 kB that claims 10 PB of points
        writeFile(path("lie.ply"), plyOf("900000000000000", 1500));
        const auto lie = cli({"info", path("lie.ply"), "--json"});
        QVERIFY2(lie.code == exitUserError, lie.err.c_str());
        QCOMPARE(Json::parse(lie.out).at("points").get<int>(), 1500);
        QVERIFY(!Json::parse(lie.out).at("warnings").empty());
        writeFile(path("lie.pcd"),
                  "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 4000000000\n"
                  "HEIGHT 1000000\nPOINTS 4000000000000000\nDATA binary\n" +
                      std::string(1200, '\0'));
        const auto pcd = cli({"info", path("lie.pcd"), "--json"});
        QCOMPARE(pcd.code, int(exitUserError));
    }

    void notFiniteAndFarPointsAreLeftOut() {
        writeFile(path("odd.xyz"), textPoints(3000) + "nan 0 0\n1e30 -1e30 1e30\n0 inf 0\n");
        const auto info = cli({"info", path("odd.xyz"), "--json"});
        QVERIFY2(info.code == 0, info.err.c_str());
        QCOMPARE(Json::parse(info.out).at("not_finite").get<int>(), 2);
        const auto run =
            cli({"run", path("odd.xyz"), "--mesh", path("odd.ply"), "--timings", path("odd.json")});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json timings = readJson(path("odd.json"));
        QCOMPARE(timings.at("points_in_range").get<int>(), 3000);
        QCOMPARE(timings.at("points_not_finite").get<int>(), 2);
        QCOMPARE(timings.at("points_outside").get<int>(), 1);
        QVERIFY2(run.out.find("no finite coordinates") != std::string::npos, run.out.c_str());
        QVERIFY2(run.out.find("distant points") != std::string::npos, run.out.c_str());
    }
    void farPointsAloneAreShownOrReported() {
        writeFile(path("far.xyz"), "1e30 1e30 1e30\n-1e30 2e30 0\n5e29 0 1e30\n");
        const auto result = cli({"run", path("far.xyz"), "--mesh", path("far.ply")});
        if (result.code == exitOk) {
            QVERIFY(readFile(path("far.ply")).starts_with("ply\n"));
        } else {
            SCANLOUPE_VERIFY_USER_ERROR(result, "");
            QVERIFY(!std::filesystem::exists(path("far.ply")));
        }
    }

    void rangesAndSizesThatLeaveNothing() {
        const std::string scan = m_fixture->scan();
        auto result = runOverOldMesh(scan, {"--range=1000,1000,1000,1001,1001,1001"});
        SCANLOUPE_VERIFY_USER_ERROR(result, "range");
        QCOMPARE(oldLost(result), std::string());
        SCANLOUPE_VERIFY_USER_ERROR(runOverOldMesh(scan, {"--range=1,0,0,0,1,1"}), "range");
        SCANLOUPE_VERIFY_USER_ERROR(runOverOldMesh(scan, {"--range=1,0,0"}), "xmin");
        result = runOverOldMesh(scan, {"--voxel-size", "1000"});
        SCANLOUPE_VERIFY_USER_ERROR(result, "one voxel");
        QCOMPARE(oldLost(result), std::string());
        std::string same;
        for (int i = 0; i < 100; ++i)
            same += "1 2 3\n";
        writeFile(path("same.xyz"), same);
        SCANLOUPE_VERIFY_USER_ERROR(runOverOldMesh(path("same.xyz")), "same position");
    }
    void moreVoxelsThanThereIsMemoryFor() {
        const std::string scan = m_fixture->scan();
        auto result = runOverOldMesh(scan, {"--voxel-size", "0.000001"});
        SCANLOUPE_VERIFY_USER_ERROR(result, "voxel size");
        QCOMPARE(oldLost(result), std::string());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", path("huge.ply"), "--points", "1000000000000"}), "points");
    }

    void targetsThatCantBe() {
        const std::string scan = m_fixture->scan();
        const auto before = namesIn(m_fixture->folder());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", path("m.doc")}), ".ply");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", path("v.stl")}), ".npy");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--image", path("p.jpg")}), ".png");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--timings", path("t.xml")}), ".json");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", path("no/m.ply")}), "does not exist");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", scan}), "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", path("a.ply"), "--voxels", path("a.ply")}),
                                    "Two results");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", scan, scan}), "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", scan, path("c.dwg")}), ".ply");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"recipe", scan, "--out", scan}), ".json");
        std::filesystem::create_directory(path("folder.ply"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", path("folder.ply")}), "folder");
        std::filesystem::remove(path("folder.ply"));
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
    void readOnlyTargets() {
        // /proc does not allow new files, whatever the rights of the process
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", m_fixture->scan(), "/proc/scan.ply"}), "/proc");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--image", "/proc/p.png"}), "/proc");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--timings", "/proc/t.json"}), "/proc");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--save-recipe", "/proc/r.json"}),
                                    "/proc");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"recipe", "--out", "/proc/r.json"}), "/proc");
    }

    void badRecipes_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("mention");
        QTest::newRow("no json") << QByteArray("voxels: small") << "recipe";
        QTest::newRow("no recipe") << QByteArray("{}") << "scanloupe_recipe";
        QTest::newRow("a later version") << QByteArray(R"({"scanloupe_recipe": 99})") << "99";
        QTest::newRow("an unknown key")
            << QByteArray(R"({"scanloupe_recipe": 1, "voxel_sise": 1})") << "voxel_sise";
        QTest::newRow("a wrong type") << QByteArray(R"({"scanloupe_recipe": 1, "voxel_size": {}})") << "";
        QTest::newRow("out of limits")
            << QByteArray(R"({"scanloupe_recipe": 1, "voxel_size": -1})") << "--voxel-size";
    }
    void badRecipes() {
        QFETCH(QByteArray, text);
        QFETCH(QString, mention);
        writeFile(path("bad.json"), text.toStdString());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--recipe", path("bad.json")}),
                                    mention.toStdString());
    }
    void missingRecipe() {
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--recipe", path("none.json")}),
                                    "none.json");
    }

    void aStopIsNoError() {
        std::stop_source stop;
        stop.request_stop();
        writeFile(path("kept.ply"), "kept");
        const auto before = namesIn(m_fixture->folder());
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"run", m_fixture->scan(), "--mesh", path("kept.ply")},
              {"convert", m_fixture->scan(), path("kept.ply")},
              {"synth", path("kept.ply")},
              {"info", m_fixture->scan()},
              {"recipe", m_fixture->scan()}}) {
            const auto stopped = cli(arguments, stop.get_token());
            QCOMPARE(stopped.code, int(exitInterrupted));
            QVERIFY(stopped.err.find("Stopped") != std::string::npos);
        }
        QCOMPARE(readFile(path("kept.ply")), std::string("kept"));
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
};

SCANLOUPE_TEST(TestCliBadInput)
#include "test_cli_bad_input.moc"
