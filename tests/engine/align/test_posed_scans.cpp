// Pose files, scans merged by their poses, and drives with known poses.
#include "engine/align/merge_clouds.h"
#include "engine/align/read_together.h"
#include "engine/cloud/categories.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/trajectory.h"
#include "engine/io/writers.h"
#include "tests/engine/io/test_io_support.h"
#include "tests/support/damaged_laz.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/scene_distance.h"

#include <fmt/format.h>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

double largestDifference(const RigidTransform& a, const RigidTransform& b) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        most = std::max(most, std::abs(a.translation[axis] - b.translation[axis]));
        for (int i = 0; i < 3; ++i)
            most = std::max(most, std::abs(a.rows[axis][i] - b.rows[axis][i]));
    }
    return most;
}

RigidTransform randomPose(std::mt19937_64& random) {
    std::uniform_real_distribution<double> angle(-std::numbers::pi, std::numbers::pi), place(-100, 100);
    return fromRollPitchYaw({angle(random), angle(random) / 2, angle(random)},
                            {place(random), place(random), place(random)});
}

std::shared_ptr<const PointCloud> cloudOf(const std::vector<Vec3f>& points, std::vector<Attribute> attributes,
                                          std::optional<Vec3d> sensor = {}) {
    PointCloud cloud(FloatPositions{hostCopy(std::span(points))}, std::move(attributes), {});
    if (sensor)
        cloud.sensor = SensorPose{*sensor, {}};
    return std::make_shared<const PointCloud>(std::move(cloud));
}

} // namespace

class TestPosedScans : public QObject {
    Q_OBJECT
private slots:
    void transformsComposeAndTurnBack() {
        auto random = seededRandom("transformsCompose");
        for (int i = 0; i < 1000; ++i) {
            const RigidTransform a = randomPose(random), b = randomPose(random);
            const Vec3d p = randomPose(random).translation;
            QVERIFY(norm((a * b)(p)-a(b(p))) < 1e-11);
            QVERIFY(norm(a.inverse()(a(p)) - p) < 1e-11);
            QVERIFY(largestDifference(fromRollPitchYaw(rollPitchYaw(a), a.translation), a) < 1e-13);
            const Vec3d angles = rollPitchYaw(a);
            QVERIFY(std::abs(rotationAngle(fromRollPitchYaw({0, 0, angles.z}, {})) - std::abs(angles.z)) <
                    1e-13);
        }
        const RigidTransform up = fromRollPitchYaw({0.3, std::numbers::pi / 2, 0.4}, {});
        QVERIFY(largestDifference(fromRollPitchYaw(rollPitchYaw(up), {}), up) < 1e-13);
    }

    void posesComeBackFromTheirFile_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("KITTI") << "poses.txt" << 0.0;
        QTest::newRow("TUM") << "poses.tum" << 2e-15;
    }
    void posesComeBackFromTheirFile() {
        QFETCH(QString, name);
        QFETCH(double, tolerance);
        auto random = seededRandom("posesComeBack");
        Trajectory written;
        for (int i = 0; i < 200; ++i) {
            written.poses.push_back(randomPose(random));
            written.stamps.push_back(1.7e9 + 0.1 * i);
        }
        const Scratch scratch;
        const auto path = scratch / name.toStdString();
        writeTrajectory(path, written, poseFormatFor(path));
        const Trajectory read = readTrajectory(path);
        QCOMPARE(read.poses.size(), written.poses.size());
        for (std::size_t i = 0; i < read.poses.size(); ++i)
            QVERIFY(largestDifference(read.poses[i], written.poses[i]) <= tolerance);
        QVERIFY(read.stamps == (tolerance > 0 ? written.stamps : std::vector<double>{}));
    }

    void aMatrixOfFewDigitsBecomesARotation() {
        const Scratch scratch;
        const auto path = scratch.file("relative.txt", "  0.999941    0.0108432 -0.000635437     0.485657\n"
                                                       "-0.0108468     0.999921  -0.00633968     0.106358\n"
                                                       "0.000566645   0.00634606      0.99998    -0.0141667\n"
                                                       "0 0 0 1\n");
        const Trajectory read = readTrajectory(path);
        QCOMPARE(read.poses.size(), std::size_t(1));
        const RigidTransform& pose = read.poses.front();
        QCOMPARE(pose.translation.x, 0.485657);
        QVERIFY(std::abs(pose.rows[1].z + 0.00633968) < 1e-5);
        QVERIFY(largestDifference(pose * pose.inverse(), {}) < 1e-15);
    }

    void invalidPosesAreReported_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << "# only this\n\n"
                                 << "has no poses";
        QTest::newRow("a word") << "1 0 0 0 0 1 0 0 0 0 one 0\n"
                                << "line 1 of";
        QTest::newRow("too few") << "1 0 0 0 0 1 0 0 0 0 1\n"
                                 << "has 11 numbers";
        QTest::newRow("changes") << "1 0 0 0 0 1 0 0 0 0 1 0\n0 0 0 0 0 0 0 1\n"
                                 << "line 2 of";
        QTest::newRow("scaled") << "2 0 0 0 0 2 0 0 0 0 2 0\n"
                                << "not a rotation";
        QTest::newRow("mirrored") << "1 0 0 0 0 1 0 0 0 0 -1 0\n"
                                  << "not a rotation";
        QTest::newRow("quaternion of nothing") << "0 1 2 3 0 0 0 0\n"
                                               << "length 0";
        QTest::newRow("NaN") << "0 nan 2 3 0 0 0 1\n"
                             << "not a finite number";
        QTest::newRow("three rows") << "1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                                    << "after 3 of 4 rows";
        QTest::newRow("five rows") << "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n0 0 0 1\n"
                                   << "fifth row";
        QTest::newRow("projective") << "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 1 1\n"
                                    << "0 0 0 1";
    }
    void invalidPosesAreReported() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        const Scratch scratch;
        const auto path = scratch.file("poses.txt", text.toStdString());
        const auto error = errorOf([&] { readTrajectory(path); });
        QVERIFY2(says(error, words.toUtf8()), error ? error->what() : "no error");
    }

    void scansAreMovedAndKeepTheirValues() {
        const RigidTransform turned = fromRollPitchYaw({0, 0, std::numbers::pi / 2}, {10, 0, 1});
        const auto normals = [](float x, float y) {
            std::vector<Attribute> columns;
            columns.push_back(makeAttribute("normal_x", ScalarType::float32, std::vector<float>{x, x}));
            columns.push_back(makeAttribute("normal_y", ScalarType::float32, std::vector<float>{y, y}));
            columns.push_back(makeAttribute("normal_z", ScalarType::float32, std::vector<float>{0, 0}));
            return columns;
        };
        auto first = normals(1, 0), second = normals(0, 1);
        first.push_back(makeAttribute("ring", ScalarType::uint16, std::vector<std::uint16_t>{7, 60000}));
        second.push_back(makeAttribute("ring", ScalarType::int32, std::vector<std::int32_t>{-1, 70000}));
        first.push_back(makeAttribute("intensity", ScalarType::uint8, std::vector<std::uint8_t>{1, 255}));
        second.push_back(makeAttribute("intensity", ScalarType::uint8, std::vector<std::uint8_t>{3, 4}));
        second.push_back(makeAttribute("echo", ScalarType::uint8, std::vector<std::uint8_t>{5, 6}));
        const std::vector<PosedCloud> scans{
            {cloudOf({{1, 2, 3}, {kNan, 0, 0}}, std::move(first), Vec3d{0, 0, 2}), {}},
            {cloudOf({{1, 0, 0}, {0, 1, 0}}, std::move(second), Vec3d{0, 1, 0}), turned}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        QCOMPARE(merged.size(), std::size_t(4));
        QVERIFY(std::holds_alternative<FloatPositions>(merged.positions()));
        QVERIFY((merged.position(0) == Vec3d{1, 2, 3}));
        QVERIFY(std::isnan(merged.position(1).x));
        QVERIFY(norm(merged.position(2) - Vec3d{10, 1, 1}) < 1e-6);
        QVERIFY(norm(merged.position(3) - Vec3d{9, 0, 1}) < 1e-6);
        const auto values = [&](const char* name) {
            std::vector<double> all;
            for (std::size_t i = 0; i < merged.size(); ++i)
                all.push_back(merged.attribute(name)->value(i));
            return all;
        };
        QVERIFY((values("ring") == std::vector<double>{7, 60000, -1, 70000}));
        QVERIFY((values("intensity") == std::vector<double>{1, 255, 3, 4}));
        QCOMPARE(merged.attribute("intensity")->type, ScalarType::uint8);
        QVERIFY((values("scan") == std::vector<double>{0, 0, 1, 1}));
        QVERIFY(std::abs(values("normal_x")[3] + 1) < 1e-6 && std::abs(values("normal_y")[3]) < 1e-6);
        QVERIFY(std::abs(values("sensor_x")[2] - 9) < 1e-6 && std::abs(values("sensor_z")[0] - 2) < 1e-6);
        QVERIFY(!merged.attribute("echo") && warns(merged, "echo"));
    }

    void sensorsOfPointsMoveWithThem() {
        const RigidTransform turned = fromRollPitchYaw({0, 0, std::numbers::pi / 2}, {10, 0, 1});
        std::vector<Attribute> sensors;
        for (const auto& [name, one, other] :
             {std::tuple{"sensor_x", 1.0f, 3.0f}, {"sensor_y", 0.0f, 0.0f}, {"sensor_z", 0.0f, 2.0f}})
            sensors.push_back(makeAttribute(name, ScalarType::float32, std::vector<float>{one, other}));
        const std::vector<PosedCloud> scans{{cloudOf({{1, 0, 0}, {0, 1, 0}}, std::move(sensors)), turned},
                                            {cloudOf({{0, 0, 0}}, {}, Vec3d{0, 0, 5}), {}}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        const Vec3d expected[] = {{10, 1, 1}, {10, 3, 3}, {0, 0, 5}};
        for (std::size_t i = 0; i < 3; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                const std::string name = std::string("sensor_") + "xyz"[axis];
                QVERIFY(std::abs(merged.attribute(name)->value(i) - expected[i][axis]) < 1e-6);
            }
    }

    void scansThatAreLeftOutKeepTheirNumbers() {
        const std::vector<PosedCloud> scans{{nullptr, {}},
                                            {cloudOf({{1, 0, 0}}, {}), {}},
                                            {nullptr, {}},
                                            {cloudOf({{2, 0, 0}, {3, 0, 0}}, {}), {}}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        QCOMPARE(merged.size(), std::size_t(3));
        QCOMPARE(merged.attribute(kScanAttribute)->value(0), 1.0);
        QCOMPARE(merged.attribute(kScanAttribute)->value(2), 3.0);
        QVERIFY_EXCEPTION_THROWN(mergeClouds(std::vector<PosedCloud>(2), {}, {}), EngineError);
    }

    void filesAreReadTogether() {
        QTemporaryDir folder;
        std::vector<std::filesystem::path> paths;
        for (int i = 0; i < 3; ++i) {
            paths.push_back(folder.filePath(QStringLiteral("%1.ply").arg(i)).toStdString());
            if (i != 1)
                writeCloud(paths.back(), *cloudOf({{float(i), 0, 0}, {0, 1, 0}}, {}), {}, {});
        }
        std::ofstream(paths[1]) << "ply\n";
        ScanCache cache(paths, 1 << 20);
        std::vector<std::optional<RigidTransform>> poses(3, RigidTransform{});
        std::vector<double> progress;
        ReadOptions options;
        options.progress = [&](double done) { progress.push_back(done); };
        const PointCloud merged = readTogether(cache, poses, options, {});
        QCOMPARE(merged.size(), std::size_t(4)); // the second file can't be read
        QVERIFY(warns(merged, "1 of 3 scans"));
        QVERIFY(!cache.at(1).problem.empty());
        QVERIFY(std::ranges::is_sorted(progress) && progress.back() <= 1);
        poses[0].reset();
        poses[2]->translation = {10, 0, 0};
        const PointCloud moved = readTogether(cache, poses, {}, {});
        QCOMPARE(moved.size(), std::size_t(2));
        QVERIFY(moved.position(0) == (Vec3d{12, 0, 0}));
        QCOMPARE(moved.attribute(kScanAttribute)->value(0), 2.0);
        // the classes of the scan attribute are named after the files
        const CategoryColumn scansOf = encodeCategory(*moved.attribute(kScanAttribute), 2, 1, {});
        QCOMPARE(std::string(scansOf.category->className(0)), std::string("2.ply"));
        poses[2].reset();
        QVERIFY_EXCEPTION_THROWN(readTogether(cache, poses, {}, {}), EngineError);
        QVERIFY_EXCEPTION_THROWN(readTogether(cache, std::vector<std::optional<RigidTransform>>(3), {}, {}),
                                 EngineError);
    }

    /// Damage in attributes is found when they are loaded for merging, and is reported.
    void damageOfMergedScansIsReported() {
        if (!haveLaszip())
            QSKIP("this build has no LASzip");
        const Scratch scratch;
        const std::vector<std::filesystem::path> paths{scratch / "whole.laz", scratch / "damaged.laz"};
        for (const auto& path : paths)
            writeCloud(path, *bumpyCloud(120'000), {}, {});
        damageLazLayer(paths[1], 1, 4);
        ScanCache cache(paths, 0);
        ReadOptions options;
        options.attributes = AttributeReading::onDemand;
        const PointCloud merged =
            readTogether(cache, std::vector<std::optional<RigidTransform>>(2, RigidTransform{}), options, {});
        QCOMPARE(std::ranges::count_if(merged.warnings, isDamageWarning), std::ptrdiff_t{1});
        QVERIFY(warns(merged, "Incomplete: 'damaged.laz': 1 of 3 chunks"));
    }
    void farScansKeepTheirDigits() {
        const RigidTransform far{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {512701.25, 5403550.5, 295}};
        const std::vector<PosedCloud> scans{{cloudOf({{0.001f, 2, 3}}, {}), far},
                                            {cloudOf({{1, 0, 0}}, {}), far}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        QVERIFY(std::holds_alternative<DoublePositions>(merged.positions()));
        QVERIFY(norm(merged.position(0) - Vec3d{512701.251, 5403552.5, 298}) < 1e-7);
        QVERIFY(!merged.attribute("sensor_x")); // the sensor is unknown, so there is no such column
    }

    void mergingKeepsWhatDoublesHold() {
        // coordinates of a few metres with more digits than single precision has
        const std::vector<Vec3d> fine{{1.000000001, 2, 3}, {1.5, 2.000000001, 3}};
        const auto doubles = std::make_shared<const PointCloud>(DoublePositions{hostCopy(std::span(fine)), 9},
                                                                std::vector<Attribute>{}, std::stop_token{});
        const std::vector<PosedCloud> scans{{doubles, {}}, {cloudOf({{1, 0, 0}}, {}), {}}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        for (std::size_t i = 0; i < fine.size(); ++i)
            QVERIFY(merged.position(i) == fine[i]);

        const std::vector<Vec3i> steps{{1'000'001, 2, 3}, {4, 5, 6}};
        const auto scaled = std::make_shared<const PointCloud>(
            ScaledPositions{hostCopy(std::span(steps)), {1e-6, 1e-6, 1e-6}, {100, 0, 0}},
            std::vector<Attribute>{}, std::stop_token{});
        const std::vector<PosedCloud> survey{{scaled, {}}, {scaled, {}}};
        const PointCloud both = mergeClouds(survey, {}, {});
        QVERIFY(both.position(0) == scaled->position(0) && both.position(3) == scaled->position(1));
    }
    void mergingKeepsSinglePrecisionWhereItIsEnough() {
        const auto isSingle = [](const std::vector<PosedCloud>& scans) {
            return std::holds_alternative<FloatPositions>(mergeClouds(scans, {}, {}).positions());
        };
        const auto moved = [](double by) {
            return RigidTransform{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {by, 0, 0}};
        };
        const auto sweep = cloudOf({{100, 0, 0}, {-100, 30, 1}}, {});
        QVERIFY(isSingle({{sweep, {}}, {sweep, moved(50)}}));
        QVERIFY(isSingle({{cloudOf({{50'000, 0, 0}}, {}), {}}})); // single precision, as in the source file
        QVERIFY(!isSingle({{sweep, {}}, {sweep, moved(3000)}}));  // single precision would lose two digits
        const auto small = cloudOf({{1e-4f, 2e-4f, 0}, {0, 3e-4f, 0}}, {});
        QVERIFY(!isSingle({{small, {}}, {small, moved(1)}}));
    }
    void mergedAttributesKeepTheirValues() {
        // this integer is not representable as a double
        constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;
        const auto scan = [](Attribute id, Attribute mixed, Attribute level) {
            std::vector<Attribute> columns;
            columns.push_back(std::move(id));
            columns.push_back(std::move(mixed));
            columns.push_back(std::move(level));
            return cloudOf({{1, 2, 3}}, std::move(columns));
        };
        const std::vector<PosedCloud> scans{
            {scan(makeAttribute("id", ScalarType::int64, std::vector<std::int64_t>{large}),
                  makeAttribute("mixed", ScalarType::int64, std::vector<std::int64_t>{large}),
                  makeAttribute("level", ScalarType::uint8, std::vector<std::uint8_t>{200})),
             {}},
            {scan(makeAttribute("id", ScalarType::uint64, std::vector<std::uint64_t>{large + 2}),
                  makeAttribute("mixed", ScalarType::float32, std::vector<float>{0.5f}),
                  makeAttribute("level", ScalarType::int16, std::vector<std::int16_t>{-300})),
             {}}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        const Attribute& id = *merged.attribute("id");
        QCOMPARE(id.type, ScalarType::int64);
        const auto* ids = reinterpret_cast<const std::int64_t*>(id.data());
        QCOMPARE(ids[0], large);
        QCOMPARE(ids[1], large + 2);
        QVERIFY(!warns(merged, "'id'"));
        QCOMPARE(merged.attribute("mixed")->type, ScalarType::float64);
        QVERIFY(warns(merged, "'mixed'")); // no type holds the values of both scans
        QCOMPARE(merged.attribute("level")->type, ScalarType::int16);
        QCOMPARE(merged.attribute("level")->value(1), -300.0);
    }
    void mergedAttributesKeepTheFullScale() {
        const auto scan = [](std::optional<ValueRange> declared) {
            std::vector<Attribute> columns;
            for (const char* colour : {"red", "green", "blue"}) {
                columns.push_back(makeAttribute(colour, ScalarType::uint16, std::vector<std::uint16_t>{200}));
                columns.back().declared = declared;
            }
            return cloudOf({{1, 2, 3}}, std::move(columns));
        };
        constexpr ValueRange ten{0, 1023}, nine{-1, 511};
        const auto rangeOf = [&](std::optional<ValueRange> a, std::optional<ValueRange> b) {
            return *mergeClouds(std::vector<PosedCloud>{{scan(a), {}}, {scan(b), {}}}, {}, {}).colourRange();
        };
        QVERIFY((rangeOf(ten, ten) == ten));
        QVERIFY((rangeOf(nine, ten) == ValueRange{-1, 1023}));
        // the range is derived from the values, because one scan declares none
        QVERIFY((rangeOf(ten, std::nullopt) == ValueRange{0, 255}));
    }
    void scansOfDifferentSystemsAreReported() {
        const auto named = [](const char* system) {
            const std::vector<Vec3f> points{{1, 2, 3}};
            PointCloud cloud(FloatPositions{hostCopy(std::span(points))}, {}, {});
            cloud.coordinateSystem = system;
            return std::make_shared<const PointCloud>(std::move(cloud));
        };
        const char* north = "PROJCS[\"ETRS89 / UTM zone 32N\",GEOGCS[\"ETRS89\"]]";
        const char* south = "PROJCS[\"WGS 84 / UTM zone 33S\",GEOGCS[\"WGS 84\"]]";
        const PointCloud mixed = mergeClouds(
            std::vector<PosedCloud>{{named(north), {}}, {named(""), {}}, {named(south), {}}}, {}, {});
        QVERIFY(warns(mixed, "ETRS89 / UTM zone 32N") && warns(mixed, "WGS 84 / UTM zone 33S"));
        // the system of the first scan, which defines the frame
        QCOMPARE(mixed.coordinateSystem, std::string(north));
        const PointCloud same = mergeClouds(
            std::vector<PosedCloud>{{named(north), {}}, {named(north), {}}, {named(""), {}}}, {}, {});
        QVERIFY(same.warnings.empty());
        QCOMPARE(same.coordinateSystem, std::string(north));
        // a moved scan is no longer in its coordinate system
        const RigidTransform moved{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {5, 0, 0}};
        const PointCloud elsewhere = mergeClouds(std::vector<PosedCloud>{{named(north), moved}}, {}, {});
        QVERIFY(elsewhere.coordinateSystem.empty() && warns(elsewhere, "coordinate system"));
    }

    void anEmptyScanAddsNoPoints() {
        const std::vector<PosedCloud> scans{
            {cloudOf({{1, 2, 3}}, {}), {}}, {cloudOf({{kNan, 0, 0}}, {}), {}}, {cloudOf({}, {}), {}}};
        const PointCloud merged = mergeClouds(scans, {}, {});
        QCOMPARE(merged.size(), std::size_t(2));
        QCOMPARE(merged.notFinite(), std::uint64_t(1));
    }
    void missingScansAreReported() {
        QVERIFY(says(errorOf([] { mergeClouds({}, {}, {}); }), "no scan"));
    }

    void framesOfADriveAreWhereTheirPosesSay_data() {
        QTest::addColumn<int>("scene");
        QTest::newRow("street") << int(synth::Scene::street);
        QTest::newRow("room") << int(synth::Scene::room);
    }
    void framesOfADriveAreWhereTheirPosesSay() {
        QFETCH(int, scene);
        synth::ScanParams params;
        params.scene = synth::Scene(scene);
        params.rangeNoise = 0;
        const SyntheticDrive drive(params, 5, 8000);
        QCOMPARE(drive.params.pointsPerRevolution, std::uint64_t(8000));
        for (const std::uint64_t frame : {0, 3}) {
            const PointCloud cloud = drive.cloud(frame, true, {});
            QCOMPARE(cloud.size(), std::size_t(8000));
            const RigidTransform pose = drive.pose(frame);
            std::array<int, 36> around{}; // counts of points in sectors of 10 degrees
            for (std::size_t i = 0; i < cloud.size(); ++i) {
                const Vec3d p = cloud.position(i);
                QVERIFY(std::abs(synth::signedDistance(params.scene, pose(p))) < 1e-3);
                const double turn = std::atan2(p.y, p.x) / std::numbers::pi * 18 + 18;
                ++around[std::size_t(std::clamp(int(turn), 0, 35))];
            }
            // every sector has points: a whole revolution
            QVERIFY(*std::min_element(around.begin(), around.end()) > 100);
        }
    }
    void drivesOfNothingAreRefused() {
        QVERIFY_EXCEPTION_THROWN(SyntheticDrive({}, 0, 1000), KernelError);
        QVERIFY_EXCEPTION_THROWN(SyntheticDrive({}, 1'000'000, 1'000'000), KernelError);
    }
};

SCANLOUPE_TEST(TestPosedScans)
#include "test_posed_scans.moc"
