// Scans that can't be aligned or only seem to align: each ends with a message, a next step and an exit code,
// and no scan with a wrong pose is merged.
#include "engine/align/align_scans.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/writers.h"
#include "tests/engine/cli/test_cli_support.h"
#include "tests/engine/io/test_io_support.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace fs = std::filesystem;

namespace {

/// Point frames of a drive along a street, 1 m apart.
class StreetFrames {
public:
    std::vector<Vec3f> frame(int metres) const {
        synth::LidarSweep sweep;
        sweep.lidar.columns = 450;
        sweep.pose.translation = {-20.0 + metres, 0, 1.8};
        sweep.frame = std::uint64_t(metres);
        std::vector<Vec3f> points;
        for (const auto& p : synth::generateSweep(sweep, m_street, {}))
            points.push_back(p.position.as<float>());
        return points;
    }

private:
    synth::SolidScene m_street = synth::makePlace(synth::Place::street, 6);
};

/// Runs `align` on scans in files and checks the results.
class BadDrive {
public:
    void add(const std::vector<Vec3f>& points) {
        const std::string name = fmt::format("s{:02}.ply", ++m_count);
        writeCloud(m_folder / name, PointCloud(FloatPositions{hostCopy(std::span(points))}, {}, {}), {}, {});
        m_arguments.push_back((m_folder / name).string());
    }
    CliResult run(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"align"};
        arguments.insert(arguments.end(), m_arguments.begin(), m_arguments.end());
        arguments.insert(arguments.end(),
                         {"--merged", merged().string(), "--poses", (m_folder / "p.txt").string()});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return test::cli(arguments);
    }
    fs::path merged() const { return m_folder / "m.ply"; }
    std::vector<RigidTransform> poses() const { return readTrajectory(m_folder / "p.txt").poses; }

private:
    Scratch m_folder;
    int m_count = 0;
    std::vector<std::string> m_arguments;
};

std::vector<Vec3f> scaled(std::vector<Vec3f> points, Vec3f by) {
    for (Vec3f& p : points)
        p = {p.x * by.x, p.y * by.y, p.z * by.z};
    return points;
}

bool mentions(const std::string& text, const char* words) {
    return text.find(words) != std::string::npos;
}

} // namespace

class TestBadDrives : public QObject {
    Q_OBJECT
private slots:
    void fewPointsAreRejected() {
        const StreetFrames street;
        BadDrive drive;
        drive.add(street.frame(0));
        drive.add({{1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {4, 0, 1}, {5, 0, 0}, {6, 2, 0}, {7, 0, 3}});
        drive.add(street.frame(1));
        const CliResult result = drive.run();
        QCOMPARE(result.code, int(exitUserError));
        QVERIFY2(mentions(result.err, "7 points with finite coordinates"), result.err.c_str());
        QVERIFY2(mentions(result.err, "requires at least 10"), result.err.c_str());
        QVERIFY2(mentions(result.err, "Leave the scan out"), result.err.c_str());
        QCOMPARE(drive.poses().size(), std::size_t(3));
        // the third scan is still aligned
        QVERIFY(norm(drive.poses()[2].translation - Vec3d{1, 0, 0}) < 0.05);

        BadDrive first;
        first.add({{1, 0, 0}, {2, 0, 0}, {3, 1, 0}});
        first.add(street.frame(0));
        const CliResult refused = first.run();
        QCOMPARE(refused.code, int(exitUserError));
        QVERIFY2(mentions(refused.err, "The first scan has 3 points"), refused.err.c_str());
        QVERIFY(!fs::exists(first.merged()));
    }

    void pointsThatAreNotNumbersAreLeftOut() {
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        const StreetFrames street;
        std::vector<Vec3f> some = street.frame(1);
        for (std::size_t i = 0; i < some.size(); i += 3)
            some[i].y = nan;
        BadDrive right;
        right.add(street.frame(0));
        right.add(some);
        const CliResult result = right.run();
        QVERIFY2(result.code == exitOk, result.err.c_str());
        QVERIFY(norm(right.poses()[1].translation - Vec3d{1, 0, 0}) < 0.05);

        BadDrive none;
        none.add(street.frame(0));
        none.add(std::vector<Vec3f>(500, {nan, 0, 0}));
        const CliResult refused = none.run();
        QCOMPARE(refused.code, int(exitUserError));
        QVERIFY2(mentions(refused.err, "no points with finite coordinates"), refused.err.c_str());
    }

    void placesWithoutOverlapAreNotMerged() {
        const StreetFrames street;
        std::vector<Vec3f> far = street.frame(1);
        for (Vec3f& p : far)
            p += Vec3f{900, 900, 0};
        BadDrive drive;
        drive.add(street.frame(0));
        drive.add(far);
        const CliResult result = drive.run();
        QCOMPARE(result.code, int(exitDoubtful));
        QVERIFY2(mentions(result.err, "1 is wrong") && mentions(result.err, "--search"), result.err.c_str());
        QVERIFY(!fs::exists(drive.merged()));
    }

    void aSinglePlaneHoldsNoPose() {
        std::vector<Vec3f> plane, shifted;
        for (int i = 0; i < 80; ++i)
            for (int k = 0; k < 80; ++k) {
                const float x = 0.25f * float(i) - 10, y = 0.25f * float(k) - 10;
                plane.push_back({x, y, -1.8f});
                shifted.push_back({x + 0.07f, y + 0.02f, -1.8f});
            }
        BadDrive drive;
        drive.add(plane);
        drive.add(shifted);
        const CliResult result = drive.run();
        QCOMPARE(result.code, int(exitDoubtful));
        QVERIFY2(mentions(result.err, "1 is doubtful") || mentions(result.err, "1 is wrong"),
                 result.err.c_str());
        QVERIFY2(mentions(result.err, "--start"), result.err.c_str());
        QVERIFY(!fs::exists(drive.merged()));
    }

    void anotherUnitIsNamed() {
        const StreetFrames street;
        BadDrive drive;
        drive.add(street.frame(0));
        drive.add(scaled(street.frame(1), {1000, 1000, 1000}));
        drive.add(street.frame(1));
        const CliResult result = drive.run();
        QCOMPARE(result.code, int(exitUserError));
        QVERIFY2(mentions(result.err, "millimetres") && mentions(result.err, "same unit"),
                 result.err.c_str());
        QVERIFY(norm(drive.poses()[2].translation - Vec3d{1, 0, 0}) < 0.05);
    }

    void mirroredAxesAreNotRight_data() {
        QTest::addColumn<float>("x");
        QTest::addColumn<float>("y");
        QTest::addColumn<float>("z");
        QTest::newRow("x") << -1.0f << 1.0f << 1.0f;
        QTest::newRow("y") << 1.0f << -1.0f << 1.0f;
        QTest::newRow("z") << 1.0f << 1.0f << -1.0f;
    }
    void mirroredAxesAreNotRight() {
        QFETCH(float, x);
        QFETCH(float, y);
        QFETCH(float, z);
        const StreetFrames street;
        BadDrive drive;
        drive.add(street.frame(0));
        drive.add(scaled(street.frame(1), {x, y, z}));
        const CliResult result = drive.run();
        QCOMPARE(result.code, int(exitDoubtful));
        QVERIFY2(mentions(result.err, "without mirroring"), result.err.c_str());
        QVERIFY(!fs::exists(drive.merged()));
    }

    void aWrongOrderIsNotMerged() {
        const StreetFrames street;
        const int order[] = {0, 40, 1, 20, 2, 39};
        BadDrive drive;
        for (const int metres : order)
            drive.add(street.frame(metres));
        const CliResult result = drive.run({"--json"});
        QCOMPARE(result.code, int(exitDoubtful));
        QVERIFY2(mentions(result.err, "order in which they were taken"), result.err.c_str());
        QVERIFY(!fs::exists(drive.merged()));
        const Json scans = Json::parse(result.out)["scans"];
        const std::vector<RigidTransform> poses = drive.poses();
        for (std::size_t i = 0; i < std::size(order); ++i)
            if (scans[i]["placed"].get<bool>())
                QVERIFY2(norm(poses[i].translation - Vec3d{double(order[i]), 0, 0}) < 0.1,
                         qPrintable(QString::number(i)));
    }
};

SCANLOUPE_TEST(TestBadDrives)
#include "test_bad_drives.moc"
