// Points, and properties of all kinds of primitives: ties, threads, order, limits and cancellation.
#include "kernels/raster/points/point_subset.h"
#include "kernels/raster/points/points_cpu.h"
#include "tests/kernels/raster/test_raster_support.h"
#include "tests/support/time_limits.h"

#include <chrono>
#include <cstring>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

bool sameBytes(const VisibilityBuffer& a, const VisibilityBuffer& b) {
    return a.pixels.size() == b.pixels.size() &&
           std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.bytes()) == 0;
}

/// Milliseconds between the stop request and the end of the call; negative if the call was not cancelled.
double cancelMs(const RasterScene& scene, const Projection& p) {
    std::stop_source source;
    std::chrono::steady_clock::time_point asked;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(60));
        asked = std::chrono::steady_clock::now();
        source.request_stop();
    });
    RasterStats stats;
    try {
        cpu::rasterize(scene, p, stats, source.get_token());
    } catch (const Cancelled&) {
        const auto now = std::chrono::steady_clock::now();
        stopper.join();
        return std::chrono::duration<double, std::milli>(now - asked).count();
    }
    return -1;
}

} // namespace

class TestRasterPoints : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void agreesWithAPlainLoop_data() {
        QTest::addColumn<float>("size");
        QTest::addColumn<bool>("orthographic");
        for (const float size : {0.5f, 1.0f, 2.0f, 3.0f, 4.5f, 40.0f})
            for (const bool orthographic : {false, true})
                QTest::addRow("%g %d", static_cast<double>(size), orthographic) << size << orthographic;
    }
    void agreesWithAPlainLoop() {
        QFETCH(float, size);
        QFETCH(bool, orthographic);
        auto random = seededRandom("agreesWithAPlainLoop");
        std::uniform_real_distribution<double> uniform(0, 1);
        const Projection p(cameraAt({3, -2, 1}, {0.5, 4, 0}, orthographic, 4), 130, 90);
        std::vector<Vec3f> points;
        std::vector<Vec3d> pixels; // x, y, w
        while (points.size() < 3000) {
            // no border of a square is close to a pixel's centre
            const auto clear = [&](double c) {
                for (const double border : {c - std::max(1.0f, size) / 2, c + std::max(1.0f, size) / 2}) {
                    const double part = border - 0.5 - std::floor(border - 0.5);
                    if (part < 0.02 || part > 0.98)
                        return false;
                }
                return true;
            };
            const Vec3d at{uniform(random) * 150 - 10, uniform(random) * 110 - 10, 1 + 5 * uniform(random)};
            if (!clear(at.x) || !clear(at.y))
                continue;
            pixels.push_back(at);
            points.push_back(unproject(p, at.x, at.y, at.z).as<float>());
        }
        points.push_back(unproject(p, 50, 50, -1).as<float>()); // this point is behind the eye
        std::vector<std::uint32_t> expected(130 * 90, 0);
        std::vector<double> nearest(130 * 90, 1e9);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            const double half = std::max(1.0f, size) / 2;
            for (int y = 0; y < 90; ++y) {
                for (int x = 0; x < 130; ++x) {
                    const auto at = static_cast<std::size_t>(y * 130 + x);
                    if (std::abs(x + 0.5 - pixels[i].x) < half && std::abs(y + 0.5 - pixels[i].y) < half &&
                        pixels[i].z < nearest[at]) {
                        nearest[at] = pixels[i].z;
                        expected[at] = primitiveId(PrimitiveKind::point, static_cast<std::uint32_t>(i));
                    }
                }
            }
        }
        RasterScene scene;
        scene.points = points;
        scene.pointSize = size;
        const auto buffer = draw(scene, p);
        for (int y = 0; y < 90; ++y) {
            for (int x = 0; x < 130; ++x) {
                const auto at = static_cast<std::size_t>(y * 130 + x);
                QCOMPARE(buffer.id(x, y), expected[at]);
                if (expected[at])
                    QVERIFY(std::abs(buffer.depth(x, y, p) / nearest[at] - 1) < 1e-5);
            }
        }
    }
    void eachPointCoversItsSquare() {
        // exactly n x n pixels at any position, including the last row and column
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, true, 40), 60, 40);
        for (int n = 1; n <= 4; ++n) {
            for (const Vec3d at :
                 {Vec3d{20, 20, 2}, Vec3d{20.5, 20.5, 2}, Vec3d{20.25, 21.75, 2}, Vec3d{20.99, 20.01, 2}}) {
                const std::vector<Vec3f> points{unproject(p, at.x, at.y, 2).as<float>()};
                RasterScene scene;
                scene.points = points;
                scene.pointSize = static_cast<float>(n);
                RasterStats stats;
                draw(scene, p, &stats);
                QCOMPARE(stats.drawnPixels, static_cast<std::uint64_t>(n * n));
            }
        }
        const std::vector<Vec3f> corner{unproject(p, 59.6, 39.6, 2).as<float>()};
        RasterScene scene;
        scene.points = corner;
        QVERIFY(draw(scene, p).id(59, 39) != 0);
    }
    void notFiniteIsRejectedAndCounted() {
        const float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
        const std::vector<Vec3f> points{{nan, 2, 0}, {0, inf, 0}, {0, 2, -inf}, {0, 2, 0}};
        RasterScene scene;
        scene.points = points;
        RasterStats stats;
        draw(scene, Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 11, 11), &stats);
        QCOMPARE(stats.rejectedNotFinite, std::uint64_t{3});
        QCOMPARE(stats.drawnPixels, std::uint64_t{1});
    }
    void tiesGoToTheLowestId() {
        // the same point, box and triangle many times
        const std::vector<Vec3f> points(5000, Vec3f{0, 2, 0});
        std::vector<std::uint32_t> indices;
        for (int i = 0; i < 5000; ++i)
            indices.insert(indices.end(), {0, 1, 2});
        const auto mesh = meshOf({{-1, 3, -1}, {1, 3, -1}, {0, 3, 1}}, indices);
        RasterScene scene;
        scene.points = points;
        scene.mesh = &mesh;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 48);
        const auto buffer = draw(scene, p);
        QCOMPARE(buffer.id(32, 24), primitiveId(PrimitiveKind::point, 0));
        QCOMPARE(buffer.id(34, 26), primitiveId(PrimitiveKind::triangle, 0));
        QCOMPARE(buffer.id(0, 0), 0u);
        QVERIFY(std::isinf(buffer.depth(0, 0, p)));
    }
    void tiesBetweenKindsGoToTheLowestId() {
        // a voxel that is drawn before the point and has exactly the same depth
        const float size = 1.0f / 1024;
        const auto grid =
            gridOf({{-size / 2, 2 - size / 2, -size / 2}, {size, size, size}, {1, 1, 1}}, {{0, 0, 0}});
        const std::vector<Vec3f> points{{0, 2, 0}};
        RasterScene scene;
        scene.voxels = &grid;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 48);
        const auto alone = draw(scene, p);
        QCOMPARE(alone.id(32, 24), primitiveId(PrimitiveKind::voxel, 0));
        scene.points = points;
        const auto both = draw(scene, p);
        QCOMPARE(both.id(32, 24), primitiveId(PrimitiveKind::point, 0));
        QCOMPARE(both.depth(32, 24, p), alone.depth(32, 24, p));
    }
    void sameBytesRunAfterRunAndInAnyOrder() {
        auto random = seededRandom("sameBytesRunAfterRunAndInAnyOrder");
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<Vec3f> points, corners;
        std::vector<std::uint32_t> indices;
        std::vector<Vec3i> cells;
        const auto anywhere = [&] { return Vec3f{uniform(random), 2 + uniform(random), uniform(random)}; };
        for (int i = 0; i < 20000; ++i)
            points.push_back(anywhere());
        for (std::uint32_t i = 0; i < 6000; ++i) {
            const Vec3f a = anywhere();
            const float size = i % 50 == 0 ? 1.0f : 0.03f;
            for (std::uint32_t k = 0; k < 3; ++k) {
                corners.push_back(a + anywhere() * size);
                indices.push_back(3 * i + k);
            }
        }
        for (int i = 0; i < 5000; ++i)
            cells.push_back({int(random() % 100), int(random() % 100), int(random() % 100)});
        const auto mesh = meshOf(corners, indices);
        const auto grid = gridOf({{-1, 1, -1}, {0.02f, 0.02f, 0.02f}, {100, 100, 100}}, cells);
        RasterScene scene;
        scene.points = points;
        scene.pointSize = 2;
        scene.mesh = &mesh;
        scene.voxels = &grid;
        const Projection p(cameraAt({0.1, 0, 0.2}, {0, 2, 0}), 300, 200);
        const auto first = draw(scene, p);
        auto& backend = RasterBackend::current();
        const auto image = backend.shade(first, scene, p, {});
        for (int run = 0; run < 20; ++run) {
            const auto again = draw(scene, p);
            QVERIFY(sameBytes(first, again));
            const auto imageAgain = backend.shade(again, scene, p, {});
            QVERIFY(std::memcmp(image.pixels.data(), imageAgain.pixels.data(), image.pixels.bytes()) == 0);
        }
        // drawn backwards, depths are equal, and so are primitives, except where several have the same depth
        std::vector<Vec3f> pointsBackwards(points.rbegin(), points.rend());
        std::vector<std::uint32_t> indicesBackwards;
        for (std::size_t t = mesh.triangleCount(); t-- > 0;)
            for (std::size_t k = 0; k < 3; ++k)
                indicesBackwards.push_back(indices[3 * t + k]);
        const auto meshBackwards = meshOf(corners, indicesBackwards);
        scene.points = pointsBackwards;
        scene.mesh = &meshBackwards;
        const auto backwards = draw(scene, p);
        int differ = 0;
        for (int y = 0; y < 200; ++y) {
            for (int x = 0; x < 300; ++x) {
                const auto at = static_cast<std::size_t>(y * 300 + x);
                QCOMPARE(first.pixels[at] >> 32, backwards.pixels[at] >> 32);
                const std::uint32_t id = backwards.id(x, y), index = primitiveIndex(id);
                const std::uint32_t original = primitiveKind(id) == PrimitiveKind::point
                                                   ? primitiveId(PrimitiveKind::point, 19999 - index)
                                               : primitiveKind(id) == PrimitiveKind::triangle
                                                   ? primitiveId(PrimitiveKind::triangle, 5999 - index)
                                                   : id;
                differ += original != first.id(x, y);
            }
        }
        QVERIFY2(differ <= 2, qPrintable(QString::number(differ)));
    }
    void tooManyPrimitivesAreRefused() {
        const Vec3f one;
        RasterScene scene;
        scene.points = std::span(&one, std::size_t{1} << 30);
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 8, 8);
        QVERIFY_EXCEPTION_THROWN(draw(scene, p), KernelError);
        scene.points = std::span(&one, 1);
        for (const float size : {0.0f, -1.0f, 1e9f, std::numeric_limits<float>::quiet_NaN()}) {
            scene.pointSize = size;
            QVERIFY_EXCEPTION_THROWN(draw(scene, p), KernelError);
        }
    }
    void anEmptySceneIsAnEmptyPicture() {
        RasterStats stats;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 8, 8);
        const TriangleMesh noMesh;
        const VoxelGrid noVoxels;
        RasterScene scene;
        scene.mesh = &noMesh;
        scene.voxels = &noVoxels;
        const auto buffer = draw(scene, p, &stats);
        QCOMPARE(stats.drawnPixels, std::uint64_t{0});
        QCOMPARE(stats.cost.bytes, std::uint64_t{8 * 8 * 8});
        QCOMPARE(buffer.id(7, 7), 0u);
    }
    void partsMakeTheWhole() {
        CPU_ONLY("the device draws all points at once");
        auto random = seededRandom("partsMakeTheWhole");
        std::uniform_real_distribution<float> uniform(-1, 1);
        const Projection p(cameraAt({0.1, 0, 0.2}, {0, 2, 0}), 97, 60);
        for (const std::size_t count :
             {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{5003}}) {
            std::vector<Vec3f> points(count);
            for (Vec3f& point : points)
                point = {uniform(random), 2 + uniform(random), uniform(random)};
            if (count > 20)
                points[17].x = std::numeric_limits<float>::quiet_NaN();
            RasterScene scene;
            scene.points = points;
            for (const float size : {1.0f, 6.0f}) {
                scene.pointSize = size;
                RasterStats stats;
                const auto whole = draw(scene, p, &stats);
                for (const std::uint32_t parts : {1u, 3u, 8u, 1000u}) {
                    VisibilityBuffer seen = cpu::emptyBuffer(p, {});
                    std::uint64_t notFinite = 0;
                    for (std::uint32_t i = 0; i < parts;
                         ++i) // drawn backwards, because the order of the parts does not matter
                        notFinite += cpu::addPoints(seen, scene, p, PointSubset{parts - 1 - i, parts}, {});
                    QVERIFY(std::ranges::equal(seen.pixels.span(), whole.pixels.span()));
                    QCOMPARE(cpu::countDrawn(seen, {}), stats.drawnPixels);
                    QCOMPARE(notFinite, stats.rejectedNotFinite);
                }
                // drawing only the visible points gives the same picture
                std::vector<std::uint32_t> shown;
                for (int y = 0; y < 60; ++y)
                    for (int x = 0; x < 97; ++x)
                        if (whole.id(x, y) != 0)
                            shown.push_back(primitiveIndex(whole.id(x, y)));
                VisibilityBuffer seen = cpu::emptyBuffer(p, {});
                cpu::addPoints(seen, scene, p, shown, {});
                QVERIFY(std::ranges::equal(seen.pixels.span(), whole.pixels.span()));
                if (count > 20) {
                    VisibilityBuffer few = cpu::emptyBuffer(p, {});
                    cpu::addPoints(few, scene, p, PointSubset{0, 8}, {});
                    QVERIFY(cpu::countDrawn(few, {}) < stats.drawnPixels);
                }
            }
        }
    }
    void stopsSoon() {
        CPU_ONLY("a kernel that runs can't be stopped");
        // without cancellation, each of these pictures takes many seconds
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 1600, 1200);
        const double limit = 4 * kStopMs; // includes a tolerance for a busy machine
        {
            std::vector<Vec3f> points(200000, Vec3f{0, 2, 0});
            for (std::size_t i = 0; i < points.size(); ++i)
                points[i].y -= static_cast<float>(i) * 1e-6f;
            RasterScene scene;
            scene.points = points;
            scene.pointSize = 1000;
            const double ms = cancelMs(scene, p);
            QVERIFY2(ms >= 0 && ms < limit, qPrintable(QString::number(ms)));
        }
        {
            std::vector<Vec3f> corners;
            std::vector<std::uint32_t> indices;
            for (std::uint32_t i = 0; i < 30000; ++i) {
                const float y = 4 - static_cast<float>(i) * 1e-4f;
                for (const Vec3f at : {Vec3f{-9, y, -9}, Vec3f{9, y, -9}, Vec3f{0, y, 9}}) {
                    indices.push_back(static_cast<std::uint32_t>(corners.size()));
                    corners.push_back(at);
                }
            }
            const auto mesh = meshOf(corners, indices);
            RasterScene scene;
            scene.mesh = &mesh;
            const double ms = cancelMs(scene, p);
            QVERIFY2(ms >= 0 && ms < limit, qPrintable(QString::number(ms)));
        }
        {
            std::vector<Vec3i> cells;
            for (int i = 0; i < 30000; ++i)
                cells.push_back({0, i, 0});
            const auto grid = gridOf({{-9, 2, -9}, {18, 0.0005f, 18}, {1, 30000, 1}}, cells);
            RasterScene scene;
            scene.voxels = &grid;
            scene.voxelScale = 0.999f;
            const double ms = cancelMs(scene, p);
            QVERIFY2(ms >= 0 && ms < limit, qPrintable(QString::number(ms)));
        }
        std::stop_source stopped;
        stopped.request_stop();
        RasterStats stats;
        const auto buffer = draw({}, p);
        QVERIFY_EXCEPTION_THROWN(cpu::rasterize({}, p, stats, stopped.get_token()), Cancelled);
        QVERIFY_EXCEPTION_THROWN(cpu::resolve(buffer, {}, p, {}, stopped.get_token()), Cancelled);
    }
};

RASTER_TEST(TestRasterPoints)
#include "test_raster_points.moc"
