// Several samples a pixel: their positions, their mean, and the effect on edges.
#include "kernels/raster/resolve/samples.h"
#include "tests/kernels/raster/raster_crowd.h"

#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The mean of images, on the backend of this run.
Image meanOf(const std::vector<const Image*>& images) {
    if (!RasterBackend::current().isCuda()) {
        SampleSums sums;
        for (const Image* image : images)
            cpu::addSample(sums, *image, {});
        return cpu::meanOfSamples(sums, {});
    }
    const Stream stream; // declared before the sums, which release memory on it
    SampleSums sums;
    for (const Image* image : images)
        cuda::addSample(
            sums, {image->width, image->height, image->pixels.copyTo(MemorySpace::device, stream)}, stream);
    return cuda::meanOfSamples(sums, stream).download(stream);
}

Image sampled(const RasterScene& scene, const Projection& p, int samples, const Shading& shading) {
    std::vector<Image> images;
    for (int i = 0; i < samples; ++i) {
        const SampleOffset at = sampleOffset(i);
        const Projection beside = p.sampledAt(at.x, at.y);
        images.push_back(RasterBackend::current().shade(draw(scene, beside), scene, beside, shading));
    }
    std::vector<const Image*> all;
    for (const Image& image : images)
        all.push_back(&image);
    return meanOf(all);
}

Image imageOf(std::vector<std::uint32_t> pixels) {
    return {int(pixels.size()), 1, hostCopy(std::span(pixels))};
}

} // namespace

class TestRasterSamples : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }
    void placesAreSpreadEvenly() {
        QCOMPARE(sampleOffset(0).x, 0.0f);
        QCOMPARE(sampleOffset(0).y, 0.0f);
        for (const int count : {4, 8, 16, 32, 64}) {
            double x = 0, y = 0;
            std::set<std::pair<float, float>> places;
            for (int i = 0; i < count; ++i) {
                const SampleOffset at = sampleOffset(i);
                QVERIFY(std::abs(at.x) < 0.5f && std::abs(at.y) < 0.5f);
                QCOMPARE(at.x * 256, std::round(at.x * 256));
                QCOMPARE(at.y * 256, std::round(at.y * 256));
                places.insert({at.x, at.y});
                x += double(at.x) / count, y += double(at.y) / count;
            }
            QCOMPARE(places.size(), std::size_t(count));
            QVERIFY2(std::abs(x) < 0.5 / count && std::abs(y) < 1.5 / count,
                     qPrintable(QString::number(count)));
        }
    }
    void meansAreRounded() {
        const Image a = imageOf({0xff000000u, 0x00ffffffu, 0x01020304u}),
                    b = imageOf({0xff010203u, 0x00ffffffu, 0x02030405u}),
                    c = imageOf({0xff020406u, 0x00ffffffu, 0x02030405u});
        QCOMPARE(meanOf({&a, &b}).pixels[0], 0xff010102u); // halves go up
        QCOMPARE(meanOf({&a, &b, &c}).pixels[0], 0xff010203u);
        QCOMPARE(meanOf({&a, &b, &c}).pixels[1], 0x00ffffffu);
        QCOMPARE(meanOf({&a, &b, &c}).pixels[2], 0x02030405u);
        const std::vector<const Image*> most(kMaxSamples, &a);
        QCOMPARE(meanOf(most).pixels[1], 0x00ffffffu);
        const std::vector<const Image*> more(kMaxSamples + 1, &a);
        QVERIFY_EXCEPTION_THROWN(meanOf(more), KernelError);
        const Image other = imageOf({1, 2});
        QVERIFY_EXCEPTION_THROWN(meanOf({&a, &other}), KernelError);
        QVERIFY_EXCEPTION_THROWN(meanOf({}), KernelError);
    }
    void edgesShowTheirCoverage() {
        // a wall whose left edge is within the middle pixel's column
        for (const double coverage : {0.25, 0.5, 0.8125}) {
            const Projection p(cameraAt({0, 0, 0}, {0, 1, 0}, true, 40), 41, 40);
            const auto edge = static_cast<float>(0.5 - coverage); // measured from the middle of the column
            const auto mesh =
                meshOf({{edge, 2, -30}, {30, 2, -30}, {30, 2, 30}, {edge, 2, 30}}, {0, 1, 2, 0, 2, 3});
            RasterScene scene;
            scene.mesh = &mesh;
            scene.meshColour.uniform = 0xffffffffu;
            Shading shading;
            shading.light = shading.eyeDome = false;
            shading.background = 0xff000000u;
            const Image one = sampled(scene, p, 1, shading), many = sampled(scene, p, 64, shading);
            const auto at = [](const Image& image, int x) {
                return int(image.pixels[std::size_t(20 * 41 + x)] & 255);
            };
            QCOMPARE(at(many, 19), 0);
            QCOMPARE(at(many, 21), 255);
            QVERIFY(at(one, 20) == 0 || at(one, 20) == 255);
            QVERIFY2(std::abs(at(many, 20) - 255 * coverage) <= 6, qPrintable(QString::number(at(many, 20))));
        }
    }
    void oneSampleIsThePicture() {
        auto random = seededRandom("oneSampleIsThePicture");
        Crowd crowd;
        fill(crowd, 1000, 1, random);
        const Projection p = views(120, 90).front();
        const Image plain = RasterBackend::current().shade(draw(crowd.scene, p), crowd.scene, p, {});
        QCOMPARE(difference(sampled(crowd.scene, p, 1, {}), plain), std::string());
        QVERIFY(!difference(sampled(crowd.scene, p, 4, {}), plain).empty());
    }
};

RASTER_TEST(TestRasterSamples)
#include "test_raster_samples.moc"
