// Outputs of the command line: pipes, links, two results in one file, outputs that are also inputs, and
// warnings about losses of a format.
#include "engine/edit/edit_list.h"
#include "engine/io/common/text/utf8.h"
#include "engine/project/project.h"
#include "engine/recipe/recipe.h"
#include "tests/engine/cli/test_cli_support.h"

#include <sys/stat.h>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

/// A named pipe, and a thread that reads everything written to it.
class ReadPipe {
public:
    explicit ReadPipe(const std::string& path) : m_path(path) {
        if (::mkfifo(path.c_str(), 0600) != 0)
            qFatal("no pipe for the test");
        m_reader = std::thread([this] { m_got = readFile(m_path); });
    }
    ~ReadPipe() { finish(); }
    /// Waits until the writer has closed the pipe, and returns everything that it wrote.
    const std::string& finish() {
        if (m_reader.joinable())
            m_reader.join();
        return m_got;
    }

private:
    std::string m_path, m_got;
    std::thread m_reader;
};

/// A square grid of points, a centimetre apart, in UTM coordinates.
std::string surveyText() {
    std::string text;
    for (int i = 0; i < 60; ++i)
        for (int j = 0; j < 60; ++j)
            text += fmt::format("{:.3f} {:.3f} {:.3f}\n", 512800.25 + i * 0.01, 5403700.5 + j * 0.01,
                                250.125 + 0.02 * std::sin(i * 0.2) * std::cos(j * 0.2));
    return text;
}

} // namespace

class TestCliOutputs : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(2000); }

    void scansGoIntoPipes_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".ply", ".pcd", ".las", ".csv", ".bin"})
            QTest::newRow(ending) << ending;
    }
    void scansGoIntoPipes() {
        QFETCH(QString, ending);
        const std::string name = "pipe" + ending.toStdString(), file = "file" + ending.toStdString();
        ReadPipe pipe(path(name));
        const auto converted = cli({"convert", m_fixture->scan(), path(name)});
        QVERIFY2(converted.code == 0, converted.err.c_str());
        QVERIFY2(converted.out.find("2,000 points") != std::string::npos, converted.out.c_str());
        QCOMPARE(cli({"convert", m_fixture->scan(), path(file)}).code, 0);
        QVERIFY(pipe.finish() == readFile(path(file)));
        QVERIFY(fs::is_fifo(path(name)));
    }
    void pipesHaveNoSize() {
        {
            ReadPipe pipe(path("json.ply"));
            const auto converted = cli({"convert", m_fixture->scan(), path("json.ply"), "--json"});
            QVERIFY2(converted.code == 0, converted.err.c_str());
            QVERIFY(Json::parse(converted.out).at("to").at("bytes").is_null());
        }
        ReadPipe made(path("synth.ply"));
        const auto synth = cli({"synth", path("synth.ply"), "--points", "2000"});
        QVERIFY2(synth.code == 0, synth.err.c_str());
        QVERIFY(made.finish().starts_with("ply\n"));
    }
    void runsWriteIntoPipes() {
        ReadPipe mesh(path("mesh.ply")), voxels(path("voxels.csv")), image(path("image.png")),
            recipe(path("recipe.json")), timings(path("timings.json"));
        const auto run = cli({"run", m_fixture->scan(), "--mesh", path("mesh.ply"), "--voxels",
                              path("voxels.csv"), "--image", path("image.png"), "--size", "64x64",
                              "--save-recipe", path("recipe.json"), "--timings", path("timings.json")});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(mesh.finish().starts_with("ply\n"));
        QVERIFY(voxels.finish().starts_with("ix,iy,iz,count"));
        QVERIFY(image.finish().starts_with("\x89PNG"));
        QVERIFY(Json::parse(recipe.finish()).contains("voxel_size"));
        QVERIFY(Json::parse(timings.finish()).contains("total_ms"));
    }

    void twoResultsOfAnAlignment() {
        fs::create_directories(path("two"));
        for (const char* name : {"two/a.ply", "two/b.ply"})
            QCOMPARE(cli({"synth", path(name), "--scene", "room", "--points", "3000"}).code, 0);
        const std::string a = path("two/a.ply"), b = path("two/b.ply");
        const auto align = [&](const std::string& merged, const std::string& poses) {
            return cli({"align", a, b, "--merged", merged, "--poses", poses});
        };
        SCANLOUPE_VERIFY_USER_ERROR(align(path("x.ply"), path("x.ply")), "Two results");
        SCANLOUPE_VERIFY_USER_ERROR(align(path("x.ply"), path("two/../x.ply")), "Two results");
        fs::create_symlink("x.ply", path("to_x.ply")); // a link to a file that does not exist
        SCANLOUPE_VERIFY_USER_ERROR(align(path("x.ply"), path("to_x.ply")), "Two results");
        writeFile(path("hard1.ply"), "old");
        fs::create_hard_link(path("hard1.ply"), path("hard2.ply"));
        SCANLOUPE_VERIFY_USER_ERROR(align(path("hard1.ply"), path("hard2.ply")), "Two results");
        SCANLOUPE_VERIFY_USER_ERROR(align(path("Case.ply"), path("case.ply")),
                                    "only in upper and lower case");
        QVERIFY(!fs::exists(path("x.ply")) && !fs::exists(path("Case.ply")));
        QCOMPARE(readFile(path("hard1.ply")), std::string("old"));
    }
    void whatIsReadIsNotWritten() {
        const std::string scan = m_fixture->scan();
        fs::create_hard_link(scan, path("same.ply"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--mesh", path("same.ply")}), "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", scan, scan, "--poses", path("same.ply")}), "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", scan, path("same.ply")}), "overwrite");
        QCOMPARE(cli({"recipe", "--out", path("r.json")}).code, 0);
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", scan, "--recipe", path("r.json"), "--timings", path("r.json")}), "overwrite");
        writeFile(path("start.txt"), "1 0 0 0 0 1 0 0 0 0 1 0\n1 0 0 0 0 1 0 0 0 0 1 0\n");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"align", scan, scan, "--start-poses", path("start.txt"), "--poses", path("start.txt")}),
            "overwrite");
        writeFile(path("ct.raw"), std::string(8, '\x40'));
        const std::string sidecar = R"({"dims": [2, 2, 2], "type": "uint8"})";
        writeFile(path("ct.json"), sidecar);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("ct.raw"), "--timings", path("ct.json")}), "overwrite");
        QCOMPARE(readFile(path("ct.json")), sidecar);
        QVERIFY(readFile(path("r.json")).find("scanloupe_recipe") != std::string::npos);
    }
    void inputsThatOthersName() {
        const std::string scan = m_fixture->scan(), model = path("model.ply");
        QCOMPARE(cli({"run", scan, "--voxel-size", "0.3", "--mesh", model}).code, 0);
        const std::string before = readFile(model);
        // the reference model that a recipe refers to
        QCOMPARE(cli({"recipe", "--out", path("compare.json")}).code, 0);
        Json recipe = readJson(path("compare.json"));
        recipe["edits"]["layers"] = Json::array(
            {{{"name", "c"},
              {"selection", Json::array()},
              {"action", {{"kind", "compare"}, {"reference", model}, {"scale", 1}, {"largest", 0}}}}});
        writeFile(path("compare.json"), recipe.dump());
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", scan, "--recipe", path("compare.json"), "--voxel-size", "0.3", "--mesh", model}),
            "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", scan, model, "--edits", path("compare.json")}),
                                    "overwrite");
        // scans and models that a project refers to, and the project file itself
        Project project;
        project.scans = {{scan}};
        CompareAction compare;
        compare.reference = model;
        project.recipe->edits = withLayerOfSelectedOrAll({}, std::move(compare), "c");
        writeProject(path("project.json"), project);
        for (const std::vector<std::string>& output : {std::vector<std::string>{"--mesh", model},
                                                       {"--mesh", scan},
                                                       {"--timings", path("project.json")}})
            SCANLOUPE_VERIFY_USER_ERROR(
                cli({"run", path("project.json"), "--voxel-size", "0.3", output[0], output[1]}), "overwrite");
        QVERIFY(readFile(model) == before);
        // names with a format prefix
        SCANLOUPE_VERIFY_USER_ERROR(cli({"change", "ply:" + scan, scan, "--output", scan}), "overwrite");
        fs::copy_file(scan, path("plain"));
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"mesh-distance", "ply:" + path("plain"), model, "--json", "json:" + path("plain")}),
            "overwrite");
        // links to scans, in a folder that is merged
        fs::create_directories(path("links"));
        fs::create_symlink("../scan.ply", path("links/a.ply"));
        writeFile(path("one.txt"), "1 0 0 0 0 1 0 0 0 0 1 0\n");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("links"), "--poses", path("one.txt"), "--mesh", scan}),
                                    "overwrite");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", path("links"), "--poses", path("one.txt"), "--timings", "json:" + path("one.txt")}),
            "overwrite");
    }
    void tilesDoNotReplaceScans() {
        for (const char* folder : {"out/tiles", "out/cleaned", "out/nodes"}) {
            fs::create_directories(path(folder));
            const std::string scan = path(folder) + "/0_0_0.ply";
            fs::copy_file(m_fixture->scan(), scan);
            for (const std::string& named : {scan, path(folder)})
                SCANLOUPE_VERIFY_USER_ERROR(
                    cli({"run", named, "--tiles", path("out"), "--voxel-size", "0.3"}), "an input");
            QVERIFY(readFile(scan) == readFile(m_fixture->scan()));
            fs::remove_all(path("out"));
        }
        fs::create_directories(path("out/tiles"));
        fs::create_symlink("../../scan.ply", path("out/tiles/0_0_0.ply"));
        const std::string before = readFile(m_fixture->scan());
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", m_fixture->scan(), "--tiles", path("out"), "--voxel-size", "0.3"}), "overwrite");
        QVERIFY(readFile(m_fixture->scan()) == before);
    }
    void framesOfADriveAreDistinct() {
        const std::vector<std::string> drive{"synth",    path("f.ply"), "--frames", "2",
                                             "--points", "2000",        "--poses"};
        std::vector<std::string> clash = drive;
        clash.push_back(path("f_0002.ply"));
        SCANLOUPE_VERIFY_USER_ERROR(cli(clash), "Two results");
        QVERIFY(!fs::exists(path("f_0001.ply")));
    }
    void framesAreNotOverwrittenThroughLinks() {
        fs::create_directories(path("in"));
        fs::create_directories(path("out"));
        QCOMPARE(cli({"synth", path("in/f1.ply"), "--scene", "room", "--points", "3000"}).code, 0);
        fs::create_symlink("../in/f1.ply", path("out/m_f1.ply"));
        const std::string before = readFile(path("in/f1.ply"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", path("in"), "--mesh", path("out/m.ply")}), "overwrite");
        QVERIFY(readFile(path("in/f1.ply")) == before);
    }
    void mergedScansDontLieAmongTheScans() {
        fs::create_directories(path("drive"));
        for (const char* name : {"drive/a.ply", "drive/b.ply"})
            QCOMPARE(cli({"synth", path(name), "--scene", "room", "--points", "3000"}).code, 0);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"align", path("drive"), "--merged", path("drive/all.ply")}),
                                    "in the folder of the input scans");
    }

    void namesDoNotControlTheTerminal() {
        QCOMPARE(terminalText("a\x1b[31mb\r\x7f\xc2\x9b\n\tc \xc3\xa4"),
                 std::string("a\\x1b[31mb\\x0d\\x7f\\x9b\n\tc \xc3\xa4"));
        QCOMPARE(terminalText("ply.\xe2\x80\xae"
                              "exe\xe2\x81\xa6"),
                 std::string("ply.\\u202eexe\\u2066"));
        QCOMPARE(terminalText("\xe4\x9b"), std::string("\\xe4\\x9b")); // invalid as UTF-8
        QCOMPARE(terminalText("\xc3\xa4\xff\xc3\xa4"),
                 std::string("\xc3\xa4\\xff\xc3\xa4")); // an invalid byte between valid characters
        QCOMPARE(terminalLine("x\ny\tz"), std::string("x\\x0ay\\x09z"));
        QCOMPARE(terminalMessage("x\ny\n  z"), std::string("x\\x0ay\n  z"));
        const std::string forged = "x\nwarning: all fine\n  done.ply";
        fs::create_directories(path("forged"));
        writeFile(path("forged/" + forged), "ply\n");
        QCOMPARE(cli({"synth", path("forged/y\nwarning: all fine.ply"), "--points", "3000"}).code, 0);
        for (const std::vector<std::string>& arguments :
             {std::vector<std::string>{"info", path("forged/" + forged)},
              {"info", path("forged")},
              {"run", path("forged"), "--voxel-size", "0.5"},
              {"align", path("forged")}}) {
            const auto result = cli(arguments);
            for (const std::string& text : {result.out, result.err})
                QVERIFY2(text.find("\nwarning: all fine") == std::string::npos &&
                             text.find("\n  done") == std::string::npos,
                         text.c_str());
        }
        const std::string evil = path("evil\x1b]0;title\x07.ply");
        writeFile(
            evil,
            "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
            "property float v\x1b[2J\nend_header\n0 0 0 1\n1 0 0 2\n0 1 1 3\n");
        for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", evil},
                                                          {"run", evil, "--voxel-size", "0.5"},
                                                          {"info", path("no\x1b[2Jne.ply")}}) {
            const auto result = cli(arguments);
            QVERIFY2(result.out.find('\x1b') == std::string::npos, result.out.c_str());
            QVERIFY2(result.err.find('\x1b') == std::string::npos, result.err.c_str());
            QVERIFY((result.out + result.err).find("\\x1b") != std::string::npos);
        }
        QCOMPARE(Json::parse(cli({"info", evil, "--json"}).out).at("file").get<std::string>(), evil);
    }
    /// Words of a header that a message quotes, complete or shortened in the middle of a character.
    void headersDoNotControlTheTerminal() {
        const std::string word = "\x1b]0;title\x07\xe4\xff" + std::string(29, 'a') + "\xc3\xa4",
                          begin = "ply\nformat ascii 1.0\n", vertices = begin + "element vertex 1\n";
        for (const std::string& header :
             {"ply\nformat " + word + " 1.0\n", begin + word + "\n",
              begin + "element " + word + " " + word + "\n", vertices + "property " + word + " x\n",
              vertices + "property list int " + word + " x\n",
              vertices + "property float " + word + "\nend_header\n1\n"}) {
            writeFile(path("header.ply"), header);
            for (const char* command : {"info", "run"}) {
                const auto result = cli({command, path("header.ply"), "--quiet"});
                QCOMPARE(result.code, int(exitUserError));
                const auto shown = fromUtf8(result.err);
                QVERIFY2(shown && std::ranges::none_of(*shown,
                                                       [](char32_t c) {
                                                           return (c < ' ' && c != '\n') ||
                                                                  (c >= 0x7f && c < 0xa0);
                                                       }),
                         result.err.c_str());
            }
        }
    }
    void lossesOfMeshFormatsAreReported() {
        writeFile(path("survey.xyz"), surveyText());
        const auto stl = cli({"run", path("survey.xyz"), "--mesh", path("m.stl")});
        QVERIFY2(stl.code == 0, stl.err.c_str());
        // both the title in the file and the warning state the offset of the coordinates
        std::string title = readFile(path("m.stl")).substr(0, 80);
        title = title.substr(title.find("relative to ") + 12);
        title.erase(title.find_last_not_of(' ') + 1);
        QVERIFY2(stl.err.find("warning: ") != std::string::npos, stl.err.c_str());
        QVERIFY2(stl.err.find(title) != std::string::npos, stl.err.c_str());
        QVERIFY2(stl.err.find("colours") != std::string::npos, stl.err.c_str());
        const auto obj = cli({"run", m_fixture->scan(), "--mesh", path("m.obj")});
        QVERIFY2(obj.err.find("left out: ") != std::string::npos, obj.err.c_str());
        QVERIFY2(obj.err.find("ring") != std::string::npos, obj.err.c_str());
        const auto ply = cli({"run", m_fixture->scan(), "--mesh", path("m.ply")});
        QVERIFY2(ply.err.find("warning") == std::string::npos, ply.err.c_str());
    }
    void smallSweepsFarFromTheirOriginAreWritten() {
        // thirty points within a few millimetres, three metres away: single precision suffices
        std::string text;
        for (int i = 0; i < 30; ++i)
            text +=
                fmt::format("{:.7f} {:.7f} {:.7f}\n", 3 + 1e-4 * i, 2 + 1e-4 * (i % 5), 1 + 1e-4 * (i % 3));
        writeFile(path("small.xyz"), text);
        const auto small = cli({"convert", path("small.xyz"), path("small.bin")});
        QVERIFY2(small.code == 0, small.err.c_str());
        QVERIFY2(small.err.find("single precision") != std::string::npos, small.err.c_str());
        QCOMPARE(fs::file_size(path("small.bin")), std::uintmax_t(30 * 16));
        writeFile(path("far.xyz"), surveyText());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", path("far.xyz"), path("far.bin")}), "single precision");
    }
    void theFolderThatTakesNoFilesIsNotMissing() {
        const auto result = cli({"convert", m_fixture->scan(), "/proc/x.ply"});
        SCANLOUPE_VERIFY_USER_ERROR(result, "/proc");
        QVERIFY2(result.err.find("there is no folder") == std::string::npos, result.err.c_str());
    }
};

SCANLOUPE_TEST(TestCliOutputs)
#include "test_cli_outputs.moc"
