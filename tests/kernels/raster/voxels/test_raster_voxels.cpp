#include "tests/kernels/raster/test_raster_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

const GridShape kShape{{-1, 1, -1}, {0.125f, 0.25f, 0.2f}, {16, 10, 10}};

VoxelGrid randomGrid(double part, std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<Vec3i> cells;
    for (int z = 0; z < kShape.dims.z; ++z)
        for (int y = 0; y < kShape.dims.y; ++y)
            for (int x = 0; x < kShape.dims.x; ++x)
                if (uniform(random) < part)
                    cells.push_back({x, y, z});
    return gridOf(kShape, cells);
}

} // namespace

class TestRasterVoxels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void agreesWithRays_data() {
        QTest::addColumn<double>("eyeX");
        QTest::addColumn<double>("eyeY");
        QTest::addColumn<double>("eyeZ");
        QTest::addColumn<bool>("orthographic");
        QTest::addColumn<float>("scale");
        QTest::newRow("from outside") << -2.0 << -2.0 << 1.5 << false << 1.0f;
        QTest::newRow("scaled") << -2.0 << -2.0 << 1.5 << false << 0.6f;
        QTest::newRow("along an axis") << 0.05 << -3.0 << 0.03 << false << 1.0f;
        QTest::newRow("within the grid") << 0.13 << 2.17 << 0.11 << false << 1.0f;
        QTest::newRow("within the grid, scaled") << 0.13 << 2.17 << 0.11 << false << 0.5f;
        QTest::newRow("close to a face") << 0.03 << 0.9999 << 0.05 << false << 1.0f;
        QTest::newRow("orthographic") << -2.0 << -2.0 << 1.5 << true << 0.8f;
        QTest::newRow("orthographic along an axis") << 0.05 << -3.0 << 0.03 << true << 1.0f;
        QTest::newRow("orthographic within the grid") << 0.13 << 2.17 << 0.11 << true << 1.0f;
    }
    void agreesWithRays() {
        QFETCH(double, eyeX);
        QFETCH(double, eyeY);
        QFETCH(double, eyeZ);
        QFETCH(bool, orthographic);
        QFETCH(float, scale);
        auto random = seededRandom("agreesWithRays");
        const bool axis = std::abs(eyeX - 0.05) < 1e-9;
        const Vec3d eye{eyeX, eyeY, eyeZ}, target = axis ? Vec3d{eyeX, 5, eyeZ} : Vec3d{0.03, 2.6, -0.02};
        const Projection p(cameraAt(eye, target, orthographic, 2.5), 97, 71);
        for (const double part : {0.02, 0.2}) {
            const auto grid = randomGrid(part, random);
            RasterScene scene;
            scene.voxels = &grid;
            scene.voxelScale = scale;
            const auto result = compareWithRays(
                draw(scene, p), p,
                [&](Vec3d s, Vec3d d) { return castVoxels(grid, scale, s, d, p.nearPlane); }, 1e-4);
            QCOMPARE(result.wrongId, 0);
            QCOMPARE(result.wrongDepth, 0);
            QVERIFY2(result.compared > 97 * 71 / 2, qPrintable(QString::number(result.compared)));
        }
    }
    void insideABoxShowsItsWalls() {
        const auto grid = gridOf(kShape, {{8, 5, 5}});
        const Vec3d middle{-1 + 8.5 * 0.125, 1 + 5.5 * 0.25, -1 + 5.5 * static_cast<double>(0.2f)};
        for (const bool orthographic : {false, true}) {
            // an orthographic view of less than the box, from inside of it
            const Projection p(cameraAt(middle, middle + Vec3d{0, 1, 0}, orthographic, 0.08), 40, 30);
            RasterScene scene;
            scene.voxels = &grid;
            RasterStats stats;
            const auto buffer = draw(scene, p, &stats);
            QCOMPARE(stats.drawnPixels, std::uint64_t{40 * 30});
            QVERIFY(std::abs(buffer.depth(20, 15, p) - 0.125f) < 1e-5f);
        }
    }
    void tinyVoxelsLeaveNoHoles() {
        // a wall of voxels with an edge of a third of a pixel
        const GridShape shape{{-1, 3, -1}, {0.005f, 0.005f, 0.005f}, {400, 1, 400}};
        std::vector<Vec3i> cells;
        for (int z = 0; z < 400; ++z)
            for (int x = 0; x < 400; ++x)
                cells.push_back({x, 0, z});
        const auto grid = gridOf(shape, cells);
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 160, 160);
        RasterScene scene;
        scene.voxels = &grid;
        const auto buffer = draw(scene, p);
        for (int y = 18; y < 142; ++y) {
            for (int x = 18; x < 142; ++x) {
                QVERIFY(buffer.id(x, y) != 0);
                QVERIFY(std::abs(buffer.depth(x, y, p) - 3.0025f) < 0.003f);
            }
        }
    }
    void tinyVoxelsCoverTheirProjection() {
        auto random = seededRandom("tinyVoxelsCoverTheirProjection");
        std::uniform_int_distribution<int> place(0, 299);
        std::vector<Vec3i> cells;
        for (int i = 0; i < 300; ++i)
            cells.push_back({place(random), place(random), place(random)});
        const GridShape shape{{-1, 2, -1}, {0.007f, 0.007f, 0.007f}, {300, 300, 300}};
        const auto grid = gridOf(shape, cells);
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0.1}), 220, 220);
        RasterScene scene;
        scene.voxels = &grid;
        RasterStats stats;
        const auto buffer = draw(scene, p, &stats);
        const auto result = compareWithRays(
            buffer, p,
            [&](Vec3d s, Vec3d d) {
                const RayHit hit = castVoxels(grid, 1, s, d, p.nearPlane);
                return hit.id == 0 ? RayHit{} : hit;
            },
            0.01);
        // every ray hit must be drawn; drawing is conservative, so more pixels may be
        int missing = 0;
        for (int y = 0; y < 220; ++y)
            for (int x = 0; x < 220; ++x)
                missing +=
                    buffer.id(x, y) == 0 &&
                    castVoxels(grid, 0.98, p.eye, unproject(p, x + 0.5, y + 0.5, 1) - p.eye, p.nearPlane)
                            .id != 0;
        QCOMPARE(missing, 0);
        QVERIFY(stats.drawnPixels > grid.size() * 9 / 10);
        QVERIFY(result.compared > 40000);
    }
    void lastRowAndColumnAreDrawn() {
        const auto grid = gridOf({{-10, 5, -10}, {20, 1, 20}, {1, 1, 1}}, {{0, 0, 0}});
        RasterScene scene;
        scene.voxels = &grid;
        RasterStats stats;
        draw(scene, Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 319, 243), &stats);
        QCOMPARE(stats.drawnPixels, std::uint64_t{319 * 243});
    }
    void notFiniteGridIsRejected() {
        auto grid = gridOf(kShape, {{1, 1, 1}, {2, 2, 2}});
        grid.shape.origin.x = std::numeric_limits<float>::quiet_NaN();
        RasterScene scene;
        scene.voxels = &grid;
        RasterStats stats;
        draw(scene, Projection(cameraAt({0, 0, 0}, {0, 1, 0}), 32, 32), &stats);
        QCOMPARE(stats.rejectedNotFinite, std::uint64_t{2});
        QCOMPARE(stats.drawnPixels, std::uint64_t{0});
    }
    void scaleOutOfRangeIsRefused() {
        const auto grid = gridOf(kShape, {{1, 1, 1}});
        RasterScene scene;
        scene.voxels = &grid;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 32, 32);
        for (const float scale : {0.0f, -1.0f, 1.01f, std::numeric_limits<float>::quiet_NaN()}) {
            scene.voxelScale = scale;
            QVERIFY_EXCEPTION_THROWN(draw(scene, p), KernelError);
        }
    }
};

RASTER_TEST(TestRasterVoxels)
#include "test_raster_voxels.moc"
