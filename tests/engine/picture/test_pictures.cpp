// Voxels, mesh and points of real scans show the same object: their silhouettes from the same camera agree.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/writers.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "tests/support/silhouette.h"
#include "tests/support/test_support.h"

using namespace scanloupe;

namespace {
const RunOptions kNoPicture{false, false, {}};

/// A camera from a text of six numbers: eye and target, separated by commas.
Camera cameraOf(const QString& text) {
    const QStringList n = text.split(',');
    Camera camera;
    camera.eye = {n[0].toDouble(), n[1].toDouble(), n[2].toDouble()};
    camera.target = {n[3].toDouble(), n[4].toDouble(), n[5].toDouble()};
    return camera;
}
} // namespace

class TestPictures : public QObject {
    Q_OBJECT
private slots:
    void silhouettesAgree_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("parameters"); // key=value pairs, separated by spaces
        // Distant points of a sweep are isolated, so that a thin sheet of surface would cover less than the
        // voxel's cube. The closed surface of the occupancy covers as much as the voxels.
        QTest::newRow("KITTI") << "sweeps/kitti_training_000000.bin"
                               << "view=sensor voxel_size=0.2 field=occupancy iso=0.3";
        QTest::newRow("nuScenes") << "sweeps/nuscenes_10sweep_ff9eff_f32.bin"
                                  << "camera=-3,0,3,6,0,0 voxel_size=0.6 field=occupancy iso=0.3";
        QTest::newRow("bunny") << "ply/stanford_bun000.ply"
                               // voxels as small as the thin parts of the object
                               << "view=bottom up=z voxel_size=0.002 field=occupancy";
        QTest::newRow("office") << "pcd/office1.pcd"
                                << "";
    }
    void silhouettesAgree() {
        QFETCH(QString, file);
        QFETCH(QString, parameters);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(readScan(path, {}, {}), 0);
        Recipe recipe;
        for (const QString& word : parameters.split(' ', Qt::SkipEmptyParts)) {
            const QString key = word.section('=', 0, 0), value = word.section('=', 1);
            if (key == "camera")
                recipe.camera = cameraOf(value);
            else
                setFromText(recipe, parameter(key.toStdString()), value.toStdString());
        }
        // points as large as their voxels look, so that all three fill the same space
        recipe.pointExtent = 1.25 * pipeline.run(recipe, kNoPicture, {}).resolved->voxelSize->x;
        std::vector<std::shared_ptr<const Picture>> pictures;
        for (const PictureContent content :
             {PictureContent::points, PictureContent::voxels, PictureContent::mesh}) {
            recipe.show = content;
            const Snapshot s = pipeline.run(recipe, {}, {});
            pictures.push_back(s.picture);
            recipe.camera = s.picture->camera;
            if (const char* folder = std::getenv("SCANLOUPE_PICTURES"))
                writeImage(std::filesystem::path(folder) / (std::string(QTest::currentDataTag()) + "_" +
                                                            std::to_string(int(content)) + ".png"),
                           s.picture->image.host());
            if (content == PictureContent::mesh)
                std::printf("%s: voxel size %g m, %zu voxels, %zu triangles\n", QTest::currentDataTag(),
                            s.resolved->voxelSize->x, s.voxels->size(), s.mesh->triangleCount());
        }
        const double pointsVoxels =
            test::silhouetteIoU(pictures[0]->visibility.host(), pictures[1]->visibility.host());
        const double pointsMesh =
            test::silhouetteIoU(pictures[0]->visibility.host(), pictures[2]->visibility.host());
        const double voxelsMesh =
            test::silhouetteIoU(pictures[1]->visibility.host(), pictures[2]->visibility.host());
        std::printf("%s: points-voxels %.3f, points-mesh %.3f, voxels-mesh %.3f\n", QTest::currentDataTag(),
                    pointsVoxels, pointsMesh, voxelsMesh);
        QVERIFY(pointsVoxels >= 0.95);
        QVERIFY(pointsMesh >= 0.95);
        QVERIFY(voxelsMesh >= 0.95);
    }
};

SCANLOUPE_TEST(TestPictures)
#include "test_pictures.moc"
