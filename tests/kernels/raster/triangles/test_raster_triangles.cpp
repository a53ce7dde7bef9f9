#include "tests/kernels/raster/test_raster_support.h"

#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A quad grid of `n` x `n` over pixels [low, high]^2, its inner vertices and all depths jittered.
TriangleMesh sheet(const Projection& p, int n, double low, double high, double jitter, double depthJitter,
                   std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> indices;
    const double step = (high - low) / n;
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            const double x = low + step * (i + jitter * uniform(random)),
                         y = low + step * (j + jitter * uniform(random));
            positions.push_back(unproject(p, x, y, 2 + depthJitter * uniform(random)).as<float>());
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const auto a = static_cast<std::uint32_t>(j * (n + 1) + i), b = a + 1,
                       c = a + static_cast<std::uint32_t>(n) + 1, d = c + 1;
            if (random() & 1)
                indices.insert(indices.end(), {a, c, b, b, c, d});
            else
                indices.insert(indices.end(), {a, d, b, a, c, d});
        }
    }
    return meshOf(positions, indices);
}

/// How often each pixel is covered when every triangle is drawn alone.
std::vector<int> coverage(const TriangleMesh& mesh, const Projection& p) {
    std::vector<int> count(static_cast<std::size_t>(p.width * p.height), 0);
    TriangleMesh one;
    one.positions = hostCopy(mesh.positions.span());
    one.indices = Buffer<std::uint32_t>::host(3);
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        for (std::size_t i = 0; i < 3; ++i)
            one.indices[i] = mesh.indices[3 * t + i];
        RasterScene scene;
        scene.mesh = &one;
        const auto buffer = draw(scene, p);
        for (std::size_t i = 0; i < count.size(); ++i)
            count[i] += buffer.pixels[i] != 0;
    }
    return count;
}

TriangleMesh randomTriangles(const Projection& p, int count, double nearest, std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> indices;
    for (int t = 0; t < count; ++t) {
        const double x = uniform(random) * p.width, y = uniform(random) * p.height,
                     w = nearest + 4 * uniform(random);
        const double size =
            // mostly small triangles, and some larger than the picture
            std::pow(uniform(random), 6) * 4 * p.width + 0.5;
        for (int i = 0; i < 3; ++i) {
            indices.push_back(static_cast<std::uint32_t>(positions.size()));
            positions.push_back(unproject(p, x + size * (uniform(random) - 0.5),
                                          y + size * (uniform(random) - 0.5), w + uniform(random) * 0.5)
                                    .as<float>());
        }
    }
    return meshOf(positions, indices);
}

} // namespace

class TestRasterTriangles : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void sharedEdgesAreCoveredOnce_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("jitter");
        QTest::newRow("medium") << false << 8 << -5.0 << 70.0 << 0.3;
        QTest::newRow("subpixel") << false << 40 << 20.0 << 30.0 << 0.3;
        QTest::newRow("orthographic") << true << 12 << -5.0 << 70.0 << 0.3;
        QTest::newRow("vertices on pixel centres") << true << 16 << -1.5 << 62.5 << 0.0;
        QTest::newRow("vertices on pixel corners") << true << 16 << -1.0 << 63.0 << 0.0;
        QTest::newRow("wide edges") << false << 2 << -3000.0 << 2900.0 << 0.3;
        QTest::newRow("past the guard band") << false << 2 << -90000.0 << 70000.0 << 0.3;
    }
    void sharedEdgesAreCoveredOnce() {
        QFETCH(bool, orthographic);
        QFETCH(int, n);
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(double, jitter);
        auto random = seededRandom("sharedEdgesAreCoveredOnce");
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 64), 64, 64);
        for (int round = 0; round < 3; ++round) {
            const auto mesh = sheet(p, n, low, high, jitter, 0.4, random);
            const auto count = coverage(mesh, p);
            // within the sheet's ragged border every pixel is covered exactly once, elsewhere at most once
            const double margin = (high - low) / n * 0.5 + 1;
            for (int y = 0; y < 64; ++y) {
                for (int x = 0; x < 64; ++x) {
                    const int times = count[static_cast<std::size_t>(y * 64 + x)];
                    const bool inside =
                        x > low + margin && x < high - margin && y > low + margin && y < high - margin;
                    if (times > 1 || (inside && times != 1))
                        QFAIL(
                            qPrintable(QString("pixel %1, %2 is covered %3 times").arg(x).arg(y).arg(times)));
                }
            }
        }
    }
    void clippedFloorIsCoveredOnce() {
        // a floor below the eye, from behind it to far in front: its triangles cross the near plane
        auto random = seededRandom("clippedFloorIsCoveredOnce");
        std::uniform_real_distribution<float> uniform(-0.3f, 0.3f);
        std::vector<Vec3f> positions;
        std::vector<std::uint32_t> indices;
        const std::uint32_t n = 7;
        for (std::uint32_t j = 0; j <= n; ++j)
            for (std::uint32_t i = 0; i <= n; ++i)
                positions.push_back({(static_cast<float>(i) - 3.5f + uniform(random)) * 300,
                                     (static_cast<float>(j) - 3.5f + uniform(random)) * 300, -1});
        for (std::uint32_t j = 0; j < n; ++j)
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
                indices.insert(indices.end(), {a, b, d, a, d, c});
            }
        const auto mesh = meshOf(positions, indices);
        const Projection p(cameraAt({0.1, 0.2, 0}, {0.1, 5, 0}), 100, 80);
        const auto count = coverage(mesh, p);
        for (int y = 0; y < 80; ++y)
            for (int x = 0; x < 100; ++x)
                QCOMPARE(count[static_cast<std::size_t>(y * 100 + x)],
                         y >= 41   ? 1
                         : y >= 40 ? count[static_cast<std::size_t>(y * 100 + x)]
                                   : 0);
        RasterScene scene;
        scene.mesh = &mesh;
        const auto result = compareWithRays(
            draw(scene, p), p, [&](Vec3d s, Vec3d d) { return castTriangles(mesh, s, d, p.nearPlane); },
            1e-3);
        QCOMPARE(result.wrongId, 0);
        QCOMPARE(result.wrongDepth, 0);
        QVERIFY(result.compared > 7000);
    }
    void agreesWithRays_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::addColumn<double>("nearest");
        QTest::newRow("perspective") << false << 1.0;
        QTest::newRow("some behind the eye") << false << -1.5;
        QTest::newRow("orthographic") << true << 1.0;
        QTest::newRow("orthographic, some behind the eye") << true << -1.5;
    }
    void agreesWithRays() {
        QFETCH(bool, orthographic);
        QFETCH(double, nearest);
        auto random = seededRandom("agreesWithRays");
        for (const Vec3d target : {Vec3d{0, 3, 0}, Vec3d{1, 2, -0.7}, Vec3d{-2, 0.3, 1}}) {
            const Projection p(cameraAt({0.25, -0.5, 0.125}, target, orthographic, 2), 121, 83);
            const auto mesh = randomTriangles(p, 150, nearest, random);
            RasterScene scene;
            scene.mesh = &mesh;
            const auto result = compareWithRays(
                draw(scene, p), p, [&](Vec3d s, Vec3d d) { return castTriangles(mesh, s, d, p.nearPlane); },
                1e-3);
            QCOMPARE(result.wrongId, 0);
            QVERIFY2(result.wrongDepth * 500 <= result.compared,
                     qPrintable(QString::number(result.wrongDepth)));
            QVERIFY(result.compared > 8000);
        }
    }
    void oneTriangleOverTheScreen_data() {
        QTest::addColumn<float>("size");
        QTest::newRow("just larger") << 30.0f;
        QTest::newRow("a million units") << 1e6f;
    }
    void oneTriangleOverTheScreen() {
        QFETCH(float, size);
        const auto mesh = meshOf({{-size, 2, -size}, {size, 3, -size}, {0, 2.5f, size}}, {0, 1, 2});
        RasterScene scene;
        scene.mesh = &mesh;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 640, 360);
        RasterStats stats;
        const auto buffer = draw(scene, p, &stats);
        QCOMPARE(stats.drawnPixels, std::uint64_t{640 * 360});
        // includes the last row and column
        QCOMPARE(buffer.id(639, 359), primitiveId(PrimitiveKind::triangle, 0));
        QCOMPARE(buffer.id(0, 0), primitiveId(PrimitiveKind::triangle, 0));
        const auto hit = castTriangles(mesh, p.eye, unproject(p, 600.5, 20.5, 1) - p.eye, p.nearPlane);
        QVERIFY(std::abs(buffer.depth(600, 20, p) - hit.w) < 1e-4 * hit.w);
    }
    void edgeOfAHugeTriangleIsPlaced() {
        // an edge of two million units through the middle of the picture, at 45 degrees
        const auto mesh = meshOf({{-1e6f, 2, -1e6f}, {1e6f, 2, 1e6f}, {-1e6f, 2, 1e6f}}, {0, 1, 2});
        RasterScene scene;
        scene.mesh = &mesh;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 100, 100);
        const auto buffer = draw(scene, p);
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 100; ++x)
                if (x + y != 99)
                    QCOMPARE(buffer.id(x, y) != 0, x + y < 99); // pixels above and to the left of the edge
    }
    void aMillionBelowAPixel() {
        auto random = seededRandom("aMillionBelowAPixel");
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 64);
        const auto mesh = sheet(p, 708, -2, 66, 0.2, 0, random);
        RasterScene scene;
        scene.mesh = &mesh;
        RasterStats stats;
        const auto buffer = draw(scene, p, &stats);
        QVERIFY(mesh.triangleCount() > 1000000);
        QCOMPARE(stats.drawnPixels, std::uint64_t{64 * 64});
        for (int y = 0; y < 64; y += 7) {
            for (int x = 0; x < 64; x += 7) { // the triangle that is drawn contains the pixel's centre
                const std::size_t t = primitiveIndex(buffer.id(x, y));
                TriangleMesh one =
                    meshOf({mesh.positions[mesh.indices[3 * t]], mesh.positions[mesh.indices[3 * t + 1]],
                            mesh.positions[mesh.indices[3 * t + 2]]},
                           {0, 1, 2});
                RayHit hit;
                for (const double d : {0.0, 0.008, -0.008})
                    for (const double e : {0.0, 0.008, -0.008})
                        hit.keepNearer(
                            1,
                            castTriangles(one, p.eye, unproject(p, x + 0.5 + d, y + 0.5 + e, 1) - p.eye, 0.1)
                                .w);
                QVERIFY(std::isfinite(hit.w));
            }
        }
    }
    void notFiniteIsRejectedAndCounted() {
        const float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
        const auto mesh =
            meshOf({{-1, 2, -1}, {1, 2, -1}, {0, 2, 1}, {nan, 2, 0}, {0, inf, 0}, {nan, nan, nan}},
                   {0, 1, 3, 0, 1, 4, 0, 1, 2}); // no triangle uses vertex 5
        RasterScene scene;
        scene.mesh = &mesh;
        RasterStats stats;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 32, 32);
        const auto buffer = draw(scene, p, &stats);
        QCOMPARE(stats.rejectedNotFinite, std::uint64_t{2});
        QCOMPARE(buffer.id(16, 16), primitiveId(PrimitiveKind::triangle, 2));
        QVERIFY(stats.drawnPixels > 0 && stats.drawnPixels < 32 * 32);
    }
    void zeroAreaDrawsNothing() {
        const auto mesh =
            meshOf({{-1, 2, 0}, {0, 2, 0}, {1, 2, 0}, {0, 3, 0.4f}}, {0, 1, 2, 0, 0, 1, 3, 3, 3, 2, 0, 1});
        RasterScene scene;
        scene.mesh = &mesh;
        RasterStats stats;
        draw(scene, Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 33, 33), &stats);
        QCOMPARE(stats.drawnPixels, std::uint64_t{0});
        QCOMPARE(stats.rejectedNotFinite, std::uint64_t{0});
    }
    void backFacesByChoice() {
        // one triangle is counter-clockwise as seen from the eye, the other clockwise
        const auto mesh = meshOf({{-1, 2, -1}, {0, 2, -1}, {-1, 2, 1}, {1, 2, 1}, {0.1f, 2, 1}, {1, 2, -1}},
                                 {0, 1, 2, 3, 5, 4});
        const auto turned = meshOf({{-1, 2, -1}, {0, 2, -1}, {-1, 2, 1}}, {0, 2, 1});
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 64);
        RasterScene scene;
        RasterStats front, both, none;
        scene.mesh = &turned;
        draw(scene, p, &both);
        scene.backFaces = false;
        draw(scene, p, &none);
        scene.mesh = &mesh;
        draw(scene, p, &front);
        QVERIFY(both.drawnPixels > 100);
        QCOMPARE(none.drawnPixels, std::uint64_t{0});
        QVERIFY(front.drawnPixels >= both.drawnPixels);
    }
    void depthIsPerspectiveCorrectOnASlant() {
        const auto mesh =
            meshOf({{-50, 1, -0.4f}, {50, 1, -0.4f}, {50, 100, 0.3f}, {-50, 100, 0.3f}}, {0, 1, 2, 0, 2, 3});
        RasterScene scene;
        scene.mesh = &mesh;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 200, 150);
        const auto buffer = draw(scene, p);
        int seen = 0;
        for (int y = 70; y < 150; y += 3) {
            for (int x = 3; x < 200; x += 11) {
                const auto hit =
                    castTriangles(mesh, p.eye, unproject(p, x + 0.5, y + 0.5, 1) - p.eye, p.nearPlane);
                if (hit.id == 0 || buffer.id(x, y) == 0)
                    continue;
                ++seen;
                QVERIFY2(std::abs(buffer.depth(x, y, p) / hit.w - 1) < 5e-4,
                         qPrintable(QString("%1").arg(hit.w)));
            }
        }
        QVERIFY(seen > 200);
    }
    void largeCoordinatesDoNotJitter() {
        // the same picture at the origin and 100 km away; all coordinates are multiples of 1/64, exact in
        // single precision
        auto random = seededRandom("largeCoordinatesDoNotJitter");
        std::uniform_int_distribution<int> steps(-200, 200);
        std::vector<Vec3f> near, far;
        std::vector<std::uint32_t> indices;
        const Vec3f offset{100000, 65536, -90000};
        for (std::uint32_t i = 0; i < 90; ++i) {
            const Vec3f p{static_cast<float>(steps(random)) / 64, static_cast<float>(steps(random)) / 64 + 6,
                          static_cast<float>(steps(random)) / 64};
            near.push_back(p);
            far.push_back(p + offset);
            indices.push_back(i);
        }
        const auto a = meshOf(near, indices), b = meshOf(far, indices);
        const Vec3d eye{0.0001220703125, 0, 0.000030517578125}, away = offset.as<double>();
        RasterScene sceneA, sceneB;
        sceneA.mesh = &a;
        sceneB.mesh = &b;
        const Projection pa(cameraAt(eye, eye + Vec3d{0, 4, 0}), 200, 200);
        const Projection pb(cameraAt(eye + away, eye + away + Vec3d{0, 4, 0}), 200, 200);
        const auto first = draw(sceneA, pa), second = draw(sceneB, pb);
        QVERIFY(
            std::equal(first.pixels.data(), first.pixels.data() + first.pixels.size(), second.pixels.data()));
    }
    void aVertexThatIsNotThereIsRefused() {
        const auto mesh = meshOf({{-1, 2, -1}, {1, 2, -1}, {0, 2, 1}}, {0, 1, 3});
        RasterScene scene;
        scene.mesh = &mesh;
        QVERIFY_EXCEPTION_THROWN(draw(scene, Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 32, 32)),
                                 KernelError);
    }
};

RASTER_TEST(TestRasterTriangles)
#include "test_raster_triangles.moc"
