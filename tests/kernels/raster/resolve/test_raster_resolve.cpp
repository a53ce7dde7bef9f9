#include "kernels/raster/colours/colour_map.h"
#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/points/point_square.h"
#include "tests/kernels/raster/test_raster_support.h"

#include <cstring>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::uint32_t pixel(const Image& image, int x, int y) {
    return image.pixels[static_cast<std::size_t>(y * image.width + x)];
}

Image shade(const RasterScene& scene, const Projection& p, const Shading& shading) {
    return RasterBackend::current().shade(draw(scene, p), scene, p, shading);
}

Shading plain(bool light = false, bool eyeDome = false) {
    Shading shading;
    shading.light = light;
    shading.eyeDome = eyeDome;
    return shading;
}

/// A wall of [-half, half] squared at depth y, two triangles.
TriangleMesh wall(float y, float half, bool turned = false) {
    const std::vector<std::uint32_t> outwards{0, 1, 2, 0, 2, 3}, inwards{0, 2, 1, 0, 3, 2};
    return meshOf({{-half, y, -half}, {half, y, -half}, {half, y, half}, {-half, y, half}},
                  turned ? inwards : outwards);
}

const Projection kView(cameraAt({0, 0, 0}, {0, 1, 0}), 120, 100);

} // namespace

class TestRasterResolve : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void bytesAreRgba() {
        const std::vector<Vec3f> points{{0, 2, 0}};
        const std::vector<std::uint32_t> colours{0x40302010u};
        RasterScene scene;
        scene.points = points;
        scene.pointColour.rgba = colours.data();
        const auto image = shade(scene, kView, plain());
        std::uint8_t bytes[4];
        std::memcpy(bytes, &image.pixels[50 * 120 + 60], 4);
        QCOMPARE(bytes[0], std::uint8_t{0x10});
        QCOMPARE(bytes[1], std::uint8_t{0x20});
        QCOMPARE(bytes[2], std::uint8_t{0x30});
        QCOMPARE(bytes[3], std::uint8_t{0x40});
        QCOMPARE(pixel(image, 0, 0), Shading{}.background);
    }
    void valuesPickTheMapsColours() {
        const auto grey = colourMap(ColourMapName::grey);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> values{-5, 10, 15, 19.999f, 20, 1e30f, nan};
        Colouring colouring;
        colouring.values = values.data();
        colouring.low = 10, colouring.high = 20;
        colouring.map = grey.data();
        QCOMPARE(colourOf(colouring, 0), grey[0]);
        QCOMPARE(colourOf(colouring, 1), grey[0]);
        QCOMPARE(colourOf(colouring, 2), grey[128]);
        QCOMPARE(colourOf(colouring, 3), grey[255]);
        QCOMPARE(colourOf(colouring, 4), grey[255]);
        QCOMPARE(colourOf(colouring, 5), grey[255]);
        QCOMPARE(colourOf(colouring, 6), colouring.uniform);
        colouring.high = 10; // no extent: one colour, no division
        QCOMPARE(colourOf(colouring, 5), grey[0]);
    }
    void vertexValuesAreInterpolatedInPerspective() {
        // a value that is the position along y, on a floor that runs away from the eye
        const auto mesh =
            meshOf({{-9, 1, -0.5f}, {9, 1, -0.5f}, {9, 11, -0.5f}, {-9, 11, -0.5f}}, {0, 1, 2, 0, 2, 3});
        const std::vector<float> values{1, 1, 11, 11};
        const auto grey = colourMap(ColourMapName::grey);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.meshColour.values = values.data();
        scene.meshColour.low = 1, scene.meshColour.high = 11;
        scene.meshColour.map = grey.data();
        for (const bool orthographic : {false, true}) {
            const Projection p =
                orthographic ? Projection(cameraAt({0, 0, 5}, {0, 7, -0.5}, true, 8), 120, 100) : kView;
            const auto image = shade(scene, p, plain());
            int seen = 0;
            for (int y = 0; y < 100; y += 3) {
                for (int x = 0; x < 120; x += 5) {
                    const Vec3d start = unproject(p, x + 0.5, y + 0.5, 0),
                                next = unproject(p, x + 0.5, y + 0.5, 1);
                    const double t = (-0.5 - start.z) / (next.z - start.z),
                                 value = start.y + t * (next.y - start.y);
                    if (!(t > 0) || value < 1.2 || value > 10.8 ||
                        std::abs(start.x + t * (next.x - start.x)) > 8.9)
                        continue;
                    const auto expected = static_cast<int>((value - 1) / 10 * 256);
                    QVERIFY(std::abs(static_cast<int>(pixel(image, x, y) & 255) - expected) <= 1);
                    ++seen;
                }
            }
            QVERIFY(seen > 100);
        }
    }
    void vertexColoursAreMixed() {
        const auto mesh = wall(2, 2);
        const std::vector<std::uint32_t> colours{0xff0000c8u, 0xff0000c8u, 0xff00c800u, 0xff00c800u};
        RasterScene scene;
        scene.mesh = &mesh;
        scene.meshColour.rgba = colours.data();
        const auto image = shade(scene, kView, plain());
        const std::uint32_t middle = pixel(image, 60, 50);
        QVERIFY(std::abs(int(middle & 255) - 100) < 3 && std::abs(int(middle >> 8 & 255) - 100) < 3);
        QVERIFY((pixel(image, 60, 90) & 255) > (pixel(image, 60, 10) & 255)); // red below
    }
    void vertexClassesAreNotMixed() {
        const auto mesh = wall(2, 2);
        const std::vector<std::uint32_t> colours{0xff0000c8u, 0xff0000c8u, 0xff00c800u, 0xff00c800u};
        const std::vector<float> values{0, 0, 10, 10};
        const auto grey = colourMap(ColourMapName::grey);
        RasterScene scene;
        scene.mesh = &mesh;
        scene.meshColour.discrete = true;
        const auto shownColours = [&] {
            const auto image = shade(scene, kView, plain());
            std::set<std::uint32_t> shown;
            for (int y = 10; y < 90; ++y) // pixels within the wall
                shown.insert(pixel(image, 60, y));
            return shown;
        };
        scene.meshColour.rgba = colours.data();
        QVERIFY((shownColours() == std::set<std::uint32_t>{0xff0000c8u, 0xff00c800u}));
        const auto image = shade(scene, kView, plain());
        QCOMPARE(pixel(image, 60, 90), 0xff0000c8u); // colour of the nearest corner: red below
        QCOMPARE(pixel(image, 60, 10), 0xff00c800u);
        scene.meshColour.rgba = nullptr;
        scene.meshColour.values = values.data();
        scene.meshColour.high = 10;
        scene.meshColour.map = grey.data();
        QVERIFY((shownColours() == std::set<std::uint32_t>{grey[0], grey[255]}));
    }
    void lightFallsOffWithTheAngleOnBothSides() {
        RasterScene scene;
        scene.meshColour.uniform = 0xff6496c8u;
        const auto facing = wall(2, 3), turned = wall(2, 3, true);
        scene.mesh = &facing;
        const std::uint32_t front = pixel(shade(scene, kView, plain(true)), 60, 50);
        scene.mesh = &turned;
        QCOMPARE(pixel(shade(scene, kView, plain(true)), 60, 50), front);
        const auto slanted =
            meshOf({{-3, 1, 0.05f}, {3, 1, 0.05f}, {3, 20, -1}, {-3, 20, -1}}, {0, 1, 2, 0, 2, 3});
        scene.mesh = &slanted;
        const std::uint32_t grazing = pixel(shade(scene, kView, plain(true)), 60, 50);
        QVERIFY((grazing & 255) < (front & 255) * 3 / 4);
        // the wall is close to its own colour, never brighter
        QVERIFY((front & 255) > 180 && (front & 255) <= 0xc8);
        QCOMPARE(pixel(shade(scene, kView, plain(false)), 60, 50), 0xff6496c8u);
    }
    void vertexNormalsBendTheLight() {
        auto mesh = wall(2, 3);
        RasterScene scene;
        scene.mesh = &mesh;
        const std::uint32_t flat = pixel(shade(scene, kView, plain(true)), 60, 30);
        mesh.normals = Buffer<Vec3f>::host(4);
        for (std::size_t i = 0; i < 4; ++i)
            mesh.normals[i] = {0, -1, 0};
        QCOMPARE(pixel(shade(scene, kView, plain(true)), 60, 30), flat);
        for (std::size_t i = 0; i < 4; ++i)
            mesh.normals[i] = normalized(Vec3f{1, -0.2f, 0});
        QVERIFY((pixel(shade(scene, kView, plain(true)), 60, 30) & 255) < (flat & 255) * 3 / 4);
        for (std::size_t i = 0; i < 4; ++i)
            mesh.normals[i] = {0, 0, 0}; // unusable: the face's own normal is used
        QCOMPARE(pixel(shade(scene, kView, plain(true)), 60, 30), flat);
    }
    void sidesOfAVoxelDiffer() {
        const auto grid = gridOf({{-0.5f, -0.5f, -0.5f}, {1, 1, 1}, {1, 1, 1}}, {{0, 0, 0}});
        RasterScene scene;
        scene.voxels = &grid;
        for (const bool orthographic : {false, true}) {
            const Projection p(cameraAt({-3, -3, 3}, {0, 0, 0}, orthographic, 3), 120, 120);
            const auto image = shade(scene, p, plain(true));
            const auto top = pixel(image, 60, 45), left = pixel(image, 45, 72), right = pixel(image, 75, 72);
            QVERIFY(top != left && left != right && top != right);
            QVERIFY(top != Shading{}.background && left != Shading{}.background &&
                    right != Shading{}.background);
        }
    }
    void tinyVoxelsAreLit() {
        const auto grid = gridOf({{-0.005f, 5, -0.005f}, {0.01f, 0.01f, 0.01f}, {1, 1, 1}}, {{0, 0, 0}});
        RasterScene scene;
        scene.voxels = &grid;
        const auto image = shade(scene, kView, plain(true));
        const std::uint32_t middle = pixel(image, 60, 50) & 255;
        QVERIFY(middle > 100 && middle < 0xc8);
    }
    void eyeDomeDarkensBehindEdgesOnly() {
        // a near square before a wall that fills the picture
        std::vector<Vec3f> corners;
        const auto near = wall(2, 0.4f), far = wall(3, 9);
        for (const auto* mesh : {&far, &near})
            for (std::size_t i = 0; i < 4; ++i)
                corners.push_back(mesh->positions[i]);
        const auto mesh = meshOf(corners, {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
        RasterScene scene;
        scene.mesh = &mesh;
        for (const bool orthographic : {false, true}) {
            const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 2), 120, 100);
            const auto buffer = draw(scene, p);
            const auto without = shade(scene, p, plain()), with = shade(scene, p, plain(false, true));
            int darker = 0;
            for (int y = 0; y < 100; ++y) {
                for (int x = 0; x < 120; ++x) {
                    bool behindEdge = false;
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dx = -1; dx <= 1; ++dx) {
                            const int nx = std::clamp(x + dx, 0, 119), ny = std::clamp(y + dy, 0, 99);
                            behindEdge = behindEdge || buffer.depth(nx, ny, p) < buffer.depth(x, y, p) - 0.5f;
                        }
                    const std::uint32_t before = pixel(without, x, y) & 255, after = pixel(with, x, y) & 255;
                    darker += behindEdge;
                    QVERIFY(behindEdge ? after < before * 8 / 10 : after == before);
                }
            }
            QVERIFY(darker > 100);
        }
    }
    void eyeDomeOutlinesAgainstTheBackground() {
        const auto mesh = wall(2, 0.4f);
        RasterScene scene;
        scene.mesh = &mesh;
        Shading shading = plain(false, true);
        shading.background = 0xffffffffu;
        const auto buffer = draw(scene, kView);
        const auto image = shade(scene, kView, shading);
        int x = 0;
        while (buffer.id(x, 50) == 0)
            ++x;
        QVERIFY((pixel(image, x - 1, 50) & 255) < 160); // a dark outline around the point
        QCOMPARE(pixel(image, x - 3, 50), 0xffffffffu);
        QCOMPARE(pixel(image, x, 50), scene.meshColour.uniform);
        shading.eyeDomeStrength = 0;
        QCOMPARE(pixel(shade(scene, kView, shading), x - 1, 50), 0xffffffffu);
        shading.eyeDomeStrength = -1;
        QVERIFY_EXCEPTION_THROWN(shade(scene, kView, shading), KernelError);
    }
    void averagedPointsAreAllNearTheNearest_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::newRow("perspective") << false;
        QTest::newRow("orthographic") << true;
    }
    void averagedPointsAreAllNearTheNearest() {
        QFETCH(bool, orthographic);
        auto random = seededRandom("averagedPointsAreAllNearTheNearest");
        std::uniform_real_distribution<float> uniform(-1, 1);
        std::vector<Vec3f> points(4000);
        std::vector<std::uint32_t> colours(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            points[i] = {uniform(random), 2 + 0.04f * uniform(random), uniform(random)};
            colours[i] = 0x80000000u | static_cast<std::uint32_t>(random() & 0xffffff);
        }
        points[11].y = std::numeric_limits<float>::quiet_NaN();
        RasterScene scene;
        scene.points = points;
        scene.pointSize = 7;
        scene.pointColour.rgba = colours.data();
        scene.pointBlend = PointBlend::averaged;
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, orthographic, 2.2), 60, 50);
        const auto seen = draw(scene, p);
        const auto image = shade(scene, p, plain());
        int several = 0, farther = 0;
        for (int y = 0; y < p.height; ++y) {
            for (int x = 0; x < p.width; ++x) {
                if (seen.id(x, y) == 0) {
                    QCOMPARE(pixel(image, x, y), Shading{}.background);
                    continue;
                }
                std::uint64_t red = 0, green = 0, blue = 0, count = 0;
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const RasterView view = rasterView(p);
                    const ScreenVertex v = projectVertex(view, points[i]);
                    if (v.state != ScreenVertex::drawable)
                        continue;
                    const PixelBox box = pointPixels(v, pointEdge(7, 0, v, view), p.width, p.height);
                    if (x < box.minX || x > box.maxX || y < box.minY || y > box.maxY)
                        continue;
                    const double w = orthographic ? double(v.depth) : 1 / double(v.depth);
                    const double part = w / double(seen.depth(x, y, p));
                    if (part > 1.01) {
                        ++farther;
                        continue;
                    }
                    red += colours[i] & 255, green += colours[i] >> 8 & 255, blue += colours[i] >> 16 & 255;
                    ++count;
                }
                several += count > 1;
                const std::uint32_t expected = std::uint32_t((2 * red + count) / (2 * count)) |
                                               std::uint32_t((2 * green + count) / (2 * count)) << 8 |
                                               std::uint32_t((2 * blue + count) / (2 * count)) << 16 |
                                               0xff000000u;
                QCOMPARE(pixel(image, x, y), expected);
            }
        }
        QVERIFY(several > 1000 && farther > 1000);
        // values are mapped to colours, which are averaged; classes and meshes are not averaged
        const auto grey = colourMap(ColourMapName::grey);
        const std::vector<Vec3f> two{{0, 2, 0}, {0, 2.01f, 0}};
        const std::vector<float> values{0, 1};
        RasterScene pair;
        pair.points = two;
        pair.pointSize = 3;
        pair.pointColour.values = values.data();
        pair.pointColour.map = grey.data();
        pair.pointBlend = PointBlend::averaged;
        QCOMPARE(int(pixel(shade(pair, kView, plain()), 60, 50) & 255),
                 int(((grey[0] & 255) + (grey[255] & 255) + 1) / 2));
        pair.pointColour.discrete = true; // classes: the nearest point's colour
        QCOMPARE(pixel(shade(pair, kView, plain()), 60, 50), grey[0]);
        const auto mesh = wall(1.5f, 2);
        pair.mesh = &mesh;
        QCOMPARE(pixel(shade(pair, kView, plain()), 60, 50), pair.meshColour.uniform);
    }
    void averagedPartsAreTheWhole() {
        std::vector<Vec3f> points;
        std::vector<std::uint32_t> colours;
        auto random = seededRandom("averagedPartsAreTheWhole");
        std::uniform_real_distribution<float> uniform(-1, 1);
        for (int i = 0; i < 20000; ++i) {
            points.push_back({uniform(random), 2 + 0.01f * uniform(random), uniform(random)});
            colours.push_back(0xff000000u | static_cast<std::uint32_t>(random() & 0xffffff));
        }
        points.push_back({0.1f, 0.05f, 0}); // close to the eye: covers many pixels
        colours.push_back(0xff00ff00u);
        RasterScene scene;
        scene.points = points;
        scene.pointSize = 5;
        scene.pointExtent = 0.02f;
        scene.pointColour.rgba = colours.data();
        scene.pointBlend = PointBlend::averaged;
        const auto whole = shade(scene, kView, plain());
        const auto part = shade(scene, kView.part(31, 17, 50, 40), plain());
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 50; ++x)
                QCOMPARE(pixel(part, x, y), pixel(whole, x + 31, y + 17));
        // repeated runs give the same bytes
        const auto again = shade(scene, kView, plain());
        QVERIFY(std::ranges::equal(again.pixels.span(), whole.pixels.span()));
        // drawing only the nearest point gives another picture
        scene.pointBlend = PointBlend::nearest;
        QVERIFY(!std::ranges::equal(shade(scene, kView, plain()).pixels.span(), whole.pixels.span()));
    }
    void logarithmIsClose() {
        for (float v = 1e-30f; v < 1e30f; v *= 1.37f)
            QVERIFY(std::abs(log2Approximate(v) - std::log2(v)) <
                    1e-6 * std::max(1.0f, std::abs(std::log2(v))));
        QCOMPARE(log2Approximate(8), 3.0f);
    }
    void anotherScenesBufferIsRefused() {
        const auto mesh = wall(2, 1);
        RasterScene scene;
        scene.mesh = &mesh;
        const auto buffer = draw(scene, kView);
        auto& backend = RasterBackend::current();
        QVERIFY_EXCEPTION_THROWN(backend.shade(buffer, {}, kView, {}), KernelError);
        const Projection other(cameraAt({0, 0, 0}, {0, 1, 0}), 119, 100);
        QVERIFY_EXCEPTION_THROWN(backend.shade(buffer, scene, other, {}), KernelError);
    }
};

RASTER_TEST(TestRasterResolve)
#include "test_raster_resolve.moc"
