#include "kernels/raster/colours/colour_map.h"
#include "tests/kernels/raster/test_raster_support.h"

#include <algorithm>
#include <ranges>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// Pixel coordinates and w of a position.
Vec3d project(const Projection& p, Vec3d position) {
    const Vec3d rel = position - p.eye;
    const double w = dot(rel, p.forward.as<double>()), divisor = p.orthographic ? 1 : w;
    return {p.centreX + p.scale * dot(rel, p.right.as<double>()) / divisor,
            p.centreY + p.scale * dot(rel, p.down.as<double>()) / divisor, w};
}

double lightness(std::uint32_t rgba) {
    const auto linear = [&](int shift) { return std::pow((rgba >> shift & 255) / 255.0, 2.2); };
    return std::cbrt(0.2126 * linear(0) + 0.7152 * linear(8) + 0.0722 * linear(16));
}

} // namespace

class TestRasterCamera : public QObject {
    Q_OBJECT
private slots:
    void axesFollowTheDocument() {
        const Projection p(cameraAt({0, -1, 0}, {0, 0, 0}), 200, 100);
        QCOMPARE(p.right, (Vec3f{1, 0, 0}));
        QCOMPARE(p.down, (Vec3f{0, 0, -1}));
        QCOMPARE(p.forward, (Vec3f{0, 1, 0}));
        QCOMPARE(p.centreX, 100.0f);
        QCOMPARE(p.centreY, 50.0f);
        QVERIFY(std::abs(p.scale - 50 / std::tan(cameraAt({0, -1, 0}, {0, 0, 0}).verticalFov / 2)) < 1e-3);
        QVERIFY(p.nearPlane > 0 && p.nearPlane < 0.01f);
    }
    void fitShowsTheWholeBox_data() {
        QTest::addColumn<double>("aspect");
        QTest::addColumn<bool>("orthographic");
        for (const double aspect : {0.4, 1.0, 2.5})
            for (const bool orthographic : {false, true})
                QTest::addRow("%g %d", aspect, orthographic) << aspect << orthographic;
    }
    void fitShowsTheWholeBox() {
        QFETCH(double, aspect);
        QFETCH(bool, orthographic);
        auto random = seededRandom("fitShowsTheWholeBox");
        std::uniform_real_distribution<double> uniform(-1, 1);
        for (int round = 0; round < 50; ++round) {
            const Vec3d size{std::abs(uniform(random)) * 10, round % 5 == 0 ? 0 : std::abs(uniform(random)),
                             round % 7 == 0 ? 1000 : std::abs(uniform(random)) * 3};
            const Vec3d low{uniform(random) * 100, uniform(random) * 100, uniform(random) * 100},
                high = low + size;
            const Vec3d direction = round == 0   ? Vec3d{0, 0, -5}
                                    : round == 1 ? Vec3d{0, 0, 1}
                                                 : Vec3d{uniform(random), uniform(random), uniform(random)};
            Camera camera = Camera::fit(low, high, direction, aspect);
            camera.orthographic = orthographic;
            const int height = 500, width = static_cast<int>(height * aspect);
            const Projection p(camera, width, height);
            double margin = 1e9;
            for (int i = 0; i < 8; ++i) {
                const Vec3d at =
                    project(p, {i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z});
                QVERIFY(at.z > p.nearPlane);
                const double side =
                    std::min({at.x / width, 1 - at.x / width, at.y / height, 1 - at.y / height});
                QVERIFY2(side > 0.015, qPrintable(QString::number(side)));
                margin = std::min(margin, side);
            }
            QVERIFY2(margin < 0.05, qPrintable(QString("loose: %1 round %2").arg(margin).arg(round)));
        }
    }
    void fitOfAPointIsACamera() {
        for (const Vec3d at : {Vec3d{0, 0, 0}, Vec3d{1e5, -1e5, 3}}) {
            const Projection p(Camera::fit(at, at, {1, 1, -1}, 1.5), 300, 200);
            const Vec3d seen = project(p, at);
            QVERIFY(std::abs(seen.x - 150) < 0.5 && std::abs(seen.y - 100) < 0.5 && seen.z > p.nearPlane);
        }
    }
    void fitRefusesWhatCanNotBeShown() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY_EXCEPTION_THROWN(Camera::fit({0, nan, 0}, {1, 1, 1}, {0, 1, 0}, 1), KernelError);
        QVERIFY_EXCEPTION_THROWN(Camera::fit({0, 0, 0}, {1, 1e200, 1}, {0, 1, 0}, 1), KernelError);
        QVERIFY_EXCEPTION_THROWN(Camera::fit({0, 0, 0}, {1, 1, 1}, {0, 0, 0}, 1), KernelError);
        QVERIFY_EXCEPTION_THROWN(Camera::fit({0, 0, 0}, {1, 1, 1}, {0, 1, 0}, 0), KernelError);
        QVERIFY_EXCEPTION_THROWN(Camera::fit({0, 0, 0}, {1, 1, 1}, {0, 1, 0}, nan), KernelError);
    }
    void invalidCamerasAreRefused() {
        const double nan = std::numeric_limits<double>::quiet_NaN(),
                     inf = std::numeric_limits<double>::infinity();
        const Camera good = cameraAt({0, -1, 0}, {0, 0, 0});
        Projection(good, 16384, 1);
        for (const auto& [w, h] : {std::pair{0, 10}, {10, 0}, {-1, 10}, {16385, 10}, {10, 16385}})
            QVERIFY_EXCEPTION_THROWN(Projection(good, w, h), KernelError);
        const auto refused = [&](auto change) {
            Camera camera = good;
            change(camera);
            try {
                Projection(camera, 10, 10);
            } catch (const KernelError& error) {
                return !error.nextStep().empty();
            }
            return false;
        };
        QVERIFY(refused([](Camera& c) { c.target = c.eye; }));
        QVERIFY(refused([](Camera& c) { c.up = {0, 3, 0}; }));
        QVERIFY(refused([](Camera& c) { c.up = {0, 0, 0}; }));
        QVERIFY(refused([&](Camera& c) { c.eye.z = nan; }));
        QVERIFY(refused([&](Camera& c) { c.target.x = inf; }));
        QVERIFY(refused([&](Camera& c) { c.up.x = nan; }));
        QVERIFY(refused([&](Camera& c) { c.verticalFov = 0; }));
        QVERIFY(refused([&](Camera& c) { c.verticalFov = 3.2; }));
        QVERIFY(refused([&](Camera& c) { c.verticalFov = nan; }));
        QVERIFY(refused([&](Camera& c) { c.nearPlane = -1; }));
        QVERIFY(refused([&](Camera& c) { c.nearPlane = inf; }));
        QVERIFY(refused([&](Camera& c) { c.orthographic = true, c.orthographicHeight = 0; }));
        QVERIFY(refused([&](Camera& c) { c.orthographic = true, c.orthographicHeight = nan; }));
    }
    void colourMapsAreOpaqueSmoothAndNamed() {
        for (const ColourMapName name : kColourMapNames) {
            const auto map = colourMap(name);
            for (std::size_t i = 0; i < 256; ++i) {
                QCOMPARE(map[i] >> 24, 0xffu);
                for (int shift = 0; i > 0 && shift < 24; shift += 8) {
                    const int step = int(map[i] >> shift & 255) - int(map[i - 1] >> shift & 255);
                    QVERIFY2(std::abs(step) <= 12, qPrintable(QString::number(step)));
                }
            }
            QVERIFY(colourMapFromText(colourMapText(name)) == name);
            QVERIFY(std::ranges::equal(colourMap(name, true), map | std::views::reverse));
        }
        QVERIFY(!colourMapFromText("no such map"));
    }
    void sequentialMapsGrowLighter() {
        for (const ColourMapName name :
             {ColourMapName::viridis, ColourMapName::cividis, ColourMapName::plasma, ColourMapName::grey}) {
            const auto map = colourMap(name);
            for (std::size_t i = 4; i < 256; ++i)
                QVERIFY2(lightness(map[i]) > lightness(map[i - 4]),
                         qPrintable(QString("%1 %2").arg(colourMapText(name).data()).arg(i)));
        }
        QCOMPARE(colourMap(ColourMapName::viridis)[0], 0xff540144u);   // R 0x44, G 0x01, B 0x54
        QCOMPARE(colourMap(ColourMapName::viridis)[255], 0xff25e7fdu); // R 0xfd, G 0xe7, B 0x25
    }
};

SCANLOUPE_TEST(TestRasterCamera)
#include "test_raster_camera.moc"
