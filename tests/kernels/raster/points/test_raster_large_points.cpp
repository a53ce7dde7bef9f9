// Points that are hundreds of pixels wide: the picture equals that of a plain loop over pixels, and the time
// does not grow with their area.
#include "kernels/core/cost.h"
#include "kernels/raster/points/point_average.h"
#include "kernels/raster/points/point_square.h"
#include "tests/kernels/raster/test_raster_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Points in a box in front of the camera, each with a colour; one is not finite, and one of a deep box is
/// very close.
struct Crowd {
    std::vector<Vec3f> points;
    std::vector<std::uint32_t> colours;
    RasterScene scene;

    Crowd(std::size_t count, float depth, float extent) {
        auto random = seededRandom("large points");
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (std::size_t i = 0; i < count; ++i) {
            points.push_back({uniform(random), 2 + depth * uniform(random), uniform(random)});
            colours.push_back(0xff000000u | static_cast<std::uint32_t>(random() & 0xffffff));
        }
        if (depth > 0.1f)
            points[count / 2] = {0.01f, 0.05f, 0};
        points[count / 3].z = std::numeric_limits<float>::quiet_NaN();
        scene.points = points;
        scene.pointColour.rgba = colours.data();
        scene.pointExtent = extent;
    }
};

/// Calls each(point, depth value, pixels) for the points that can be seen.
template <class Each>
void plainLoop(const RasterScene& scene, const Projection& p, Each&& each) {
    const RasterView view = rasterView(p);
    for (std::size_t i = 0; i < scene.points.size(); ++i) {
        const ScreenVertex v = projectVertex(view, scene.points[i]);
        if (v.state == ScreenVertex::drawable)
            each(i, v.depth,
                 pointPixels(v, pointEdge(scene.pointSize, scene.pointExtent, v, view), p.width, p.height));
    }
}

} // namespace

class TestRasterLargePoints : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }

    void samePicture_data() {
        QTest::addColumn<float>("extent");
        QTest::addColumn<bool>("orthographic");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        for (const float extent : {0.05f, 0.4f, 5.0f, 1000.0f})
            for (const bool orthographic : {false, true})
                for (const auto& [width, height] : {std::pair{301, 203}, {1030, 17}, {3, 700}})
                    QTest::addRow("%g m, %d, %d x %d", double(extent), orthographic, width, height)
                        << extent << orthographic << width << height;
    }
    void samePicture() {
        QFETCH(float, extent);
        QFETCH(bool, orthographic);
        QFETCH(int, width);
        QFETCH(int, height);
        Crowd crowd(400, 0.8f, extent);
        // occluded by some of the points
        const auto wall = meshOf({{-1, 2, -1}, {1, 2, -1}, {0, 2, 1}}, {0, 1, 2});
        crowd.scene.mesh = &wall;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 2), width, height);
        RasterScene meshOnly;
        meshOnly.mesh = &wall;
        const auto behind = draw(meshOnly, p);
        std::vector<std::uint64_t> expected(behind.pixels.span().begin(), behind.pixels.span().end());
        plainLoop(crowd.scene, p, [&](std::size_t i, float depth, const PixelBox& box) {
            const std::uint64_t value =
                fragment(depthKey(depth, orthographic),
                         primitiveId(PrimitiveKind::point, static_cast<std::uint32_t>(i)));
            for (int y = box.minY; y <= box.maxY; ++y)
                for (int x = box.minX; x <= box.maxX; ++x) {
                    auto& pixel = expected[static_cast<std::size_t>(y * width + x)];
                    pixel = std::max(pixel, value);
                }
        });
        RasterStats stats;
        const auto seen = draw(crowd.scene, p, &stats);
        QVERIFY(std::ranges::equal(seen.pixels.span(), expected));
        QCOMPARE(stats.rejectedNotFinite, std::uint64_t{1});
    }
    void sameMeans_data() { samePicture_data(); }
    void sameMeans() {
        QFETCH(float, extent);
        QFETCH(bool, orthographic);
        QFETCH(int, width);
        QFETCH(int, height);
        Crowd crowd(400, 0.02f, extent); // most points differ in depth by less than a hundredth
        const auto wall = meshOf({{-1, 1.99f, -1}, {1, 1.99f, -1}, {0, 1.99f, 1}}, {0, 1, 2});
        crowd.scene.mesh = &wall;
        crowd.scene.pointBlend = PointBlend::averaged;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 2), width, height);
        const auto seen = draw(crowd.scene, p);
        std::vector<PointSums> sums(seen.pixels.size(), PointSums{});
        plainLoop(crowd.scene, p, [&](std::size_t i, float depth, const PixelBox& box) {
            for (int y = box.minY; y <= box.maxY; ++y)
                for (int x = box.minX; x <= box.maxX; ++x) {
                    const auto at = static_cast<std::size_t>(y * width + x);
                    if (!isAveraged(depth, seen.pixels[at], orthographic))
                        continue;
                    sums[at].red += crowd.colours[i] & 255;
                    sums[at].green += crowd.colours[i] >> 8 & 255;
                    sums[at].blue += crowd.colours[i] >> 16 & 255;
                    ++sums[at].count;
                }
        });
        Shading plain;
        plain.eyeDome = plain.light = false;
        const auto image = RasterBackend::current().shade(seen, crowd.scene, p, plain);
        std::uint64_t largest = 0;
        for (std::size_t at = 0; at < sums.size(); ++at) {
            largest = std::max(largest, sums[at].count);
            if (sums[at].count > 0)
                QCOMPARE(image.pixels[at], meanColour(sums[at], 0));
        }
        QVERIFY(largest > 1 || extent < 1);
    }
    void areaCostsLittle_data() {
        QTest::addColumn<bool>("averaged");
        QTest::newRow("nearest") << false;
        QTest::newRow("averaged") << true;
    }
    void areaCostsLittle() {
        CPU_ONLY("the device draws each pixel of a square");
        QFETCH(bool, averaged);
        Crowd crowd(20000, 0.01f, 1000);
        crowd.scene.pointBlend = averaged ? PointBlend::averaged : PointBlend::nearest;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 1280, 720);
        const WallTimer timer;
        const auto seen = draw(crowd.scene, p);
        RasterBackend::current().shade(seen, crowd.scene, p, {});
        // a plain loop takes minutes, this a second or two, and some ten times as long with a sanitizer
        QVERIFY2(timer.elapsedMs() < 30'000, qPrintable(QString::number(timer.elapsedMs())));
    }
};

RASTER_TEST(TestRasterLargePoints)
#include "test_raster_large_points.moc"
