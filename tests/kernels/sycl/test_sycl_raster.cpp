// Pictures in the SYCL backend compared with the CPU, pixel by pixel: the kernels on the host, and on each
// device.
#include "tests/kernels/raster/raster_crowd.h"
#include "tests/kernels/sycl/sycl_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The difference between the CPU's picture and that of a device.
std::string differenceBySycl(const SyclDevice& device, const RasterScene& scene, const Projection& projection,
                             const Shading& shading) {
    RasterStats stats, found;
    const VisibilityBuffer expected = cpu::rasterize(scene, projection, stats, {}),
                           seen = device.rasterize(scene, projection, found, {});
    if (std::string other = difference(expected, seen); !other.empty())
        return other;
    if (stats.drawnPixels != found.drawnPixels || stats.rejectedNotFinite != found.rejectedNotFinite)
        return "the numbers of pixels or of rejected primitives differ";
    return difference(cpu::resolve(expected, scene, projection, shading, {}),
                      device.resolve(seen, scene, projection, shading, {}));
}

} // namespace

class TestSyclRaster : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }

    void crowds_data() { addSyclRows(); }
    void crowds() {
        SCANLOUPE_SYCL_DEVICE(device);
        auto random = seededRandom("crowds");
        for (const auto& [count, size] : {std::pair{20'000, 0.1f}, {4000, 2.0f}, {300, 2000.0f}}) {
            Crowd crowd;
            fill(crowd, count, size, random);
            for (const Projection& p : views(333, 251)) {
                for (const float pointSize : {1.0f, 3.5f, 30.0f}) {
                    crowd.scene.pointSize = pointSize;
                    crowd.scene.backFaces = pointSize > 1;
                    QCOMPARE(differenceBySycl(*device, crowd.scene, p, {}), std::string());
                }
                crowd.scene.pointExtent = 0.02f;
                crowd.scene.pointBlend = PointBlend::averaged;
                crowd.scene.pointSize = 5;
                QCOMPARE(differenceBySycl(*device, crowd.scene, p, {true, false, 1, 0xff102030u}),
                         std::string());
                crowd.scene.pointBlend = PointBlend::nearest;
                crowd.scene.pointExtent = 0;
            }
        }
    }

    void eachPartAlone_data() { addSyclRows(); }
    void eachPartAlone() {
        SCANLOUPE_SYCL_DEVICE(device);
        auto random = seededRandom("eachPartAlone");
        Crowd crowd;
        fill(crowd, 3000, 0.5f, random);
        std::vector<std::uint32_t> rgba(crowd.values.size());
        for (std::uint32_t& colour : rgba)
            colour = std::uint32_t(random()) | 0xff000000u;
        for (const Projection& p : views(120, 90))
            for (int part = 0; part < 4; ++part) {
                RasterScene scene = crowd.scene;
                if (part != 0)
                    scene.mesh = nullptr;
                if (part != 1)
                    scene.voxels = nullptr;
                if (part != 2)
                    scene.points = {};
                QCOMPARE(differenceBySycl(*device, scene, p, {}), std::string());
                scene.meshColour.rgba = scene.pointColour.rgba = rgba.data();
                scene.meshColour.discrete = part == 0;
                QCOMPARE(differenceBySycl(*device, scene, p, {false, true, 4, 0}), std::string());
            }
    }

    void badScenesAreRefused_data() { addSyclRows(); }
    void badScenesAreRefused() {
        SCANLOUPE_SYCL_DEVICE(device);
        const Projection p(cameraAt({0, -4, 0}, {0, 0, 0}), 32, 24);
        TriangleMesh mesh = meshOf({{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 1, 2, 0, 1, 7});
        RasterScene scene;
        scene.mesh = &mesh;
        RasterStats stats;
        QVERIFY_EXCEPTION_THROWN(device->rasterize(scene, p, stats, {}), KernelError);
        mesh.indices.shrink(3);
        VisibilityBuffer seen = device->rasterize(scene, p, stats, {});
        seen.pixels[5] = fragment(1, primitiveId(PrimitiveKind::triangle, 9));
        QVERIFY_EXCEPTION_THROWN(device->resolve(seen, scene, p, {}, {}), KernelError);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(device->rasterize(scene, p, stats, stop.get_token()), Cancelled);
        QCOMPARE(differenceBySycl(*device, scene, p, {}), std::string());
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSyclRaster)
#include "test_sycl_raster.moc"
