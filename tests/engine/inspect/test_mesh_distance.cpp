// Distances between meshes on both backends, compared with closed forms.
#include "engine/cloud/error.h"
#include "engine/inspect/mesh_distance.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

class TestMeshDistance : public QObject {
    Q_OBJECT
private slots:
    void sheetsAndSpheres_data() { addCpuAndCuda(); }
    void sheetsAndSpheres() {
        QFETCH(QString, backend);
        if (const std::string why = whyNot(backend); !why.empty())
            QSKIP(why.c_str());
        std::optional<Stream> stream;
        if (backend == "cuda")
            stream.emplace();
        const Execution on{stream ? std::optional(stream->view()) : std::nullopt, {}};

        // a small sheet above a wider one: the distance from the wide sheet to the small one is larger
        const TriangleMesh small = sheet(2, 2, {}, 0.5f), wide = sheet(4, 2);
        const MeshDistance sheets = meshDistance(small, wide, 10'000, on);
        QCOMPARE(sheets.computedOnDevice, backend == "cuda");
        QVERIFY(std::abs(sheets.areas[0] - 4) < 1e-9 && std::abs(sheets.areas[1] - 8) < 1e-9);
        QVERIFY(std::abs(sheets.forth.samples.mean - 0.5) < 1e-6);
        QVERIFY(std::abs(sheets.forth.largest - 0.5) < 1e-6);
        QVERIFY(std::abs(sheets.back.largest - std::hypot(2, 0.5)) < 1e-6);
        QCOMPARE(sheets.hausdorff(), sheets.back.largest);
        QCOMPARE(sheets.back.at.x, 4.0);
        // half of the wide sheet is below the small one; points of the other half are sqrt(x^2 + 1/4) away, x
        // from 0 to 2
        const double away = (2 * std::sqrt(4.25) + 0.25 * std::asinh(4.0)) / 2 / 2;
        QVERIFY2(std::abs(sheets.back.samples.mean - (0.5 + away) / 2) < 1e-3,
                 qPrintable(QString::number(sheets.back.samples.mean)));

        const TriangleMesh ball = surfaceOf(60, 1.4f, unitSphere),
                           larger = surfaceOf(60, 1.4f, [](Vec3d p) { return unitSphere(p) - 0.1; });
        const MeshDistance balls = meshDistance(ball, larger, 20'000, on);
        for (const SurfaceDistance& one : {balls.forth, balls.back}) {
            QVERIFY(std::abs(one.samples.mean - 0.1) < 1e-3);
            QVERIFY(std::abs(one.samples.rms - 0.1) < 1e-3 && one.largest < 0.103);
            QCOMPARE(one.samples.count, 20'000u);
        }
        QCOMPARE(meshDistance(ball, ball, 5000, on).hausdorff() < 1e-6, true);
    }

    void placesAreSpreadByArea() {
        const TriangleMesh mesh =
            meshOf({{0, 0, 0}, {3, 0, 0}, {0, 2, 0}, {10, 0, 0}, {11, 0, 0}, {10, 2, 0}},
                   {0, 1, 2, 0, 0, 1, 3, 4, 5}); // triangles with areas of 3, 0 and 1
        const Buffer<Vec3f> places = placesOn(mesh, 40'000, {});
        std::size_t onSecond = 0, inCorner = 0;
        for (const Vec3f p : places.span()) {
            onSecond += p.x >= 10;
            // the corner is a quarter of the first triangle
            inCorner += p.x < 1.5f && p.y < 1 && p.x / 1.5f + p.y < 1;
        }
        QCOMPARE(onSecond, 10'000u);
        QVERIFY(std::abs(double(inCorner) / 30'000 - 0.25) < 0.005);
    }

    void withoutArea() {
        const TriangleMesh none = meshOf({{0, 0, 0}, {1, 0, 0}}, {0, 1, 1});
        QVERIFY_EXCEPTION_THROWN(meshDistance(none, sheet(1, 1), 100, {}), EngineError);
        QVERIFY_EXCEPTION_THROWN(meshDistance(sheet(1, 1), none, 100, {}), EngineError);
    }
};

SCANLOUPE_TEST(TestMeshDistance)
#include "test_mesh_distance.moc"
