// Voxels written as half-precision arrays with a batch index, and as dense grids.
#include "tests/engine/cli/test_cli_support.h"

#include <algorithm>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

class TestCliVoxels : public QObject {
    Q_OBJECT
    std::unique_ptr<CliFixture> m_fixture;
    std::string path(const std::string& name) const { return m_fixture->path(name); }

private slots:
    void initTestCase() { m_fixture = std::make_unique<CliFixture>(); }

    void arraysOfHalvesAndBatches() {
        const fs::path frames = path("batch_frames");
        fs::create_directory(frames);
        std::string near, far;
        for (int i = 0; i < 400; ++i) {
            near += fmt::format("{} {} {} {}\n", i % 20 * 0.1, i / 20 * 0.1, 0.01 * (i % 7), i);
            far += fmt::format("{} {} {} {}\n", 100'000 + i % 20 * 0.1, i / 20 * 0.1, 0.01 * (i % 7), i);
        }
        writeFile(frames / "a.xyz", near);
        writeFile(frames / "b.xyz", far);
        const std::vector<std::string> options{"--stages",     "voxels",    "--voxel-size", "0.2",
                                               "--json",       "--backend", "cpu",          "--voxel-batch",
                                               "--voxel-type", "float16"};
        std::vector<std::string> arguments{"run", frames.string(), "--voxels", path("batch.npy")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto run = cli(arguments);
        QVERIFY2(run.code == 0, run.err.c_str());
        const std::string a = readFile(path("batch_a.npy")), b = readFile(path("batch_b.npy"));
        for (const std::string& bytes : {a, b}) {
            QVERIFY2(bytes.find("('batch', '<i4'), ('ix', '<i4')") != std::string::npos, bytes.c_str());
            QVERIFY2(bytes.find("('x', '<f2'), ('y', '<f2')") != std::string::npos, bytes.c_str());
        }
        const auto batchOf = [](const std::string& bytes) { return int(bytes.at(bytes.find('\n') + 1)); };
        QCOMPARE(batchOf(a), 0);
        QCOMPARE(batchOf(b), 1);
        QVERIFY2(run.err.find("batch_b.npy exceeded 65504") != std::string::npos, run.err.c_str());
        QVERIFY(run.err.find("batch_a.npy lie beyond") == std::string::npos);
        const Json json = Json::parse(run.out);
        QVERIFY(json.at("frames").at(1).at("notes").dump().find("65504") != std::string::npos);
        const std::string scan = m_fixture->scan();
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxel-batch"}), "--voxels");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxel-type", "float16"}), "--voxels");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", path("n.csv"), "--voxel-batch"}),
                                    "--voxel-batch applies to .npz and .npy");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", path("n.csv"), "--voxel-type", "float16"}),
                                    "--voxel-type float16 applies to .npz and .npy");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--voxels", path("n.npz"), "--voxel-type", "float8"}),
                                    "'float8' is not one of float16, float32");
        QVERIFY(!fs::exists(path("n.csv")) && !fs::exists(path("n.npz")));
    }
    void denseVoxelsAreVolumes() {
        const std::string scan = m_fixture->scan();
        const auto run = cli({"run", scan, "--stages", "voxels", "--voxel-size", "0.5", "--backend", "cpu",
                              "--dense-voxels", path("dense.raw"), "--dense-values", "counts", "--voxels",
                              path("dense.csv"), "--json"});
        QVERIFY2(run.code == 0, run.err.c_str());
        const Json sidecar = readJson(path("dense.json"));
        QCOMPARE(sidecar.at("type").get<std::string>(), std::string("uint32"));
        std::size_t cells = 1, occupied = 0;
        for (const Json& edge : sidecar.at("dims"))
            cells *= edge.get<std::size_t>();
        const std::string bytes = readFile(path("dense.raw")), rows = readFile(path("dense.csv"));
        QCOMPARE(bytes.size(), cells * 4);
        for (std::size_t cell = 0; cell < cells; ++cell)
            occupied += bytes.substr(cell * 4, 4) != std::string(4, '\0');
        QCOMPARE(occupied, std::size_t(std::ranges::count(rows, '\n') - 1));
        const auto opened = cli({"run", path("dense.raw"), "--mesh", path("dense.stl"), "--iso", "0.5",
                                 "--backend", "cpu", "--quiet"});
        QVERIFY2(opened.code == 0, opened.err.c_str());
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--dense-values", "counts"}), "--dense-voxels");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--dense-voxels", "raw:-"}), "sidecar");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"run", scan, "--dense-voxels", path("r.raw"), "--save-recipe", path("r.json")}), "r.json");
        const std::string corners = path("corners.xyz");
        writeFile(corners, "0 0 0\n20000 20000 20000\n");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", corners, "--stages", "voxels", "--backend", "cpu",
                                         "--dense-voxels", path("huge.npy"), "--voxel-size", "0.0625"}),
                                    " cells of 1 B");
        QVERIFY(!fs::exists(path("huge.npy")) && !fs::exists(path("r.json")));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"run", scan, "--tiles", path("dense_tiles"), "--voxel-size", "1",
                                         "--dense-voxels", path("t.npy")}),
                                    "can't be combined with other outputs");
    }
};

SCANLOUPE_TEST(TestCliVoxels)
#include "test_cli_voxels.moc"
