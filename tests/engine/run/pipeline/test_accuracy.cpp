// Accuracy of the surface from a simulated scan.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "tests/support/surface_accuracy.h"
#include "tests/support/test_support.h"

using namespace scanloupe;

class TestAccuracy : public QObject {
    Q_OBJECT
private slots:
    void signedDistanceSurface_data() {
        QTest::addColumn<int>("scene");
        QTest::addColumn<int>("points");
        QTest::addColumn<QString>("backend");
        for (const char* backend : {"cpu", "cuda"}) {
            QTest::addRow("street on %s", backend) << int(synth::Scene::street) << 500'000 << backend;
            QTest::addRow("room on %s", backend) << int(synth::Scene::room) << 300'000 << backend;
            QTest::addRow("bumpy sphere on %s", backend) << int(synth::Scene::bumpy) << 100'000 << backend;
        }
    }
    void signedDistanceSurface() {
        QFETCH(int, scene);
        QFETCH(int, points);
        QFETCH(QString, backend);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        synth::ScanParams params;
        params.scene = synth::Scene(scene);
        params.points = std::uint64_t(points);
        params.rangeNoise = 0.01f;
        const auto cloud = std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
        Pipeline pipeline(chooseBackend(backend == "cuda" ? Backend::cuda : Backend::cpu));
        pipeline.setInput(cloud, 0);
        Recipe recipe;
        setFromText(recipe, parameter("voxel_size"), "0.05");
        setFromText(recipe, parameter("field"), "distance");
        setFromText(recipe, parameter("iso"), "0");
        const Snapshot s = pipeline.run(recipe, {false, false, {}}, {});

        const test::SurfaceAccuracy a =
            test::measureAccuracy(s.mesh.host(), s.points->all({}).positions.span(), params.scene, 0.05f);
        std::printf("%s: %zu voxels, %zu triangles; mesh to surface mean %.2f mm, p95 %.2f mm; "
                    "surface covered %.2f %%; normals right %.2f %%, where the face was seen %.2f %%; "
                    "farthest from a point %.2f voxels\n",
                    QTest::currentDataTag(), s.voxels->size(), s.mesh->triangleCount(), a.meanToSurface * 1e3,
                    a.p95ToSurface * 1e3, a.coveredShare * 1e2, a.rightNormals * 1e2, a.rightWhereSeen * 1e2,
                    a.farthestFromPoint);
        QVERIFY(a.meanToSurface <= 0.005);
        QVERIFY(a.p95ToSurface <= 0.015);
        QVERIFY(a.coveredShare >= 0.95);
        QVERIFY(a.rightNormals >= 0.985);
        QVERIFY(a.rightWhereSeen >= 0.99);
        QVERIFY(a.farthestFromPoint <= 2.0);
    }
};

SCANLOUPE_TEST(TestAccuracy)
#include "test_accuracy.moc"
