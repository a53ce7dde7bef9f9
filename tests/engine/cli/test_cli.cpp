// Calls the command line as a function, and checks the messages and files of each command.
#include "engine/io/formats.h"
#include "engine/io/scan_reader.h"
#include "engine/recipe/parameters.h"
#include "tests/engine/cli/test_cli_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The count of `element` in a PLY header.
std::uint64_t plyCount(const std::string& ply, const std::string& element) {
    const std::size_t at = ply.find("element " + element + " ");
    return at == std::string::npos ? 0 : std::stoull(ply.substr(at + 9 + element.size()));
}

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(); }

    void helpNamesEveryCommandAndParameter() {
        const auto all = cli({"--help"});
        QCOMPARE(all.code, 0);
        for (const char* word : {"run", "synth", "info", "convert", "recipe", "Examples", "Exit codes"})
            QVERIFY2(all.out.find(word) != std::string::npos, word);
        for (const std::string& ending : scanEndings())
            QVERIFY2(all.out.find(ending) != std::string::npos, ending.c_str());
        const auto run = cli({"run", "--help"});
        QCOMPARE(run.code, 0);
        for (const Parameter& parameter : parameters())
            QVERIFY2(run.out.find(parameter.option() + " ") != std::string::npos, parameter.key.c_str());
        for (const char* option : {"--recipe", "--mesh", "--voxels", "--image", "--size", "--camera",
                                   "--timings", "--backend", "--save-recipe", "--columns", "--type"})
            QVERIFY2(run.out.find(option) != std::string::npos, option);
        for (const char* command : {"synth", "info", "convert", "recipe"}) {
            const auto help = cli({command, "--help"});
            QCOMPARE(help.code, 0);
            QVERIFY(help.out.find("Example") != std::string::npos);
        }
    }
    void doctorChecksEverything() {
        const auto doctor = cli({"doctor"});
        QCOMPARE(doctor.code, 0);
        for (const char* word : {"program", "CPU", "GPU", "window", "memory available"})
            QVERIFY2(doctor.out.find(word) != std::string::npos, doctor.out.c_str());
        QCOMPARE(missingWithoutAdvice(doctor.out), std::string());
    }
    void versionNamesBackendsAndCompiler() {
        const auto version = cli({"--version"});
        QCOMPARE(version.code, 0);
        for (const char* word : {"scanloupe-cli 0.", "CPU: ", "CUDA: ", "with "})
            QVERIFY2(version.out.find(word) != std::string::npos, version.out.c_str());
    }
    void unknownArgumentsAreRejected() {
        SCANLOUPE_VERIFY_USER_ERROR(cli({}), "--help");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"walk"}), "walk");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run"}), "run --help");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--voxel-seize", "1"}), "--voxel-seize");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--voxel-size", "-1"}), "--voxel-size");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--field", "magnetic"}), "density");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--backend", "abacus"}), "abacus");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--size", "big"}), "1280x720");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--camera", "behind"}), "oblique");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--camera=1,2,3"}), "6 or 7");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--camera=1,2,3,4,5,six"}), "six");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--camera=1,2,3,4,5,6,200"}), "200");
    }

    void synthMakesWhatInfoReads() {
        const auto made = cli({"synth", path("bumpy.pcd"), "--scene", "bumpy", "--points", "5000", "--seed",
                               "7", "--noise", "0.02", "--normals"});
        QCOMPARE(made.code, 0);
        const auto info = cli({"info", path("bumpy.pcd"), "--json"});
        QCOMPARE(info.code, 0);
        const Json json = Json::parse(info.out);
        QCOMPARE(json.at("points").get<int>(), 5000);
        QVERIFY(json.at("warnings").empty());
        QVERIFY(json.at("format").get<std::string>().find("PCD") != std::string::npos);
        for (const char* name : {"intensity", "time", "ring", "sensor_x", "sensor_y", "sensor_z", "normal_x",
                                 "normal_y", "normal_z"})
            QVERIFY2(json.at("attributes").contains(name), name);
        QCOMPARE(json.at("attributes").at("ring").at("type").get<std::string>(), std::string("uint16"));
        for (int axis = 0; axis < 3; ++axis)
            QVERIFY(json.at("bounds").at("min").at(axis) < json.at("bounds").at("max").at(axis));
        const auto text = cli({"info", path("bumpy.pcd")});
        QCOMPARE(text.code, 0);
        for (const char* word : {"5,000", "intensity", "float32", "bounds"})
            QVERIFY2(text.out.find(word) != std::string::npos, word);

        const auto again = cli({"synth", path("again.pcd"), "--scene", "bumpy", "--points", "5000", "--seed",
                                "7", "--noise", "0.02", "--normals"});
        QCOMPARE(again.code, 0);
        QVERIFY(readFile(path("again.pcd")) == readFile(path("bumpy.pcd")));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", path("few.ply"), "--points", "3"}), "points");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", path("scene.ply"), "--scene", "moon"}), "moon");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", path("wrong.stl")}), ".ply");
    }

    void largePicturesAreDrawnInBands() {
        const auto run = cli({"run", m_fixture->scan(), "--image", path("wide.png"), "--size", "16384x700",
                              "--timings", path("wide.json"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const std::string picture = readFile(path("wide.png"));
        QVERIFY(picture.starts_with("\x89PNG"));
        QCOMPARE(bigEndian(picture, 16), 16384u);
        QCOMPARE(bigEndian(picture, 20), 700u);
        const Json timings = readJson(path("wide.json"));
        QCOMPARE(timings.at("bands").get<int>(), 2);
        QVERIFY(timings.at("drawn_pixels").get<std::uint64_t>() > 10'000);
        std::stop_source stopped;
        stopped.request_stop();
        const auto before = namesIn(m_fixture->folder());
        QCOMPARE(cli({"run", m_fixture->scan(), "--image", path("none.png"), "--size", "16384x16384"},
                     stopped.get_token())
                     .code,
                 int(exitInterrupted));
        QVERIFY(namesIn(m_fixture->folder()) == before);
    }
    void runWritesAllResults() {
        const auto run = cli({"run", m_fixture->scan(), "--mesh", path("m.ply"), "--voxels", path("v.npy"),
                              "--image", path("p.png"), "--size", "320x200", "--camera", "top", "--timings",
                              path("t.json"), "--save-recipe", path("r.json"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json timings = readJson(path("t.json"));
        const std::string mesh = readFile(path("m.ply")), voxels = readFile(path("v.npy")),
                          picture = readFile(path("p.png"));
        QVERIFY(timings.at("triangles").get<std::uint64_t>() > 100);
        QCOMPARE(plyCount(mesh, "vertex"), timings.at("vertices").get<std::uint64_t>());
        QCOMPARE(plyCount(mesh, "face"), timings.at("triangles").get<std::uint64_t>());
        QVERIFY(voxels.starts_with("\x93NUMPY"));
        QVERIFY(voxels.find("(" + std::to_string(timings.at("voxels").get<std::uint64_t>()) + ",)") !=
                std::string::npos);
        QVERIFY(picture.starts_with("\x89PNG"));
        QCOMPARE(bigEndian(picture, 16), 320u);
        QCOMPARE(bigEndian(picture, 20), 200u);
        for (const char* key : {"voxels", "points_in_range", "active_cells", "vertices", "triangles",
                                "total_ms", "scan", "backend", "recipe", "notes"})
            QVERIFY2(timings.contains(key), key);
        std::set<std::string> stages;
        for (const auto& [stage, figures] : timings.at("stages").items())
            stages.insert(stage);
        for (const char* stage : {"read", "upload", "voxelize", "field", "extract", "rasterize", "resolve"})
            QVERIFY2(stages.contains(stage), stage);
        QCOMPARE(readJson(path("r.json")).at("view").get<std::string>(), std::string("top"));
        for (const char* word : {"20,000 points", "voxelize", "wall ms", "m.ply", "Voxel size chosen"})
            QVERIFY2(run.out.find(word) != std::string::npos, run.out.c_str());
    }
    void meshesAreCleanedAndMeasured() {
        const auto run =
            cli({"run", m_fixture->scan(), "--mesh", path("c.ply"), "--timings", path("c.json"),
                 "--min-component-triangles", "50", "--decimate-to", "2000", "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        for (const char* word :
             {"quality ", "Euler number", "point-to-mesh distance: mean", "Decimated from", "clean"})
            QVERIFY2(run.out.find(word) != std::string::npos, run.out.c_str());
        const Json timings = readJson(path("c.json")), quality = timings.at("quality");
        QVERIFY(timings.at("triangles").get<int>() <= 2000); // triangles of the written mesh
        QCOMPARE(plyCount(readFile(path("c.ply")), "face"), timings.at("triangles").get<std::uint64_t>());
        QVERIFY(quality.at("triangles") == timings.at("triangles"));
        QVERIFY(quality.at("distance_m").at("points") == timings.at("points_in_range"));
        for (const char* key :
             {"components", "euler_number", "boundary_edges", "holes", "area_m2", "volume_m3"})
            QVERIFY2(quality.contains(key), key);
        QVERIFY(readFile(path("c.ply")).find("property ushort ring\n") != std::string::npos);

        // quality figures are only computed on request, and never when switched off
        QVERIFY(cli({"run", m_fixture->scan()}).out.find("quality") == std::string::npos);
        QVERIFY(cli({"run", m_fixture->scan(), "--quality", "all"}).out.find("point-to-mesh distance") !=
                std::string::npos);
        QVERIFY(cli({"run", m_fixture->scan(), "--quality", "off", "--mesh", path("c.ply")})
                    .out.find("Euler number") == std::string::npos);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--quality", "some"}), "sample");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--decimate-to", "many"}),
                                    "--decimate-to");
    }
    void meshesAreSmoothed() {
        const auto written = [&](const char* steps, const std::string& file) {
            return cli({"run", m_fixture->scan(), "--mesh", file, "--smooth-steps", steps, "--quality", "off",
                        "--save-recipe", path("smooth.json"), "--backend", "cpu"});
        };
        const auto rough = written("0", path("rough.ply")), smooth = written("10", path("smooth.ply"));
        QVERIFY2(rough.code == 0 && smooth.code == 0, smooth.err.c_str());
        QVERIFY(rough.out.find("Smoothed") == std::string::npos);
        QVERIFY2(smooth.out.find("Smoothed in 10 steps") != std::string::npos, smooth.out.c_str());
        const std::string before = readFile(path("rough.ply")), after = readFile(path("smooth.ply"));
        QCOMPARE(plyCount(after, "vertex"), plyCount(before, "vertex"));
        QCOMPARE(plyCount(after, "face"), plyCount(before, "face"));
        QVERIFY(after != before);
        QCOMPARE(readJson(path("smooth.json")).at("smooth_steps").get<int>(), 10);
        QCOMPARE(readJson(path("smooth.json")).at("smooth_pass_band").get<double>(), 0.1);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--smooth-pass-band", "2"}),
                                    "--smooth-pass-band");
    }
    void lengthsAreInTheUnitOfTheScan() {
        const auto assumed = cli({"info", m_fixture->scan()});
        QVERIFY2(assumed.out.find("unit        metre (m), assumed\n") != std::string::npos,
                 assumed.out.c_str());
        QVERIFY(Json::parse(cli({"info", m_fixture->scan(), "--json"}).out).at("unit").at("key") == "metre");
        const auto run = cli({"run", m_fixture->scan(), "--unit", "ft", "--mesh", path("f.ply"), "--timings",
                              path("f.json"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        for (const char* words : {"unit      international foot (ft)\n", " ft2", " ft ("})
            QVERIFY2(run.out.find(words) != std::string::npos, run.out.c_str());
        const Json quality = readJson(path("f.json")).at("quality");
        QVERIFY(quality.contains("area_ft2") && quality.contains("distance_ft") &&
                !quality.contains("area_m2"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", m_fixture->scan(), "--unit", "furlong"}), "survey_foot");
    }
    void timingsAreWrittenAsCsv() {
        const auto run = cli({"run", m_fixture->scan(), "--timings", path("t.csv"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const std::string csv = readFile(path("t.csv"));
        QVERIFY(csv.starts_with("scan,stage,backend,"));
        QVERIFY(csv.find("scan.ply\",extract,cpu,0,") != std::string::npos);
    }
    void everyMeshAndVoxelFormatIsWritten() {
        for (const char* mesh : {"m.stl", "m.obj", "m.glb"}) {
            const auto run = cli({"run", m_fixture->scan(), "--voxel-size", "0.2", "--mesh", path(mesh)});
            QVERIFY2(run.code == 0, run.err.c_str());
            QVERIFY(readFile(path(mesh)).size() > 1000);
        }
        for (const char* voxels : {"v.ply", "v.csv"}) {
            const auto run = cli({"run", m_fixture->scan(), "--voxel-size", "0.2", "--voxels", path(voxels)});
            QVERIFY2(run.code == 0, run.err.c_str());
            QVERIFY(readFile(path(voxels)).size() > 1000);
        }
    }
    void cameraByNumbersMovesThePicture() {
        const auto picture = [&](const std::string& camera) {
            const auto run = cli({"run", m_fixture->scan(), "--voxel-size", "0.2", "--image", path("c.png"),
                                  "--size", "64x64", "--camera=" + camera});
            return run.code == 0 ? readFile(path("c.png")) : std::string();
        };
        const std::string near = picture("0,0,1.5,2,0,1"), above = picture("0,0,20,0,0,0,60");
        QVERIFY(!near.empty());
        QVERIFY(!above.empty());
        QVERIFY(near != above);
    }

    void savedRecipeGivesTheSameMesh() {
        const auto first =
            cli({"run", m_fixture->scan(), "--mesh", path("a.ply"), "--save-recipe", path("a.json")});
        QVERIFY2(first.code == 0, first.err.c_str());
        const auto second =
            cli({"run", m_fixture->scan(), "--recipe", path("a.json"), "--mesh", path("b.ply")});
        QVERIFY2(second.code == 0, second.err.c_str());
        QVERIFY(readFile(path("a.ply")) == readFile(path("b.ply")));
        QVERIFY(second.out.find("chosen") == std::string::npos); // all values were set explicitly
        const auto other = cli({"run", m_fixture->scan(), "--recipe", path("a.json"), "--voxel-size", "0.3",
                                "--mesh", path("c.ply")});
        QVERIFY2(other.code == 0, other.err.c_str());
        // options take precedence over the recipe
        QVERIFY(readFile(path("a.ply")) != readFile(path("c.ply")));
    }
    void recipeIsPrintedResolvedAndWritten() {
        const Json standard = Json::parse(cli({"recipe"}).out);
        QCOMPARE(standard.at("voxel_size").get<std::string>(), std::string("auto"));
        const Json set =
            Json::parse(cli({"recipe", "--voxel-size", "0.1,0.1,0.2", "--range=-1,-2,-3,1,2,3"}).out);
        QCOMPARE(set.at("voxel_size").at(2).get<double>(), 0.2);
        QCOMPARE(set.at("range").at(1).get<double>(), -2.0);
        const Json resolved = Json::parse(cli({"recipe", m_fixture->scan()}).out);
        QVERIFY(resolved.at("voxel_size").is_array());
        // the sensor position is known
        QCOMPARE(resolved.at("field").get<std::string>(), std::string("distance"));
        const auto written = cli({"recipe", m_fixture->scan(), "--out", path("w.json")});
        QCOMPARE(written.code, 0);
        QVERIFY(readJson(path("w.json")) == resolved);
        const auto list = cli({"recipe", "--list"});
        for (const Parameter& parameter : parameters())
            QVERIFY2(list.out.find(parameter.key) != std::string::npos, parameter.key.c_str());
    }

    /// Octree nodes are read exactly where a rotated or inverted range keeps points.
    void nodesOfRotatedAndInvertedRangesAreRead() {
        SCANLOUPE_REAL_SCAN(copc, "las/laspy_simple_with_page.copc.laz");
        const auto counted = [&](std::vector<std::string> more) {
            std::vector<std::string> words{
                "run", copc.string(), "--range=636000,849500,400,636400,849900,600", "--voxel-size", "20"};
            words.insert(words.end(), more.begin(), more.end());
            const std::string out = cli(words).out;
            const std::size_t end = out.find(" points in range");
            return out.substr(out.rfind(' ', end - 1), end - out.rfind(' ', end - 1));
        };
        for (const std::vector<std::string>& cut :
             {std::vector<std::string>{"--range-inverted", "on"}, {"--range-rotation", "45", "--up", "z"}}) {
            auto withNodes = cut;
            withNodes.insert(withNodes.end(), {"--octree-resolution", "full"});
            const std::string whole = counted(cut);
            QVERIFY(!whole.empty());
            QCOMPARE(counted(withNodes), whole);
        }
    }
    void infoAndConvertOfLas() {
        SCANLOUPE_REAL_SCAN(las, "las/pdal_garbage_nVariableLength.las");
        const auto odd = cli({"info", las.string(), "--json"});
        QCOMPARE(odd.code, int(exitUserError)); // the file is incomplete
        QCOMPARE(Json::parse(odd.out)["warnings"].size(), std::size_t(2));
        const auto wkt = cli({"info", (test::scansFolder() / "las/laspy_1_4_w_evlr.las").string(), "--json"});
        QVERIFY(Json::parse(wkt.out)["coordinate_system"].get<std::string>().find("[") != std::string::npos);
        const auto utm = test::scansFolder() / "las/pdal_autzen-point-format-3.las";
        const auto text = cli({"info", utm.string()});
        QVERIFY(text.out.find("LAS 1.2, point format 3") != std::string::npos);
        QVERIFY(text.out.find("635616.31") != std::string::npos);
        const auto converted = cli({"convert", utm.string(), path("utm.ply"), "--json"});
        QCOMPARE(converted.code, 0);
        const Json json = Json::parse(converted.out);
        QCOMPARE(json["from"]["points"].get<int>(), 106);
        // loses the coordinate system and other records
        QCOMPARE(json["to"]["losses"].size(), std::size_t(2));
        const auto facts = test::scansFolder() / "las/laszip_5points_14.las";
        const Json file = Json::parse(cli({"info", facts.string(), "--json"}).out);
        QCOMPARE(file["las"]["file_source_id"].get<int>(), 4711);
        QCOMPARE(file["las"]["gps_time"].get<std::string>(), std::string("adjusted standard"));
        QCOMPARE(file["las"]["records"].size(), std::size_t(3));
        QCOMPARE(file["attributes"]["coverage count"]["description"].get<std::string>(),
                 std::string("by higher returns' 0.5 m radius"));
        const auto lines = cli({"info", facts.string()});
        QVERIFY(lines.out.find("source id   4711") != std::string::npos);
        QVERIFY(lines.out.find("LASF_Spec 4 (384 bytes)") != std::string::npos);
    }
    void convertCutsToARange() {
        const std::string box = "-100,-100,-100,0.1,100,100";
        const auto cut = cli({"convert", m_fixture->scan(), path("cut.ply"), "--range=" + box});
        QVERIFY2(cut.code == 0, cut.err.c_str());
        const auto run = cli({"run", m_fixture->scan(), "--range=" + box, "--timings", path("cut.json")});
        QVERIFY2(run.code == 0, run.err.c_str());
        std::ifstream timings(path("cut.json"));
        const auto inRange = Json::parse(timings)["points_in_range"].get<int>();
        QVERIFY(inRange > 100 && inRange < 20'000);
        const Json info = Json::parse(cli({"info", path("cut.ply"), "--json"}).out);
        QCOMPARE(info["points"].get<int>(), inRange);
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"convert", m_fixture->scan(), path("none.ply"), "--range=500,500,500,501,501,501"}),
            "range");
        QVERIFY(!std::filesystem::exists(path("none.ply")));
    }
    /// An automatic range excludes outliers, but a section or an inverted range does not.
    void convertKeepsFarPoints() {
        std::string text;
        for (int i = 0; i < 4000; ++i)
            text += fmt::format("{} {} {}\n", 0.1 * (i % 80), 0.1 * (i / 80), 0.2 * std::sin(0.1 * (i % 80)));
        for (int i = 0; i < 5; ++i)
            text += fmt::format("{} 0 700\n", 900 + i);
        std::ofstream(path("far.xyz")) << text;
        const auto all = cli({"convert", path("far.xyz"), path("all.ply"), "--section=4,2,0,0,1,0,1000"});
        QVERIFY2(all.code == 0 && all.out.find(": 4,005 points") != std::string::npos, all.out.c_str());
        const auto outside = cli({"convert", path("far.xyz"), path("far.ply"), "--range=-1,-1,-1,9,9,9",
                                  "--range-inverted", "on"});
        QVERIFY2(outside.code == 0 && outside.out.find(": 5 of 4,005 points") != std::string::npos,
                 outside.out.c_str());
        const auto inside = cli({"convert", path("far.xyz"), path("near.ply"), "--range=-1,-1,-1,9,9,9"});
        QVERIFY2(inside.code == 0 && inside.out.find(": 4,000 of 4,005 points") != std::string::npos,
                 inside.out.c_str());
    }
    void convertThereAndBackKeepsEverything() {
        const auto to = cli({"convert", m_fixture->scan(), path("there.pcd")});
        QVERIFY2(to.code == 0, to.err.c_str());
        const auto back = cli({"convert", path("there.pcd"), path("back.ply")});
        QVERIFY2(back.code == 0, back.err.c_str());
        Json before = Json::parse(cli({"info", m_fixture->scan(), "--json"}).out);
        Json after = Json::parse(cli({"info", path("back.ply"), "--json"}).out);
        for (const char* key : {"points", "bounds", "attributes"})
            QVERIFY2(after.at(key) == before.at(key), key);
        const auto bin = cli({"convert", m_fixture->scan(), path("kitti.bin")});
        QVERIFY2(bin.code == 0, bin.err.c_str());
        QVERIFY(bin.err.find("left out: time, ring") != std::string::npos);
        QCOMPARE(std::filesystem::file_size(path("kitti.bin")), std::uintmax_t(20000 * 16));
    }

    void folderRunsFrameByFrame() {
        const std::filesystem::path frames = path("frames");
        std::filesystem::create_directory(frames);
        for (const char* seed : {"2", "10", "1"})
            QCOMPARE(cli({"synth", (frames / (std::string("f") + seed + ".ply")).string(), "--scene", "room",
                          "--points", "3000", "--seed", seed})
                         .code,
                     0);
        const auto run = cli({"run", frames.string(), "--voxel-size", "0.2", "--mesh", path("seq.ply"),
                              "--timings", path("seq.json"), "--backend", "cpu"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json timings = readJson(path("seq.json"));
        QCOMPARE(timings.at("frames").size(), std::size_t{3});
        QVERIFY(
            // frames are in natural order, f2 before f10
            timings.at("frames").at(1).at("scan").get<std::string>().ends_with("f2.ply"));
        for (const Json& frame : timings.at("frames"))
            QVERIFY(frame.at("triangles").get<int>() > 0);
        for (const Json& stage : timings.at("stages")) {
            QVERIFY(stage.at("min_ms") <= stage.at("median_ms"));
            QVERIFY(stage.at("median_ms") <= stage.at("max_ms"));
        }
        for (const char* name : {"seq_f1.ply", "seq_f2.ply", "seq_f10.ply"})
            QVERIFY2(std::filesystem::exists(path(name)), name);
        for (const char* word : {"[3/3] f10.ply", "median ms", "total"})
            QVERIFY2(run.out.find(word) != std::string::npos, run.out.c_str());

        writeFile(frames / "f3.ply", "ply\nthis is none\n");
        const auto mixed =
            cli({"run", frames.string(), "--voxel-size", "0.2", "--timings", path("mixed.json")});
        SCANLOUPE_VERIFY_USER_ERROR(mixed, "1 of 4 frames");
        QCOMPARE(readJson(path("mixed.json")).at("frames").size(), std::size_t{4});
        QVERIFY(readJson(path("mixed.json")).at("frames").at(2).contains("error"));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", frames.string(), "--mesh", (frames / "m.ply").string()}),
                                    "in the folder of the input scans");
    }
    void volumeRuns() {
        std::string ball; // 24^3 bytes: bright inside a sphere
        for (int z = 0; z < 24; ++z)
            for (int y = 0; y < 24; ++y)
                for (int x = 0; x < 24; ++x)
                    ball += static_cast<char>(std::max(
                        0, 255 - 2 * ((x - 12) * (x - 12) + (y - 12) * (y - 12) + (z - 12) * (z - 12))));
        writeFile(path("ball_24x24x24_uint8.raw"), ball);
        const auto info = cli({"info", path("ball_24x24x24_uint8.raw"), "--json"});
        QVERIFY2(info.code == 0, info.err.c_str());
        QCOMPARE(Json::parse(info.out).at("dims").at(0).get<int>(), 24);
        QCOMPARE(cli({"info", path("ball_24x24x24_uint8.raw")}).code, 0);
        const auto run =
            cli({"run", path("ball_24x24x24_uint8.raw"), "--iso", "0.5", "--mesh", path("ball.ply"),
                 "--image", path("ball.png"), "--size", "64x64", "--voxels", path("ball.npy")});
        QVERIFY2(run.code == 0, run.err.c_str());
        QVERIFY(plyCount(readFile(path("ball.ply")), "face") > 500);
        QVERIFY(run.err.find("no voxels") != std::string::npos);
        QVERIFY(!std::filesystem::exists(path("ball.npy")));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"convert", path("ball_24x24x24_uint8.raw"), path("ball.pcd")}),
                                    "volume");
    }
};

SCANLOUPE_TEST(TestCli)
#include "test_cli.moc"
