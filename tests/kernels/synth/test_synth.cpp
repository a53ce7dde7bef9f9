// The simulated lidar: order, noise, path, errors, cancellation. Its measurements are tested in
// test_synth_scenes.
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/synth/scan_generator_element.h"
#include "tests/support/scene_distance.h"
#include "tests/support/test_support.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::synth;

namespace {

constexpr std::array kScenes{Scene::street, Scene::room, Scene::bumpy};

std::vector<ScanPoint> makeScan(const ScanParams& params) {
    std::vector<ScanPoint> points(params.points);
    generate(params, 0, points, {});
    return points;
}

/// Compares two points field by field and bit by bit, without padding.
bool same(const ScanPoint& a, const ScanPoint& b) {
    const auto bits = [](const ScanPoint& p) {
        return std::array{p.position.x, p.position.y, p.position.z, p.intensity, p.time,     float(p.ring),
                          p.sensor.x,   p.sensor.y,   p.sensor.z,   p.normal.x,  p.normal.y, p.normal.z};
    };
    const auto x = bits(a), y = bits(b);
    return std::memcmp(x.data(), y.data(), sizeof x) == 0;
}

} // namespace

class TestSynth : public QObject {
    Q_OBJECT

private slots:
    void polynomialSinesAgreeWithTheLibrary() {
        for (double x = -300; x < 9000; x += 0.0137) {
            const SinCos s = sinCos(x);
            QVERIFY2(std::abs(s.sine - std::sin(x)) < 2e-14 && std::abs(s.cosine - std::cos(x)) < 2e-14,
                     qPrintable(QString::number(x)));
        }
    }

    void pointsDependOnTheirIndexAlone() {
        for (const Scene scene : kScenes) {
            const ScanParams params{.scene = scene, .points = 20'000, .seed = 5};
            const auto whole = makeScan(params);
            for (const std::size_t piece : {std::size_t{1}, std::size_t{37}, std::size_t{6'001}}) {
                const std::size_t limit = piece == 1 ? 500 : whole.size();
                for (std::size_t first = 0; first < limit; first += piece) {
                    std::vector<ScanPoint> part(std::min(piece, whole.size() - first));
                    generate(params, first, part, {});
                    for (std::size_t i = 0; i < part.size(); ++i)
                        QVERIFY(same(part[i], whole[first + i]));
                }
            }
            QVERIFY(same(makeScanPoint(params, sceneGeometry(), 12'345), whole[12'345]));
        }
    }

    void theSeedChangesTheNoiseOnly() {
        for (const Scene scene : {Scene::room, Scene::bumpy}) {
            ScanParams params{.scene = scene, .points = 2'000};
            const auto one = makeScan(params);
            params.seed = 2;
            const auto two = makeScan(params);
            std::size_t moved = 0;
            for (std::size_t i = 0; i < one.size(); ++i) {
                moved += one[i].position == two[i].position ? 0 : 1;
                QVERIFY(one[i].normal == two[i].normal);
            }
            QVERIFY(moved > 1'990);
        }
    }

    void noiseRunsAlongTheRayWithTheRightSpread() {
        for (const Scene scene : {Scene::room, Scene::bumpy}) {
            ScanParams params{.scene = scene, .points = 200'000, .rangeNoise = 0.02F};
            const auto noisy = makeScan(params);
            params.rangeNoise = 0;
            const auto clean = makeScan(params);
            double sum = 0, squares = 0, cubes = 0, aside = 0, beyond = 0;
            for (std::size_t i = 0; i < noisy.size(); ++i) {
                const Vec3d sensor = clean[i].sensor.as<double>();
                const Vec3d ray = clean[i].position.as<double>() - sensor;
                const Vec3d offset = noisy[i].position.as<double>() - clean[i].position.as<double>();
                const double along = dot(offset, normalized(ray)) / 0.02;
                aside = std::max(aside, norm(offset - normalized(ray) * dot(offset, normalized(ray))));
                sum += along;
                squares += along * along;
                cubes += along * along * along;
                beyond += std::abs(along) > 2 ? 1 : 0;
                QVERIFY(std::abs(along) < kGaussianBound + 1e-4);
            }
            const double n = double(noisy.size());
            QVERIFY2(std::abs(sum / n) < 0.01, qPrintable(QString::number(sum / n)));
            QVERIFY2(std::abs(squares / n - 1) < 0.015, qPrintable(QString::number(squares / n)));
            QVERIFY2(std::abs(cubes / n) < 0.03, qPrintable(QString::number(cubes / n)));
            QVERIFY2(std::abs(beyond / n - 0.0455) < 0.004, qPrintable(QString::number(beyond / n)));
            QVERIFY(aside < 2e-6);
        }
    }

    void pointsComeInScanOrder() {
        for (const Scene scene : kScenes) {
            const ScanParams params{.scene = scene, .points = 100'000};
            const auto points = makeScan(params);
            for (std::size_t i = 0; i < points.size(); ++i) {
                QCOMPARE(int(points[i].ring), int(i % 64));
                QCOMPARE(points[i].time, float(double(i) / 100'000 * scanDuration(params)));
                QVERIFY(points[i].intensity > 0 && points[i].intensity <= 1);
            }
        }
        // In a room without motion, higher rings see higher points, and columns turn to the left.
        const auto room = makeScan({.scene = Scene::room, .points = 100'000, .rangeNoise = 0});
        const auto direction = [&](std::size_t i) { return normalized(room[i].position - room[i].sensor); };
        for (std::size_t i = 0; i + 1 < room.size(); ++i)
            if (i % 64 != 63)
                QVERIFY(direction(i).z < direction(i + 1).z);
        for (std::size_t i = 0; i + 64 < 60'000; ++i)
            QVERIFY(cross(direction(i), direction(i + 64)).z > 0);
    }

    void theSensorsPathIsContinuous() {
        for (const Scene scene : kScenes) {
            const ScanParams params{.scene = scene, .points = 50'000};
            const double duration = scanDuration(params);
            const auto points = makeScan(params);
            double length = 0;
            for (std::size_t i = 0; i + 1 < points.size(); ++i) {
                const SensorPose here = sensorPose(params, double(i) / 50'000 * duration);
                const SensorPose next = sensorPose(params, double(i + 1) / 50'000 * duration);
                QVERIFY(norm(points[i].sensor.as<double>() - here.position) < 1e-5);
                const double step = norm(next.position - here.position);
                QVERIFY(step < 0.002 && std::abs(next.yaw - here.yaw) < 0.002);
                length += step;
                if (i % 500 == 0)
                    QVERIFY(signedDistance(scene, here.position) > 0.25);
            }
            QVERIFY2(length > (scene == Scene::room ? 2 : 20), qPrintable(QString::number(length)));
        }
        const SensorPose start = sensorPose({}, 0), end = sensorPose({}, scanDuration({}));
        QVERIFY(end.position.x - start.position.x > 20 && end.position.x - start.position.x < 30);
        QVERIFY(std::abs(start.position.z - 1.8) < 0.05);
    }

    void badParametersAreRefused() {
        std::vector<ScanPoint> points(10);
        const auto refuses = [&](const ScanParams& params, std::uint64_t first) {
            try {
                generate(params, first, points, {});
            } catch (const KernelError& error) {
                return !error.nextStep().empty();
            }
            return false;
        };
        QVERIFY(refuses({.points = 999}, 0));
        QVERIFY(refuses({.points = 1'000'000'001}, 0));
        QVERIFY(refuses({.rangeNoise = -0.01F}, 0));
        QVERIFY(refuses({.rangeNoise = std::numeric_limits<float>::quiet_NaN()}, 0));
        QVERIFY(refuses({.rangeNoise = std::numeric_limits<float>::infinity()}, 0));
        QVERIFY_EXCEPTION_THROWN(generate({.points = 1'000}, 991, points, {}), Fault);
        QVERIFY_EXCEPTION_THROWN(
            generate({.points = 1'000}, std::numeric_limits<std::uint64_t>::max() - 3, points, {}), Fault);
        QVERIFY(!refuses({.points = 1'000}, 990));
        QVERIFY(!refuses({.points = 1'000'000'000}, 0));
    }

    void aScanStopsWhenAsked() {
        std::stop_source stopped;
        stopped.request_stop();
        std::vector<ScanPoint> few(1'000);
        QVERIFY_EXCEPTION_THROWN(generate({.points = 1'000}, 0, few, stopped.get_token()), Cancelled);

        std::vector<ScanPoint> many(4'000'000);
        std::stop_source source;
        std::chrono::steady_clock::time_point asked;
        std::jthread asker([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(generate({.points = 4'000'000}, 0, many, source.get_token()), Cancelled);
        asker.join();
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - asked;
        QVERIFY2(taken.count() < 0.1 * 5,
                 qPrintable(QString::number(taken.count()))); // on an idle machine, it takes a fifth of this
    }

    void theLastOfABillionPointsIsInOrder() {
        for (const Scene scene : kScenes) {
            const ScanParams params{.scene = scene, .points = 1'000'000'000, .rangeNoise = 0};
            const ScanIndex last = scanIndex(params, 999'999'999);
            QCOMPARE(last.ring, std::uint64_t{63});
            const std::uint64_t perTurn = scene == Scene::bumpy ? 2048 : 4096;
            QCOMPARE(last.revolution, 999'999'999 / 64 / perTurn);
            QVERIFY(last.turn >= 0 && last.turn < 1);
            std::vector<ScanPoint> tail(2'000);
            generate(params, params.points - tail.size(), tail, {});
            QCOMPARE(int(tail.back().ring), 63);
            QCOMPARE(tail.back().time, float(scanDuration(params) * (1 - 1e-9)));
            QVERIFY(!(tail[0].position == tail[64].position));
            for (const ScanPoint& point : tail)
                QVERIFY(std::abs(signedDistance(scene, point.position.as<double>())) < 1e-4);
        }
        // All azimuths of a small scan are used: no scan is just a sector.
        const ScanParams small{.points = 1'000};
        QCOMPARE(scanIndex(small, 999).revolution, std::uint64_t{1});
    }
};

SCANLOUPE_TEST(TestSynth)
#include "test_synth.moc"
