// The device's pictures against the CPU's, pixel by pixel: every tier, full queues, the graph.
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/kernels/raster/raster_crowd.h"
#include "tests/kernels/raster/raster_graph_check.h"
#include "tests/support/bench_scenes.h"
#include "tests/support/uploaded_field.h"

#include <cstring>

using namespace scanloupe;
using namespace scanloupe::test;
using cuda::RasterGraph;
using cuda::RasterTuning;

class TestRasterDevice : public QObject {
    Q_OBJECT
private slots:
    void crowds_data() {
        QTest::addColumn<float>("size");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("small") << 0.1f << 640 << 360;
        QTest::newRow("mixed") << 2.0f << 333 << 251;
        QTest::newRow("huge") << 2000.0f << 200 << 130;
        QTest::newRow("fine picture") << 1.0f << 2500 << 1400;
    }
    void crowds() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(float, size);
        QFETCH(int, width);
        QFETCH(int, height);
        auto random = seededRandom("crowds");
        Crowd crowd;
        // fewer primitives, to limit the CPU's time
        fill(crowd, size > 100 ? 1000 : width > 2000 ? 4000 : 20000, size, random);
        for (const Projection& p : views(width, height)) {
            for (const float pointSize : {1.0f, 3.5f, 30.0f}) {
                crowd.scene.pointSize = pointSize;
                crowd.scene.backFaces = pointSize > 1;
                QCOMPARE(graphDifference(crowd.scene, p, {}), std::string());
            }
            crowd.scene.pointSize = 1;
            crowd.scene.pointExtent = 0.02f;
            QCOMPARE(graphDifference(crowd.scene, p, {}), std::string());
            crowd.scene.pointBlend = PointBlend::averaged;
            crowd.scene.pointSize = 5;
            QCOMPARE(graphDifference(crowd.scene, p, {}), std::string());
            crowd.scene.pointBlend = PointBlend::nearest;
            crowd.scene.pointExtent = 0;
        }
    }
    void everyWarpHasManyTriangles_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("below a pixel") << 640 << 360;
        QTest::newRow("some pixels") << 3840 << 2160;
    }
    void everyWarpHasManyTriangles() { // lists become full, so that clusters and steps run one after another
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, width);
        QFETCH(int, height);
        const BenchMesh bumpy = bumpyMesh(289);
        const TriangleMesh mesh = meshOf(bumpy.positions, bumpy.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        for (const bool backFaces : {false, true}) {
            scene.backFaces = backFaces;
            QCOMPARE(graphDifference(scene, Projection(benchCamera(), width, height), {}), std::string());
        }
    }
    void anyTuningDrawsTheSame() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("anyTuningDrawsTheSame");
        Crowd crowd;
        fill(crowd, 6000, 3, random);
        for (const Projection& p : views(300, 200)) {
            for (const int small : {0, 1, 30, 1000000})
                for (const int medium : {0, 40, 1000000}) {
                    RasterTuning tuning;
                    tuning.maxSmallPixels = tuning.maxSmallVoxelPixels = small;
                    tuning.maxMediumPixels = medium;
                    QCOMPARE(graphDifference(crowd.scene, p, tuning), std::string());
                }
        }
    }
    void fullQueuesDropNothing() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("fullQueuesDropNothing");
        Crowd crowd;
        fill(crowd, 5000, 4, random);
        for (const std::uint32_t room : {0u, 1u, 37u}) {
            RasterTuning tuning;
            tuning.maxSmallPixels = tuning.maxSmallVoxelPixels = 20;
            tuning.maxMediumPixels = 400;
            tuning.mediumCapacity = tuning.largeCapacity = tuning.voxelCapacity = room;
            for (const Projection& p : views(320, 200)) {
                RasterStats stats;
                QCOMPARE(graphDifference(crowd.scene, p, tuning, &stats), std::string());
                QVERIFY(stats.drawnInline > 0 || p.eye.x > 100); // from afar, nearly all triangles are small
            }
        }
    }
    void partsOfAScene() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("partsOfAScene");
        Crowd crowd;
        fill(crowd, 3000, 1, random);
        const Projection p = views(211, 157).front();
        for (int parts = 0; parts < 8; ++parts) {
            RasterScene scene = crowd.scene;
            if (!(parts & 1))
                scene.points = {};
            if (!(parts & 2))
                scene.mesh = nullptr;
            if (!(parts & 4))
                scene.voxels = nullptr;
            QCOMPARE(graphDifference(scene, p, {}), std::string());
        }
        const TriangleMesh noMesh;
        const VoxelGrid noVoxels;
        RasterScene empty;
        empty.mesh = &noMesh;
        empty.voxels = &noVoxels;
        QCOMPARE(graphDifference(empty, p, {}), std::string());
        // tests wide loads, and remainders that are too short for them
        for (std::size_t count = 1; count < 9; ++count) {
            RasterScene scene;
            scene.points = std::span(crowd.points).first(count);
            QCOMPARE(graphDifference(scene, p, {}), std::string());
        }
    }
    void misalignedPoints() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("misalignedPoints");
        Crowd crowd;
        fill(crowd, 3000, 1, random);
        const Stream stream;
        const Projection p = views(211, 157).front();
        RasterScene scene;
        scene.points = crowd.points;
        const DeviceScene device(scene, stream);
        for (std::size_t skipped = 1; skipped < 4; ++skipped) {
            scene.points = std::span(crowd.points).subspan(skipped);
            RasterScene there;
            there.points = device.scene().points.subspan(skipped);
            RasterStats stats, expected;
            const auto seen = cuda::rasterize(there, p, stats, stream).download(stream);
            QCOMPARE(difference(cpu::rasterize(scene, p, expected, {}), seen), std::string());
            QCOMPARE(stats.rejectedNotFinite, expected.rejectedNotFinite);
        }
    }
    void pointsInOnePixel() { // neighbours occlude each other, and lanes after the last point occlude nothing
        SCANLOUPE_NEEDS_CUDA();
        for (const bool orthographic : {false, true}) {
            const Projection p(cameraAt({0, -3, 0}, {0, 0, 0}, orthographic, 3), 33, 21);
            for (const float towards : {-0.001f, 0.0f, 0.001f})
                for (const std::size_t count : {1u, 2u, 3u, 5u, 127u, 130u, 1001u}) {
                    std::vector<Vec3f> points;
                    for (std::size_t i = 0; i < count; ++i) // points beyond the origin
                        points.push_back({0.0001f, 2 + towards * static_cast<float>(i % 700), 0.0002f});
                    RasterScene scene;
                    scene.points = points;
                    QCOMPARE(graphDifference(scene, p, {}), std::string());
                }
        }
    }
    void bumpySphere_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<bool>("backFaces");
        for (const int n : {5, 40, 200})
            for (const bool backFaces : {false, true})
                QTest::addRow("%d %d", n, backFaces) << n << backFaces;
    }
    void bumpySphere() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, n);
        QFETCH(bool, backFaces);
        const BenchMesh bumpy = bumpyMesh(n);
        const auto mesh = meshOf(bumpy.positions, bumpy.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.backFaces = backFaces;
        for (const auto& [width, height] : {std::pair{1920, 1080}, {600, 400}, {64, 64}, {1, 1}, {3000, 7}})
            QCOMPARE(graphDifference(scene, Projection(benchCamera(), width, height), {}), std::string());
        // a telephoto lens: rounding errors exceed the tolerance of the quick test
        Camera close = benchCamera();
        close.verticalFov = 1e-3;
        QCOMPARE(graphDifference(scene, Projection(close, 800, 600), {}), std::string());
        close.verticalFov = 3.1;
        QCOMPARE(graphDifference(scene, Projection(close, 800, 600), {}), std::string());
    }
    void largeTriangles() {
        SCANLOUPE_NEEDS_CUDA();
        const BenchMesh large = test::largeTriangles();
        const auto mesh = meshOf(large.positions, large.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        for (const auto& [width, height] : {std::pair{1920, 1080}, {1000, 701}, {65, 63}})
            QCOMPARE(graphDifference(scene, Projection(benchCamera(), width, height), {}), std::string());
    }
    void farFromTheOrigin() {
        SCANLOUPE_NEEDS_CUDA();
        const BenchMesh bumpy = bumpyMesh(60);
        std::vector<Vec3f> positions = bumpy.positions;
        for (Vec3f& position : positions)
            position = position + Vec3f{100000, -70000, 500};
        const auto mesh = meshOf(positions, bumpy.indices);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.points = positions;
        for (const bool orthographic : {false, true})
            QCOMPARE(graphDifference(scene,
                                     Projection(cameraAt({100002.2, -70001.7, 501.1}, {100000, -70000, 500},
                                                         orthographic, 2.5),
                                                400, 300),
                                     {}),
                     std::string());
    }
    void aSurfaceStaysOnTheDevice() {
        SCANLOUPE_NEEDS_CUDA();
        const auto field = denseField({40, 40, 40}, [](int x, int y, int z) {
            return float((x - 20) * (x - 20) + (y - 19) * (y - 19) + (z - 21) * (z - 21)) - 200.5f;
        });
        const Stream stream;
        const ScalarField there = uploaded(field, stream);
        const TriangleMesh mesh = cuda::extractSurface(there, 0, {}, stream), host = mesh.download(stream);
        RasterScene scene, expected;
        scene.mesh = &mesh;
        expected.mesh = &host;
        const Projection p(cameraAt({-20, -30, 50}, {20, 20, 20}), 400, 300);
        RasterStats stats;
        const auto seen = cuda::rasterize(scene, p, stats, stream);
        const auto reference = cpu::rasterize(expected, p, stats, {});
        QCOMPARE(difference(reference, seen.download(stream)), std::string());
        QCOMPARE(difference(cpu::resolve(reference, expected, p, {}, {}),
                            cuda::resolve(seen, scene, p, {}, stream).download(stream)),
                 std::string());
    }
    void oneGraphManyCameras() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("oneGraphManyCameras");
        Crowd crowd;
        fill(crowd, 4000, 1, random);
        const Stream stream;
        const DeviceScene device(crowd.scene, stream);
        RasterGraph graph(device.scene(), 320, 200, RasterGraph::Output::image, {}, stream);
        for (int round = 0; round < 3; ++round) {
            for (const Projection& p : views(320, 200)) {
                Shading shading;
                shading.light = round != 1;
                shading.eyeDome = round != 2;
                shading.eyeDomeStrength = 1.0f + static_cast<float>(round);
                graph.launch(p, shading, stream);
                RasterStats expected;
                const auto seen = cpu::rasterize(crowd.scene, p, expected, {});
                QCOMPARE(difference(seen, graph.visibility().download(stream)), std::string());
                QCOMPARE(difference(cpu::resolve(seen, crowd.scene, p, shading, {}),
                                    graph.image().download(stream)),
                         std::string());
            }
        }
        QVERIFY_EXCEPTION_THROWN(graph.launch(views(321, 200).front(), {}, stream), KernelError);
    }
    void sameBytesRunAfterRun() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("sameBytesRunAfterRun");
        Crowd crowd;
        fill(crowd, 20000, 1, random);
        const Stream stream;
        const DeviceScene device(crowd.scene, stream);
        const Projection p = views(800, 600).front();
        RasterGraph graph(device.scene(), 800, 600, RasterGraph::Output::image, {}, stream);
        graph.launch(p, {}, stream);
        const Image first = graph.image().download(stream);
        for (int run = 0; run < 50; ++run) {
            graph.launch(p, {}, stream);
            QCOMPARE(difference(first, graph.image().download(stream)), std::string());
        }
    }
    void aMissingVertexIsReportedByTheGraph() {
        SCANLOUPE_NEEDS_CUDA();
        const auto mesh = meshOf({{-1, 2, -1}, {1, 2, -1}, {0, 2, 1}}, {0, 1, 2, 0, 1, 3, 4, 1, 2});
        RasterScene scene;
        scene.mesh = &mesh;
        const Stream stream;
        const DeviceScene device(scene, stream);
        // draws with the path for small meshes, then with the one for large meshes
        for (const std::uint32_t smallMeshTriangles : {100u, 0u}) {
            RasterTuning tuning;
            tuning.smallMeshTriangles = smallMeshTriangles;
            RasterGraph graph(device.scene(), 32, 32, RasterGraph::Output::visibility, tuning, stream);
            graph.launch(Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 32, 32), {}, stream);
            try {
                static_cast<void>(graph.stats(stream));
                QFAIL("nothing was thrown");
            } catch (const KernelError& error) {
                QVERIFY(QString(error.what()).contains("triangle 1 "));
            }
        }
        QVERIFY_EXCEPTION_THROWN(RasterGraph(scene, 32, 32, RasterGraph::Output::image, {}, stream), Fault);
    }
};

SCANLOUPE_TEST(TestRasterDevice)
#include "test_raster_device.moc"
