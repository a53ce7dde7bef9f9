// Registration by surfaces on the device, compared with the host bit by bit: shapes, growing maps, poses.
// Skipped without a device.
#include "kernels/core/device_copy.h"
#include "kernels/register/surface_device.h"
#include "tests/kernels/register/registration_scenes.h"

#include <algorithm>
#include <limits>
#include <optional>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Consecutive scans of a place along its x axis.
struct SweepDrive {
    std::vector<std::vector<Vec3f>> scans;
    std::vector<RigidTransform> poses; ///< T_first_scan
};
SweepDrive sweepDrive(synth::Place place, std::uint64_t seed, std::size_t count) {
    const synth::SolidScene scene = synth::makePlace(place, seed);
    SweepDrive drive;
    for (std::size_t i = 0; i < count; ++i) {
        const RigidTransform pose = fromRollPitchYaw({0.01, -0.005, 0.03 * double(i)},
                                                     {0.7 * double(i), 0.1, synth::usualHeight(place)});
        drive.scans.push_back(sweepFrom(scene, pose, seed % 4, seed, i));
        drive.poses.push_back(i == 0 ? RigidTransform{} : pose);
    }
    const RigidTransform first = fromRollPitchYaw({0.01, -0.005, 0}, {0, 0.1, synth::usualHeight(place)});
    for (std::size_t i = 1; i < count; ++i)
        drive.poses[i] = first.inverse() * drive.poses[i];
    return drive;
}

PointShapeParams shapeParams(double edge, int neighbours) {
    return {.edge = edge, .neighbours = neighbours, .viewpoint = Vec3d{}};
}

bool samePatches(std::span<const SurfacePatch> a, std::span<const SurfacePatch> b) {
    return std::ranges::equal(a, b, [](const SurfacePatch& p, const SurfacePatch& q) {
        return p.mean == q.mean && p.normal == q.normal && p.next == q.next;
    });
}

double largestDifference(const RigidTransform& a, const RigidTransform& b) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        most = std::max(most, std::abs(a.translation[axis] - b.translation[axis]));
        for (int row = 0; row < 3; ++row)
            most = std::max(most, std::abs(a.rows[row][axis] - b.rows[row][axis]));
    }
    return most;
}

} // namespace

class TestSurfaceDevice : public QObject {
    Q_OBJECT

    Buffer<Vec3f> there(const std::vector<Vec3f>& points) {
        Buffer<Vec3f> copy = deviceCopy(std::span<const Vec3f>(points), stream());
        stream().synchronize();
        return copy;
    }
    cuda::DeviceSurfacePyramid surfacesThere(const std::vector<Vec3f>& points, double edge,
                                             int neighbours = 0, Vec3d origin = {}) {
        cuda::DeviceSurfacePyramid surfaces(edge, 2, true);
        surfaces.add(cuda::findPointShapes(there(points), shapeParams(edge, neighbours), {}, stream()),
                     origin, {}, stream());
        return surfaces;
    }
    SurfacePyramid surfacesHere(const std::vector<Vec3f>& points, double edge, int neighbours) {
        SurfacePyramid surfaces(edge, 2, true);
        surfaces.add(cpu::findPointShapes(points, shapeParams(edge, neighbours), {}), {}, {});
        return surfaces;
    }
    void compareShapes(const std::vector<Vec3f>& points, const PointShapeParams& params) {
        const PointShapes host = cpu::findPointShapes(points, params, {});
        const PointShapes device =
            cuda::findPointShapes(there(points), params, {}, stream()).download(stream());
        QCOMPARE(device.size(), host.size());
        QVERIFY(device.points == host.points);
        QVERIFY(device.planarity == host.planarity);
        QVERIFY(device.thickness == host.thickness);
        QVERIFY(device.normals == host.normals);
    }
    void comparePyramids(const cuda::DeviceSurfacePyramid& device, const SurfacePyramid& host) {
        QCOMPARE(device.levels().size(), host.levels().size());
        for (std::size_t level = 0; level < host.levels().size(); ++level) {
            const SurfaceMap& map = host.levels()[level];
            QVERIFY(device.levels()[level].origin() == map.origin());
            QCOMPARE(device.levels()[level].patchCount(), map.patchCount());
            QVERIFY(samePatches(device.levels()[level].patches(stream()), map.patches()));
        }
    }
    void compareResults(const RegistrationResult& device, const RegistrationResult& host) {
        QCOMPARE(int(device.end), int(host.end));
        QCOMPARE(device.iterations, host.iterations);
        QCOMPARE(device.surfaces, host.surfaces);
        QCOMPARE(device.matched, host.matched);
        QCOMPARE(device.geometry.weak, host.geometry.weak);
        const double off = largestDifference(device.pose, host.pose);
        QVERIFY2(off <= 1e-9, qPrintable(QString::number(off)));
        QVERIFY(std::abs(device.distance - host.distance) <= 1e-9);
        if (!sameResult(device, host))
            std::printf("bits differ: by %g\n", off);
    }
private slots:
    void initTestCase() {
        SCANLOUPE_NEEDS_CUDA();
        m_stream.emplace();
    }

    void shapesEqualThoseOfTheHost_data() {
        QTest::addColumn<int>("neighbours");
        for (const int neighbours : {0, 5, 16, 32})
            QTest::addRow("%d neighbours", neighbours) << neighbours;
    }
    void shapesEqualThoseOfTheHost() {
        QFETCH(int, neighbours);
        auto random = seededRandom("shapesEqualThoseOfTheHost");
        const auto nan = std::numeric_limits<float>::quiet_NaN(),
                   infinite = std::numeric_limits<float>::infinity();
        for (const double edge : {0.1, 0.25, 1.0}) {
            PointShapeParams params = shapeParams(edge, neighbours);
            std::vector<Vec3f> points = toFloat(sample(yard(), 40'000, 0.02, random));
            compareShapes(points, params);
            params.viewpoint.reset();
            for (std::size_t i = 0; i < points.size(); i += 97)
                points[i] = i % 2 ? Vec3f{nan, 1, 2} : Vec3f{0, -infinite, 0};
            compareShapes(points, params);
        }
        const SweepPair pair = makePair(synth::Place::street, 7, 0);
        compareShapes(pair.target, shapeParams(0.2, neighbours));
        compareShapes(pair.target, shapeParams(0.001, neighbours)); // keys of more than 32 bits
    }
    void shapesOfLittle() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const int neighbours : {0, 16}) {
            const PointShapeParams params = shapeParams(0.25, neighbours);
            compareShapes({}, params);
            compareShapes({{1, 2, 3}}, params);
            compareShapes({{nan, 0, 0}}, params);
            compareShapes(std::vector<Vec3f>(5000, Vec3f{1, 1, 1}), params);
            compareShapes(
                {{0, 0, 0}, {0.1F, 0, 0}, {0, 0.3F, 0}, {0.4F, 0.4F, 0}, {0.8F, 0, 0}, {0, 0.9F, 0}}, params);
        }
        const Buffer<Vec3f> points = there({{0, 0, 0}, {1e6F, 0, 0}});
        QVERIFY_THROWS_EXCEPTION(KernelError,
                                 cuda::findPointShapes(points, shapeParams(0.01, 0), {}, stream()));
        QVERIFY_THROWS_EXCEPTION(KernelError, cuda::findPointShapes(points, shapeParams(0, 0), {}, stream()));
        QVERIFY_THROWS_EXCEPTION(KernelError, cuda::findPointShapes(points, shapeParams(1, 4), {}, stream()));
    }

    void mapsGrowLikeThoseOfTheHost() {
        for (const bool isOriented : {true, false}) {
            const SweepDrive drive = sweepDrive(synth::Place::street, 3, 6);
            SurfacePyramid host(0.2, 2, isOriented);
            cuda::DeviceSurfacePyramid device(0.2, 2, isOriented);
            for (std::size_t i = 0; i < drive.scans.size(); ++i) {
                const PointShapeParams params = shapeParams(0.2, i % 2 ? 16 : 0);
                const Vec3d origin{1000, -2000, 30};
                host.add(cpu::findPointShapes(drive.scans[i], params, {}), origin, drive.poses[i]);
                device.add(cuda::findPointShapes(there(drive.scans[i]), params, {}, stream()), origin,
                           drive.poses[i], stream());
                comparePyramids(device, host);
            }
            QVERIFY(device.bytes() > 0);
        }
    }
    void mapsDropWhatIsFar() {
        const SweepDrive drive = sweepDrive(synth::Place::street, 4, 6);
        SurfacePyramid host(0.2, 2, true);
        cuda::DeviceSurfacePyramid device(0.2, 2, true);
        device.keepNear({}, 10, stream());
        for (std::size_t i = 0; i < drive.scans.size(); ++i) {
            const PointShapes shapes = cpu::findPointShapes(drive.scans[i], shapeParams(0.2, 0), {});
            const auto there = cuda::DevicePointShapes::upload(shapes, stream());
            host.add(shapes, {}, drive.poses[i]);
            device.add(there, {}, drive.poses[i], stream());
            const cuda::DeviceSurfacePyramid before = device.copy(stream());
            comparePyramids(before, host);
            const Vec3d place = drive.poses[i].translation;
            const double radius = 20.0 - 2.5 * double(i);
            const std::uint32_t patches = host.levels().front().patchCount();
            host.keepNear(place, radius);
            device.keepNear(place, radius, stream());
            QVERIFY(host.levels().front().patchCount() < patches);
            comparePyramids(device, host);
            QCOMPARE(before.levels().front().patchCount(), patches); // the copy has the same patches
        }
        host.keepNear({1e5, 0, 0}, 1);
        device.keepNear({1e5, 0, 0}, 1, stream());
        comparePyramids(device, host);
        const PointShapes shapes = cpu::findPointShapes(drive.scans[0], shapeParams(0.2, 0), {});
        host.add(shapes, {}, {});
        device.add(cuda::DevicePointShapes::upload(shapes, stream()), {}, {}, stream());
        comparePyramids(device, host);
    }
    void mapsOfLittle() {
        cuda::DeviceSurfacePyramid map(0.25, 2, true);
        const auto shapesOf = [&](const std::vector<Vec3f>& points) {
            return cuda::findPointShapes(there(points), shapeParams(0.25, 0), {}, stream());
        };
        map.add(shapesOf({}), {}, {}, stream());
        map.add(shapesOf({{1, 1, 1}}), {}, {}, stream());
        QCOMPARE(map.levels().front().patchCount(), 0U);
        const YardPair pair = yardPair("mapsOfLittle");
        RigidTransform far;
        far.translation.x = 3e6; // too far from the start of the map
        map.add(shapesOf(pair.target), {}, {}, stream());
        const std::vector<SurfacePatch> before = map.levels().front().patches(stream());
        QVERIFY_THROWS_EXCEPTION(KernelError, map.add(shapesOf(pair.target), {}, far, stream()));
        QVERIFY(samePatches(map.levels().front().patches(stream()), before));
        far.translation.x = std::numeric_limits<double>::infinity();
        QVERIFY_THROWS_EXCEPTION(KernelError, map.add(shapesOf(pair.target), {}, far, stream()));
        SurfacePyramid host(0.25, 2, true); // the map continues as if nothing had happened
        const PointShapes shapes = cpu::findPointShapes(pair.target, shapeParams(0.25, 0), {});
        host.add(shapes, {}, {});
        host.add(shapes, {}, pair.truth);
        map.add(shapesOf(pair.target), {}, pair.truth, stream());
        comparePyramids(map, host);
    }

    void posesEqualThoseOfTheHost_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<double>("edge");
        QTest::newRow("street") << int(synth::Place::street) << 0.2;
        QTest::newRow("cluttered corridor") << int(synth::Place::cluttered) << 0.125;
        QTest::newRow("corridor") << int(synth::Place::corridor) << 0.125;
        QTest::newRow("room") << int(synth::Place::room) << 0.125;
        QTest::newRow("racks") << int(synth::Place::racks) << 0.25;
    }
    void posesEqualThoseOfTheHost() {
        QFETCH(int, place);
        QFETCH(double, edge);
        for (std::uint64_t seed = 2000; seed < 2003; ++seed) {
            const SweepPair pair = makePair(synth::Place(place), seed, 1);
            for (const int neighbours : {0, 16}) {
                const SurfacePyramid target = surfacesHere(pair.target, edge, neighbours),
                                     source = surfacesHere(pair.source, edge, neighbours);
                const auto targetThere = surfacesThere(pair.target, edge, neighbours),
                           sourceThere = surfacesThere(pair.source, edge, neighbours);
                comparePyramids(targetThere, target);
                for (const RegistrationMethod method : kMethods) {
                    RegistrationParams params;
                    params.method = method;
                    compareResults(
                        cuda::registerSurfaces(targetThere, sourceThere, pair.start, params, {}, stream()),
                        cpu::registerSurfaces(target, source, pair.start, params, {}));
                }
            }
        }
    }
    void kernelsAndOneLevel() {
        const YardPair pair = yardPair("kernelsAndOneLevel");
        for (const double edge : {0.25, 1.5}) { // pyramids of three levels and of one level
            const SurfacePyramid target = surfacesHere(pair.target, edge, 0),
                                 source = surfacesHere(pair.source, edge, 0);
            const auto targetThere = surfacesThere(pair.target, edge),
                       sourceThere = surfacesThere(pair.source, edge);
            for (int kernel = 0; kernel < int(std::size(kRobustKernelKeys)); ++kernel) {
                RegistrationParams params;
                params.kernel = RobustKernel(kernel);
                params.maxIterations = kernel == 3 ? 4 : 30;
                compareResults(cuda::registerSurfaces(targetThere, sourceThere, {}, params, {}, stream()),
                               cpu::registerSurfaces(target, source, {}, params, {}));
            }
        }
    }
    void largeScansAndCoordinates() { // several patches a lane; 90 km from the origin
        const YardPair pair = yardPair("largeScansAndCoordinates");
        auto random = seededRandom("largeScansAndCoordinates");
        const std::vector<Vec3f> dense = toFloat(sample(yard(), 600'000, 0.01, random));
        const Vec3d far{90'000, -45'000, 300};
        SurfacePyramid target(0.06, 2, true), source(0.06, 2, true);
        cuda::DeviceSurfacePyramid targetThere(0.06, 2, true), sourceThere(0.06, 2, true);
        const auto params = shapeParams(0.06, 0);
        for (const auto& [host, device] :
             {std::pair(&target, &targetThere), std::pair(&source, &sourceThere)}) {
            host->add(cpu::findPointShapes(dense, params, {}), far, {});
            device->add(cuda::findPointShapes(there(dense), params, {}, stream()), far, {}, stream());
        }
        QVERIFY(source.levels()[kFinestLevel].patchCount() > 40'000);
        RigidTransform start;
        start.translation = {0.1, -0.05, 0.02};
        compareResults(cuda::registerSurfaces(targetThere, sourceThere, start, {}, {}, stream()),
                       cpu::registerSurfaces(target, source, start, {}, {}));
    }
    void driveToAMap() { // aligns each scan to the map of all scans before it
        const SweepDrive drive = sweepDrive(synth::Place::street, 5, 5);
        std::optional<SurfacePyramid> map;
        std::optional<cuda::DeviceSurfacePyramid> mapThere;
        for (std::size_t i = 0; i < drive.scans.size(); ++i) {
            const auto shapes = cpu::findPointShapes(drive.scans[i], shapeParams(0.2, 16), {});
            const auto shapesThere =
                cuda::findPointShapes(there(drive.scans[i]), shapeParams(0.2, 16), {}, stream());
            RigidTransform pose, poseThere;
            if (i == 0) {
                map.emplace(0.2, 2, true);
                mapThere.emplace(0.2, 2, true);
            } else {
                SurfacePyramid scan(0.2, 2, true);
                scan.add(shapes, {}, {});
                cuda::DeviceSurfacePyramid scanThere(0.2, 2, true);
                scanThere.add(shapesThere, {}, {}, stream());
                const auto host = cpu::registerSurfaces(*map, scan, drive.poses[i - 1], {}, {});
                const auto device =
                    cuda::registerSurfaces(*mapThere, scanThere, drive.poses[i - 1], {}, {}, stream());
                compareResults(device, host);
                VERIFY_POSE(device.pose, drive.poses[i], 30, 0.2);
                pose = host.pose;
                poseThere = device.pose;
            }
            map->add(shapes, {}, pose);
            mapThere->add(shapesThere, {}, poseThere, stream());
        }
    }

    void endsAreTheHosts() {
        const YardPair pair = yardPair("endsAreTheHosts");
        const auto target = surfacesThere(pair.target, 0.25);
        for (const std::size_t count : {0, 1, 9}) {
            const auto few =
                surfacesThere({pair.source.begin(), pair.source.begin() + std::ptrdiff_t(count)}, 0.25);
            QCOMPARE(cuda::registerSurfaces(target, few, {}, {}, {}, stream()).end,
                     RegistrationEnd::noSurfaces);
            QCOMPARE(cuda::registerSurfaces(few, target, {}, {}, {}, stream()).end,
                     RegistrationEnd::noTarget);
        }
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const auto none = surfacesThere(std::vector<Vec3f>(1000, Vec3f{nan, 0, 0}), 0.25);
        QCOMPARE(cuda::registerSurfaces(target, none, {}, {}, {}, stream()).end, RegistrationEnd::noSurfaces);
        RigidTransform start;
        start.translation = {500, 0, 0};
        const auto apart =
            cuda::registerSurfaces(target, surfacesThere(pair.source, 0.25), start, {}, {}, stream());
        QCOMPARE(apart.end, RegistrationEnd::noOverlap);
        QVERIFY(apart.pose == start);
    }
    void wrongParametersAreRefused() {
        const YardPair pair = yardPair("wrongParametersAreRefused");
        const auto surfaces = surfacesThere(pair.target, 0.25);
        RegistrationParams params;
        params.scale = 0;
        QVERIFY_THROWS_EXCEPTION(KernelError,
                                 cuda::registerSurfaces(surfaces, surfaces, {}, params, {}, stream()));
        QVERIFY_THROWS_EXCEPTION(
            Fault,
            cuda::registerSurfaces(surfaces, cuda::DeviceSurfacePyramid(0.2, 2, true), {}, {}, {}, stream()));
        QVERIFY_THROWS_EXCEPTION(KernelError, cuda::DeviceSurfacePyramid(0, 2, true));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_THROWS_EXCEPTION(
            Cancelled, cuda::registerSurfaces(surfaces, surfaces, {}, {}, stop.get_token(), stream()));
        QVERIFY_THROWS_EXCEPTION(Cancelled, cuda::findPointShapes(there(pair.target), shapeParams(0.25, 0),
                                                                  stop.get_token(), stream()));
    }

    void aHundredTimesTheSameBits() {
        const SweepPair pair = makePair(synth::Place::cluttered, 1001, 1);
        std::optional<RegistrationResult> first;
        PointShapes shapes;
        for (int round = 0; round < 100; ++round) {
            const auto again = cuda::findPointShapes(there(pair.source),
                                                     shapeParams(0.125, round % 2 ? 16 : 0), {}, stream());
            if (round % 2)
                continue; // the stream does other work in between
            const PointShapes here = again.download(stream());
            const auto result =
                cuda::registerSurfaces(surfacesThere(pair.target, 0.125), surfacesThere(pair.source, 0.125),
                                       pair.start, {}, {}, stream());
            if (!first) {
                first = result;
                shapes = here;
            }
            QVERIFY(sameResult(*first, result));
            QVERIFY(here.points == shapes.points && here.normals == shapes.normals);
        }
        const auto target = surfacesThere(pair.target, 0.125), source = surfacesThere(pair.source, 0.125);
        for (int round = 0; round < 100; ++round)
            QVERIFY(sameResult(*first, cuda::registerSurfaces(target, source, pair.start, {}, {}, stream())));
    }
    void tenThousandTimes() {
        auto random = seededRandom("tenThousandTimes");
        const RigidTransform sensor{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, -2, 1.8}};
        const auto points = [&] { return seenFrom(sensor, sample(yard(), 3'000, 0.01, random), 10); };
        const auto target = surfacesThere(points(), 0.5), source = surfacesThere(points(), 0.5);
        RigidTransform start;
        start.translation = {0.2, 0.1, 0};
        const auto first = cuda::registerSurfaces(target, source, start, {}, {}, stream());
        for (int round = 0; round < 10'000; ++round)
            QVERIFY(sameResult(first, cuda::registerSurfaces(target, source, start, {}, {}, stream())));
    }
    void times() { // printed for inspection; the benchmark compares them
        const SweepPair pair = makePair(synth::Place::street, 1003, 0.5);
        const Buffer<Vec3f> target = there(pair.target), source = there(pair.source);
        double least[4] = {1e9, 1e9, 1e9, 1e9}, device = 1e9;
        int iterations = 0;
        for (int round = 0; round < 30; ++round) {
            const auto shapesOf = [&](const Buffer<Vec3f>& points, int neighbours) {
                auto shapes = cuda::findPointShapes(points, shapeParams(0.2, neighbours), {}, stream());
                stream().synchronize();
                return shapes;
            };
            const auto timed = [&](int which, const auto& work) {
                const WallTimer timer;
                auto result = work();
                least[which] = std::min(least[which], timer.elapsedMs());
                return result;
            };
            timed(0, [&] { return shapesOf(source, 0); });
            const auto shapes = timed(1, [&] { return shapesOf(source, 16); });
            cuda::DeviceSurfacePyramid map(0.2, 2, true), scan(0.2, 2, true);
            map.add(shapesOf(target, 16), {}, {}, stream());
            timed(2, [&] {
                scan.add(shapes, {}, {}, stream());
                return 0;
            });
            const auto result =
                timed(3, [&] { return cuda::registerSurfaces(map, scan, pair.start, {}, {}, stream()); });
            device = std::min(device, result.cost.deviceMs);
            iterations = result.iterations;
        }
        std::printf(
            "%zu points: shapes %.3f ms (16 neighbours %.3f), surfaces %.3f, registration %.3f (device "
            "%.3f, %d iterations)\n",
            pair.source.size(), least[0], least[1], least[2], least[3], device, iterations);
    }
    void cleanupTestCase() { m_stream.reset(); }

private:
    StreamView stream() { return m_stream->view(); }
    std::optional<Stream> m_stream;
};

SCANLOUPE_TEST(TestSurfaceDevice)
#include "test_surface_device.moc"
