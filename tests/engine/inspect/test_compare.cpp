// Scans compared with models: figures, worst regions, exit codes, and messages about invalid references.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/deviations.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/kernels/mesh/mesh_shapes.h"

#include <cmath>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A sheet of 2 x 2 metres with many triangles, as an STL in millimetres.
std::string sheetInMillimetres(const Scratch& scratch, const std::string& name) {
    TriangleMesh flat = sheet(20, 20);
    for (Vec3f& p : flat.positions.span())
        p = p * 100.0f;
    writeMesh(scratch / name, flat, {}, {}, {});
    return (scratch / name).string();
}

/// A scan of points above the sheet, at heights of `heightAt(x, y)` metres.
template <class F>
std::string scanOver(const Scratch& scratch, const std::string& name, F&& heightAt) {
    std::string text;
    for (int y = 1; y < 200; ++y)
        for (int x = 1; x < 200; ++x)
            text += fmt::format("{} {} {:.6f}\n", 0.01 * x, 0.01 * y, heightAt(0.01 * x, 0.01 * y));
    return scratch.file(name, text).string();
}

double bump(double x, double y, double middleX, double middleY, double height) {
    const double r = std::hypot(x - middleX, y - middleY) / 0.15;
    return r < 1 ? height * (1 - r * r) : 0;
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT
private slots:
    void worstPlacesAreFound() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan = scanOver(scratch, "scan.xyz", [](double x, double y) {
            return 0.0002 + bump(x, y, 0.5, 0.5, 0.004) + bump(x, y, 1.4, 1.5, -0.006) +
                   bump(x, y, 1.5, 0.4, 0.002);
        });
        const std::string json = (scratch / "out.json").string();
        const CliResult result = cli({"compare", scan, model, "--reference-unit", "mm", "--tolerance",
                                      "0.001", "--json", json, "--backend", "cpu"});
        QCOMPARE(result.code, int(exitOutside));
        const Json read = readJson(json);
        QCOMPARE(read["points"].get<int>(), 199 * 199);
        QVERIFY(std::abs(read["largest"].get<double>() + 0.0058) < 1e-5);
        QVERIFY(std::abs(read["tolerance"].get<double>() - 0.001) < 1e-12);
        QCOMPARE(read["worst"].size(), std::size_t{3});
        const double largest[] = {-0.0058, 0.0042, 0.0022}, x[] = {1.4, 0.5, 1.5}, y[] = {1.5, 0.5, 0.4};
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(read["worst"][i]["largest"].get<double>() - largest[i]) < 1e-5);
            QVERIFY(std::abs(read["worst"][i]["at"][0].get<double>() - x[i]) < 0.011);
            QVERIFY(std::abs(read["worst"][i]["at"][1].get<double>() - y[i]) < 0.011);
        }
        QVERIFY(read["within"].get<double>() > 0.9 && read["within"].get<double>() < 1);
        QVERIFY(std::abs(read["rms"].get<double>() -
                         std::hypot(read["mean"].get<double>(), read["standard_deviation"].get<double>())) <
                1e-9);
        QVERIFY(result.out.find("outside tolerance") != std::string::npos);
        QVERIFY(result.err.find("open") != std::string::npos); // warns that the model, a sheet, is open
    }
    void withinToleranceEndsWell() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan =
            scanOver(scratch, "scan.xyz", [](double x, double) { return x > 1.95 ? 0.002 : 0.0; });
        const auto run = [&](std::vector<std::string> more) {
            std::vector<std::string> all{"compare", scan, model, "--reference-unit", "mm"};
            all.insert(all.end(), more.begin(), more.end());
            return cli(all);
        };
        QCOMPARE(run({}).code, int(exitOk));
        QCOMPARE(run({"--tolerance", "0.003"}).code, int(exitOk));
        QCOMPARE(run({"--tolerance", "0.001"}).code, int(exitOutside));
        QCOMPARE(run({"--tolerance", "0.001", "--required-share", "97"}).code, int(exitOk));
        QVERIFY(run({"--tolerance", "0.003"}).out.find("within tolerance") != std::string::npos);
        const CliResult toStandardOutput = run({"--json", "-"});
        QCOMPARE(Json::parse(toStandardOutput.out)["points"].get<int>(), 199 * 199);
    }
    void deviationsOfPointsAreWritten() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan =
            scanOver(scratch, "scan.xyz", [](double x, double) { return x > 1 ? 3.0 : 0.25; });
        const std::string output = (scratch / "deviations.ply").string();
        const CliResult result = cli({"compare", scan, model, "--reference-unit", "mm", "--largest", "1",
                                      "--output", output, "--backend", "cpu"});
        QVERIFY2(result.code == 0, result.err.c_str());
        const auto written = readScan(output, ReadOptions{}, {});
        QCOMPARE(written->size(), std::size_t{199 * 199});
        const Attribute* deviation = written->attribute("deviation");
        QVERIFY(deviation);
        for (std::size_t i = 0; i < written->size(); ++i) {
            const double value = deviation->value(i);
            QVERIFY(written->position(i).z > 1 ? std::isnan(value) : std::abs(std::abs(value) - 0.25) < 1e-5);
        }
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, model, "--output", scan}), "overwrite");
    }
    void scansThatHardlyOverlapAreReported() {
        const Scratch scratch;
        const auto sheetFrom = [&](const char* name, double begin) {
            std::string text;
            for (int y = 0; y < 60; ++y)
                for (int x = 0; x < 60; ++x)
                    text += fmt::format("{} {} 0\n", begin + 0.02 * x, 0.02 * y);
            return scratch.file(name, text).string();
        };
        const std::string one = sheetFrom("one.xyz", 0), other = sheetFrom("other.xyz", 1.1);
        QVERIFY(cli({"compare", one, other, "--backend", "cpu"}).err.find("hardly overlap") !=
                std::string::npos);
        QVERIFY(cli({"compare", one, one, "--backend", "cpu"}).err.find("hardly overlap") ==
                std::string::npos);
    }
    void farPointsAreLeftOutAndCounted() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan =
            scanOver(scratch, "scan.xyz", [](double x, double) { return x > 1 ? 3.0 : 0.0; });
        const std::string json = (scratch / "out.json").string();
        QCOMPARE(cli({"compare", scan, model, "--reference-unit", "mm", "--largest", "1", "--tolerance",
                      "0.001", "--json", json})
                     .code,
                 int(exitOk));
        const Json read = readJson(json);
        QCOMPARE(read["points"].get<int>(), 199 * 100);
        QCOMPARE(read["left_out"]["too_far"].get<int>(), 199 * 99);
    }
    void badReferencesAreRejected() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan = scanOver(scratch, "scan.xyz", [](double, double) { return 0.0; });
        // a model in millimetres whose unit is not declared
        const CliResult large = cli({"compare", scan, model});
        QVERIFY(large.err.find("millimetres") != std::string::npos);
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, model, "--reference-unit", "parsec"}), "parsec");
        QCOMPARE(cli({"compare", scan, scan}).code, int(exitOk)); // a scan may also be the reference
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, (scratch / "none.stl").string()}), "none.stl");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, model, "--tolerance", "-1"}), "--tolerance");
        SCANLOUPE_VERIFY_USER_ERROR(
            cli({"compare", scan, model, "--reference-unit", "mm", "--largest", "nan"}), "--largest");
        const auto one = scratch.file("one.obj", "v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n");
        // a mesh of one triangle is a valid reference
        QCOMPARE(cli({"compare", scan, one.string()}).code, int(exitOk));
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, one.string(), "--largest", "0.1"}), "No point");
        const auto odd = scratch.file("odd.obj", "v 0 0 nan\nv 1 0 5\nv 0 1 5\nf 1 2 3\n");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, odd.string()}), "not finite");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"compare", scan, model, "--json", model}), "model.stl");
    }
    void strayPointsAreWorstPlacesOfTheirOwn() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan = scanOver(scratch, "scan.xyz", [](double x, double y) {
            return x < 0.015 && y < 0.015 ? 200'000.0 : bump(x, y, 1, 1, 0.01);
        });
        const std::string json = (scratch / "out.json").string();
        const CliResult result =
            cli({"compare", scan, model, "--reference-unit", "mm", "--tolerance", "0.001", "--json", json});
        QCOMPARE(result.code, int(exitOutside));
        const Json read = readJson(json);
        QCOMPARE(read["worst"].size(), std::size_t{2});
        QCOMPARE(read["worst"][0]["points"].get<int>(), 1);
    }
    /// A scan in a local frame, compared with a plan in map coordinates, which is rotated and 5,000 km away.
    void pairsMoveScansToMapCoordinates() {
        const Scratch scratch;
        const Vec3d far{455'000, 5'320'000, 420};
        RigidTransform toMap = fromRollPitchYaw({0.3, -0.2, 2.1}, {});
        toMap.translation = far;
        std::string plan, scan, pairs;
        for (int y = 0; y <= 100; ++y)
            for (int x = 0; x <= 100; ++x) {
                const Vec3d p{0.02 * x, 0.02 * y, 0.1 * std::sin(0.1 * x) * std::cos(0.07 * y)};
                const Vec3d up = normalized(Vec3d{-0.5 * std::cos(0.1 * x) * std::cos(0.07 * y),
                                                  0.35 * std::sin(0.1 * x) * std::sin(0.07 * y), 1});
                const Vec3d q = toMap(p), facing = toMap.rotate(up);
                plan += fmt::format("{:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f}\n", q.x, q.y, q.z, facing.x,
                                    facing.y, facing.z);
                scan += fmt::format("{:.6f} {:.6f} {:.6f} {:.6f} {:.6f} {:.6f}\n", p.x, p.y, p.z, up.x, up.y,
                                    up.z);
            }
        for (const Vec3d p : {Vec3d{0, 0, 0}, Vec3d{2, 0, 0}, Vec3d{0, 2, 0}, Vec3d{1, 1, 0.5}}) {
            const Vec3d q = toMap(p);
            pairs += fmt::format("{} {} {} {:.6f} {:.6f} {:.6f}\n", p.x, p.y, p.z, q.x, q.y, q.z);
        }
        const std::string json = (scratch / "out.json").string();
        const std::string header = "//x y z normal_x normal_y normal_z\n";
        const auto compare = [&](std::vector<std::string> more) {
            std::vector<std::string> all{"compare",
                                         scratch.file("scan.txt", header + scan).string(),
                                         scratch.file("plan.txt", header + plan).string(),
                                         "--pairs",
                                         scratch.file("pairs.txt", pairs).string(),
                                         "--json",
                                         json,
                                         "--local-model",
                                         "none",
                                         "--backend",
                                         "cpu"};
            all.insert(all.end(), more.begin(), more.end());
            const CliResult result = cli(all);
            if (result.code != 0)
                qWarning("%s", result.err.c_str());
            return readJson(json);
        };
        for (const std::vector<std::string>& more :
             {std::vector<std::string>{}, {"--fit"}, {"--largest-angle", "20"}}) {
            const Json read = compare(more);
            QCOMPARE(read["points"].get<int>(), 101 * 101); // no point is excluded as facing another way
            QVERIFY(read["reference"]["normals"].get<bool>());
            QVERIFY(read["pairs"]["rms"].get<double>() < 1e-5);
            const double bound =
                // larger tolerance for a fit of planes to a curved surface
                more == std::vector<std::string>{"--fit"} ? 1e-3 : 1e-4;
            QVERIFY2(std::abs(read["largest"].get<double>()) < bound,
                     qPrintable(QString::number(read["largest"].get<double>())));
            QVERIFY(norm(Vec3d{read["motion"][0][3], read["motion"][1][3], read["motion"][2][3]} - far) <
                    1e-3);
        }
    }

    void optionsOfFitsWantAFit() {
        const Scratch scratch;
        const std::string model = sheetInMillimetres(scratch, "model.stl");
        const std::string scan = scanOver(scratch, "scan.xyz", [](double, double) { return 0.0; });
        for (const std::vector<std::string>& options : {std::vector<std::string>{"--overlap", "50"},
                                                        {"--fit-method", "gicp"},
                                                        {"--fit-scale"},
                                                        {"--neighbours", "2"},
                                                        {"--largest-angle", "200"},
                                                        {"--fit", "--overlap", "0"}}) {
            std::vector<std::string> all{"compare", scan, model};
            all.insert(all.end(), options.begin(), options.end());
            QCOMPARE(cli(all).code, 2);
        }
    }

    void insideOutMeshesAreReported() {
        const Scratch scratch;
        TriangleMesh ball = surfaceOf(15, 1.3f, unitSphere);
        for (std::size_t t = 0; t < ball.triangleCount(); ++t)
            std::swap(ball.indices[3 * t], ball.indices[3 * t + 1]);
        writeMesh(scratch / "ball.ply", ball, {}, {}, {});
        const auto points = scratch.file("in.xyz", "0.1 0 0\n0.2 0.1 0\n0 0 0.1\n");
        const CliResult result = cli({"compare", points.string(), (scratch / "ball.ply").string()});
        QCOMPARE(result.code, int(exitOk));
        QVERIFY(result.err.find("Its triangles face inwards: distances inside are positive.") !=
                std::string::npos);
    }
    void oneInsideOutPartIsReported() {
        const Scratch scratch;
        const auto points = scratch.file("in.xyz", "0.1 0 0\n0.2 0.1 0\n0 0 0.1\n");
        const auto warningsOf = [&](const TriangleMesh& model) {
            writeMesh(scratch / "model.ply", model, {}, {}, {});
            const CliResult result = cli({"compare", points.string(), (scratch / "model.ply").string()});
            return result.code == exitOk ? result.err : "failed: " + result.err;
        };
        const auto ballOf = [](double radius, double x) {
            return surfaceOf(33, 1.3f, [=](Vec3d p) { return norm(p - Vec3d{x, 0, 0}) - radius; });
        };
        const auto insideOut = [](TriangleMesh mesh) {
            for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
                std::swap(mesh.indices[3 * t], mesh.indices[3 * t + 1]);
            return mesh;
        };
        const auto tells = [](const std::string& text, const char* words) {
            return text.find(words) != std::string::npos;
        };
        const TriangleMesh left = ballOf(0.4, -0.6);
        QVERIFY(tells(warningsOf(together(left, insideOut(ballOf(0.4, 0.6)))),
                      "1 of its 2 closed parts faces inwards"));
        QVERIFY(!tells(warningsOf(together(left, ballOf(0.4, 0.6))), "faces"));
        const TriangleMesh hull = ballOf(1.2, 0);
        QVERIFY(!tells(warningsOf(together(hull, insideOut(ballOf(0.5, 0)))), "faces"));
        QVERIFY(tells(warningsOf(together(hull, ballOf(0.5, 0))),
                      "1 of its 2 closed parts lies inside another part and faces outwards"));
        QVERIFY(tells(warningsOf(insideOut(together(hull, insideOut(ballOf(0.5, 0))))),
                      "Its triangles face inwards"));
        // a triangle that faces inwards is not a hole
        TriangleMesh dented = ballOf(1.2, 0);
        std::swap(dented.indices[3], dented.indices[4]);
        const std::string flipped = warningsOf(dented);
        QVERIFY(tells(flipped, "1 of its") && tells(flipped, "triangles faces the opposite way"));
        QVERIFY(!tells(flipped, "open") && !tells(flipped, "more than one triangle"));
    }
};

SCANLOUPE_TEST(TestCompare)
#include "test_compare.moc"
