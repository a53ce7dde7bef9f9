// Clouds of sensor sweeps, drives made of sweeps, and box worlds as their scenes.
#include "engine/cloud/point_cloud.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "kernels/synth/lidar_sweep_element.h"
#include "tests/support/box_world.h"
#include "tests/support/test_support.h"

#include <cmath>

using namespace scanloupe;
using namespace scanloupe::test;

class TestSensorScans : public QObject {
    Q_OBJECT

private slots:
    void cloudsHaveTheSensorAndTheAttributes() {
        synth::LidarSweep sweep;
        sweep.pose.translation = {5, 0, 1.8};
        const synth::SolidScene street = makePlace(synth::Place::street, 2);
        const auto points = generateSweep(sweep, street, {});
        const PointCloud cloud = sweepCloud(sweep, street, true, {});
        QCOMPARE(cloud.size(), points.size());
        QVERIFY(cloud.sensor && *cloud.sensor == SensorPose{});
        QCOMPARE(cloud.format, std::string(kGeneratedFormat));
        for (const char* name : {"intensity", "time", "ring", "sensor_x", "normal_z"})
            QVERIFY2(cloud.attribute(name), name);
        for (std::size_t i = 0; i < points.size(); i += 97) {
            QVERIFY(cloud.position(i) == points[i].position.as<double>());
            QCOMPARE(cloud.attribute("ring")->value(i), double(points[i].ring));
            QCOMPARE(cloud.attribute("time")->value(i), double(points[i].time));
        }
    }

    void framesOfADriveMeetInTheScene() {
        synth::LidarSweep first;
        first.pose = fromRollPitchYaw({0, 0, 0.1}, {-3, -0.5, 1.8});
        first.twist = {{9, 0, 0}, {0, 0, -0.2}};
        first.rangeNoise = 0;
        const auto sweeps = driveSweeps(first, 8);
        QCOMPARE(sweeps.size(), std::size_t(8));
        const synth::SolidScene street = makePlace(synth::Place::street, 3);
        for (std::size_t f = 0; f < sweeps.size(); ++f) {
            QCOMPARE(sweeps[f].frame, std::uint64_t(f));
            const RigidTransform expected = first.pose * motionAfter(first.twist, 0.1 * double(f));
            QVERIFY(norm(sweeps[f].pose.translation - expected.translation) < 1e-9);
            QVERIFY(rotationAngle(sweeps[f].pose.inverse() * expected) < 1e-9);
            const PointCloud cloud = sweepCloud(sweeps[f], street, false, {});
            for (std::size_t i = 0; i < cloud.size(); ++i)
                QVERIFY(std::abs(distance(street.view(), sweeps[f].pose(cloud.position(i)))) < 3e-5);
        }
        QVERIFY_EXCEPTION_THROWN(driveSweeps(first, 0), KernelError);
    }

    void boxWorldsAreScenesForSensors() {
        for (const WorldKind kind : {WorldKind::room, WorldKind::corridor, WorldKind::hall})
            for (const std::uint32_t seed : {1U, 2U}) {
                const BoxWorld world(kind, seed);
                std::mt19937 random(seed);
                synth::LidarSweep sweep;
                sweep.pose = world.sensorPose(0.3, random);
                sweep.rangeNoise = 0;
                const synth::SolidScene scene = world.solids();
                // rays of the box world hit the surfaces of the scene
                for (const Vec3f& p : world.scan(sweep.pose, 16, 90, 0, random))
                    QVERIFY(std::abs(distance(scene.view(), sweep.pose(p.as<double>()))) < 1e-4);
                QVERIFY(generateSweep(sweep, scene, {}).size() > 10'000);
            }
        const synth::SolidScene street = BoxWorld(WorldKind::street, 1).solids();
        QVERIFY(street.boxes.size() > 30 && street.cylinders.size() == 14 && street.planes.size() == 1);
    }
};

SCANLOUPE_TEST(TestSensorScans)
#include "test_sensor_scans.moc"
