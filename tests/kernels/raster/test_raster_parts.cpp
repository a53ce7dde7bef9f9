// A picture that is drawn in parts equals the whole picture, bit by bit.
#include "tests/kernels/raster/raster_crowd.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A picture composed of parts of `width` x `height` pixels or less, each drawn with one more pixel on every
/// side within the picture, for eye-dome lighting.
struct Patchwork {
    VisibilityBuffer seen;
    Image image;
    std::uint64_t notFinite = 0; ///< number of points that are not finite, in each part
};

Patchwork patchwork(const RasterScene& scene, const Projection& p, int width, int height,
                    const Shading& shading) {
    auto& backend = RasterBackend::current();
    const auto size = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
    Patchwork all{{p.width, p.height, Buffer<std::uint64_t>::host(size)},
                  {p.width, p.height, Buffer<std::uint32_t>::host(size)}};
    for (int y = 0; y < p.height; y += height) {
        for (int x = 0; x < p.width; x += width) {
            const int x0 = std::max(0, x - 1), y0 = std::max(0, y - 1), x1 = std::min(p.width, x + width + 1),
                      y1 = std::min(p.height, y + height + 1);
            const Projection part = p.part(x0, y0, x1 - x0, y1 - y0);
            RasterStats stats;
            const VisibilityBuffer seen = backend.draw(scene, part, stats);
            const Image image = backend.shade(seen, scene, part, shading);
            all.notFinite = stats.rejectedNotFinite;
            for (int row = y; row < std::min(p.height, y + height); ++row) {
                for (int column = x; column < std::min(p.width, x + width); ++column) {
                    const auto to = static_cast<std::size_t>(row) * static_cast<std::size_t>(p.width) +
                                    static_cast<std::size_t>(column);
                    const auto from = static_cast<std::size_t>(row - y0) * static_cast<std::size_t>(x1 - x0) +
                                      static_cast<std::size_t>(column - x0);
                    all.seen.pixels[to] = seen.pixels[from];
                    all.image.pixels[to] = image.pixels[from];
                }
            }
        }
    }
    return all;
}

} // namespace

class TestRasterParts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void partsAreTheWhole_data() {
        QTest::addColumn<float>("pointSize");
        QTest::addColumn<float>("size"); // size of triangles and voxels, metres
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("small things") << 1.0f << 0.3f << 100 << 64;
        QTest::newRow("points over borders") << 13.0f << 1.0f << 61 << 47;
        QTest::newRow("triangles over all parts") << 2.0f << 2000.0f << 90 << 37;
        QTest::newRow("bands") << 5.0f << 3.0f << 400 << 29;
        QTest::newRow("columns") << 5.0f << 3.0f << 31 << 400;
    }
    void partsAreTheWhole() {
        QFETCH(float, pointSize);
        QFETCH(float, size);
        QFETCH(int, width);
        QFETCH(int, height);
        auto random = seededRandom("partsAreTheWhole");
        Crowd crowd;
        fill(crowd, 3000, size, random);
        crowd.scene.pointSize = pointSize;
        crowd.scene.pointExtent = 0.004f;
        const std::vector<float> heights(crowd.points.size(), 0.5f);
        crowd.scene.pointColour.values = heights.data();
        for (const Projection& centred : views(233, 151)) {
            for (const Projection& p : {centred, centred.sampledAt(0.4375f, -0.28125f)}) {
                RasterStats stats;
                const VisibilityBuffer seen = RasterBackend::current().draw(crowd.scene, p, stats);
                const Image image = RasterBackend::current().shade(seen, crowd.scene, p, {});
                const Patchwork parts = patchwork(crowd.scene, p, width, height, {});
                QCOMPARE(difference(seen, parts.seen), std::string());
                QCOMPARE(difference(image, parts.image), std::string());
                QCOMPARE(parts.notFinite, stats.rejectedNotFinite);
            }
        }
    }
    void partsOfPartsArePartsOfTheWhole() {
        const Projection whole(cameraAt({0, 0, 0}, {0, 1, 0}), 640, 480);
        const Projection once = whole.part(110, 75, 50, 40),
                         twice = whole.part(100, 50, 300, 200).part(10, 25, 50, 40);
        QCOMPARE(once.offsetX, twice.offsetX);
        QCOMPARE(once.offsetY, twice.offsetY);
        QCOMPARE(twice.width, 50);
        QCOMPARE(twice.height, 40);
    }
    void cornersOfTheLargestPicture() {
        // single precision is coarsest at large coordinates
        auto random = seededRandom("cornersOfTheLargestPicture");
        Crowd crowd;
        fill(crowd, 2000, 1.0f, random);
        crowd.scene.pointSize = 3;
        const Projection whole(cameraAt({0.3, -4, 0.5}, {0, 0, 0}), 16384, 16384);
        for (const auto& [x, y] : {std::pair{0, 0}, {16284, 16304}, {5000, 9000}, {8100, 8150}}) {
            const Projection p = whole.part(x, y, 100, 80);
            RasterStats stats;
            const VisibilityBuffer seen = RasterBackend::current().draw(crowd.scene, p, stats);
            const Image image = RasterBackend::current().shade(seen, crowd.scene, p, {});
            const Patchwork parts = patchwork(crowd.scene, p, 33, 27, {});
            QCOMPARE(difference(seen, parts.seen), std::string());
            QCOMPARE(difference(image, parts.image), std::string());
        }
    }
    void partsBeyondThePictureAreRefused() {
        const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}), 64, 48);
        QVERIFY_EXCEPTION_THROWN(p.part(-1, 0, 10, 10), KernelError);
        QVERIFY_EXCEPTION_THROWN(p.part(0, 0, 0, 10), KernelError);
        QVERIFY_EXCEPTION_THROWN(p.part(60, 0, 5, 10), KernelError);
        QVERIFY_EXCEPTION_THROWN(p.part(0, 40, 5, 9), KernelError);
        QCOMPARE(p.part(60, 40, 4, 8).width, 4);
    }
};

RASTER_TEST(TestRasterParts)
#include "test_raster_parts.moc"
