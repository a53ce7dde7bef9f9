// Scans and drives by `synth --sensor` with real sensor models, and their true poses.
#include "engine/io/trajectory.h"
#include "tests/engine/cli/test_cli_support.h"

#include <cmath>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

class TestCliSensors : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
    std::vector<std::string> synth(const std::string& file, const std::vector<std::string>& more) const {
        std::vector<std::string> arguments{"synth", path(file), "--sensor", "vlp16", "--columns", "180"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }

private slots:
    void aSweepIsInTheSensorsFrame() {
        const auto made = cli(synth("a.pcd", {"--scene", "corridor", "--pose=7,0.2,1.2,0", "--noise", "0",
                                              "--drop-outs", "0", "--json"}));
        QVERIFY2(made.code == 0, made.err.c_str());
        const Json document = Json::parse(made.out);
        const Json info = Json::parse(cli({"info", path("a.pcd"), "--json"}).out);
        QCOMPARE(document.at("points").get<int>(), info.at("points").get<int>());
        QCOMPARE(document.at("points_of_files").size(), std::size_t(1));
        QVERIFY(info.at("points").get<int>() < 16 * 180);
        for (const char* name : {"intensity", "time", "ring", "sensor_x"})
            QVERIFY2(info.at("attributes").contains(name), name);
        QCOMPARE(info.at("attributes").at("ring").at("max").get<int>(), 15);
        QVERIFY(std::abs(info.at("bounds").at("min").at(1).get<double>() + 1.4) < 1e-5);
        QVERIFY(std::abs(info.at("bounds").at("max").at(1).get<double>() - 1.0) < 1e-5);
        const std::string bytes = readFile(path("a.pcd"));
        QCOMPARE(cli(synth("b.pcd",
                           {"--scene", "corridor", "--pose=7,0.2,1.2,0", "--noise", "0", "--drop-outs", "0"}))
                     .code,
                 0);
        QVERIFY(readFile(path("b.pcd")) == bytes);
    }

    void everySensorScansEveryScene() {
        for (const char* sensor : {"vlp16", "hdl32", "hdl64", "os1-128"})
            for (const char* scene : {"street", "corridor", "cluttered", "racks", "room", "field"}) {
                const auto made = cli({"synth", path("any.bin"), "--sensor", sensor, "--scene", scene,
                                       "--columns", "30", "--seed", "4", "--json"});
                QVERIFY2(made.code == 0, made.err.c_str());
                QVERIFY(Json::parse(made.out).at("points").get<int>() > 50);
            }
    }

    void severalPosesAreAPair() {
        const auto made = cli(synth("pair.ply", {"--scene", "racks", "--pose", "0,0,1.2,0", "--pose",
                                                 "4,0.5,1.2,90", "--poses", path("pair.txt")}));
        QVERIFY2(made.code == 0, made.err.c_str());
        QVERIFY(fs::exists(path("pair_0001.ply")) && fs::exists(path("pair_0002.ply")));
        const Trajectory truth = readTrajectory(path("pair.txt"));
        QCOMPARE(truth.poses.size(), std::size_t(2));
        QVERIFY(norm(truth.poses[1].translation - Vec3d{4, 0.5, 0}) < 1e-12);
        QVERIFY(norm(truth.poses[1].rotate({1, 0, 0}) - Vec3d{0, 1, 0}) < 1e-12);
    }

    void aDriveGoesOnAtItsSpeed() {
        const auto made = cli(synth("drive.ply", {"--frames", "5", "--speed", "10", "--yaw-rate", "30",
                                                  "--skewed", "--poses", path("drive.tum"), "--json"}));
        QVERIFY2(made.code == 0, made.err.c_str());
        QCOMPARE(Json::parse(made.out).at("points_of_files").size(), std::size_t(5));
        const Trajectory truth = readTrajectory(path("drive.tum"));
        QCOMPARE(truth.poses.size(), std::size_t(5));
        const double rate = std::acos(-1.0) / 6, angle = rate * 0.4, radius = 10 / rate;
        const Vec3d expected{radius * std::sin(angle), radius * (1 - std::cos(angle)), 0};
        QVERIFY(norm(truth.poses[4].translation - expected) < 1e-9);
        QVERIFY(std::abs(truth.stamps[1] - truth.stamps[0] - 0.1) < 1e-9);
    }

    void whatDoesNotFitIsRejected() {
        const std::string file = path("bad.ply");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", file, "--scene", "corridor"}), "--sensor");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", file, "--speed", "3"}), "--sensor");
        SCANLOUPE_VERIFY_USER_ERROR(cli({"synth", file, "--sensor", "hdl128"}), "hdl128");
        const auto isRejected = [&](const std::vector<std::string>& more, const std::string& mention) {
            return notAUserError(cli(synth("bad.ply", more)), mention);
        };
        const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
            {{"--points", "5000"}, "--points"},
            {{"--scene", "bumpy"}, "bumpy"},
            {{"--scene", "part"}, "part"},
            {{"--pose", "1,2,3"}, "--pose"},
            {{"--pose", "0,0,nan,0"}, "nan"},
            {{"--pose=0,0,-1,0"}, "inside"},
            {{"--scene", "corridor", "--pose=0,3,1,0"}, "inside"},
            {{"--scene", "room", "--frames", "40", "--speed", "30"}, "inside"},
            {{"--poses", path("one.txt")}, "--frames"},
            {{"--frames", "2", "--pose", "0,0,1,0", "--pose", "1,0,1,0"}, "--pose"},
            {{"--columns", "0"}, "columns"},
            {{"--columns", "nan"}, "columns"},
            {{"--range", "0"}, "range"},
            {{"--drop-outs", "2"}, "losses"},
            {{"--noise", "-1"}, "noise"},
            {{"--speed", "inf"}, "inf"},
            {{"--yaw-rate", "1e9"}, "yaw-rate"},
            {{"--frames", "1000000000"}, "sweeps"}};
        for (const auto& [more, mention] : cases) {
            const std::string problem = isRejected(more, mention);
            QVERIFY2(problem.empty(), (more.front() + ": " + problem).c_str());
        }
        QVERIFY(!fs::exists(file) && !fs::exists(path("bad_0001.ply")));
    }
};

SCANLOUPE_TEST(TestCliSensors)
#include "test_cli_sensors.moc"
