// Differences between two runs: figures, parameters, bytes and times, as values and in words.
#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/length_unit.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"
#include "gui/jobs/compare_runner.h"
#include "gui/models/comparison.h"
#include "gui/models/result_times.h"
#include "tests/support/test_support.h"

#include <QLocale>
#include <QTest>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

std::shared_ptr<const PointCloud> scan() {
    synth::ScanParams params;
    params.points = 20'000;
    static const auto cloud = std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
    return cloud;
}

Recipe small() {
    Recipe recipe;
    recipe.imageWidth = 160;
    recipe.imageHeight = 90;
    return recipe;
}

Snapshot run(Pipeline& pipeline, const Recipe& recipe) {
    return pipeline.run(recipe, {}, {});
}

} // namespace

class TestComparison : public QObject {
    Q_OBJECT
private slots:
    void eachBackendIsComparedWithTheOthers() {
        using Backends = std::vector<Backend>;
        QCOMPARE(otherBackends(Backend::cpu), (Backends{Backend::cuda, Backend::sycl}));
        QCOMPARE(otherBackends(Backend::cuda), (Backends{Backend::cpu, Backend::sycl}));
        QCOMPARE(otherBackends(Backend::sycl), (Backends{Backend::cpu, Backend::cuda}));
    }
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void twoPipelinesMakeTheSameBytes() {
        Pipeline one(chooseBackend(Backend::cpu)), other(chooseBackend(Backend::cpu));
        one.setInput(scan(), 0);
        other.setInput(scan(), 0);
        const Snapshot a = run(one, small()), b = run(other, small());
        QVERIFY(a.voxels->size() > 100 && a.mesh->triangleCount() > 100);
        QVERIFY(a.voxels != b.voxels);
        const ResultDifference same = compareResults(a, b, {});
        QVERIFY(same.isIdentical());
        QCOMPARE(same.pixels->all, std::uint64_t(160 * 90));
        QVERIFY(changesBetween(a, b, LengthUnit::metre).isEmpty());

        // changes a single byte of each result
        Snapshot changed = b;
        TriangleMesh mesh = b.mesh->download(StreamView(nullptr));
        mesh.normals[mesh.normals.size() / 2].x += 1e-3f;
        changed.mesh = DeviceOrHost<TriangleMesh>(std::move(mesh));
        ResultDifference difference = compareResults(a, changed, {});
        QVERIFY(difference.sameVoxels && !difference.sameMesh && !difference.isIdentical());
        changed = b;
        VoxelGrid voxels = b.voxels->download(StreamView(nullptr));
        ++voxels.counts[7];
        changed.voxels = DeviceOrHost<VoxelGrid>(std::move(voxels));
        difference = compareResults(a, changed, {});
        QVERIFY(!difference.sameVoxels && difference.sameMesh && !difference.isIdentical());
        changed = b;
        auto picture = std::make_shared<Picture>(*b.picture);
        Image image = b.picture->image->download(StreamView(nullptr));
        image.pixels[11] ^= 1;
        image.pixels[12] ^= 0x100;
        picture->image = DeviceOrHost<Image>(std::move(image));
        changed.picture = picture;
        difference = compareResults(a, changed, {});
        QCOMPARE(difference.pixels->differing, std::uint64_t(2));
        QVERIFY(difference.sameVoxels && difference.sameMesh && !difference.isIdentical());
        picture->samples = 4; // another picture of the same results: no difference
        QVERIFY(!compareResults(a, changed, {}).pixels && !compareResults(a, changed, {}).isIdentical());
    }

    void changedParametersAreSaidWithTheValuesUsed() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(scan(), 0);
        const Snapshot automatic = run(pipeline, small());
        Recipe recipe = small();
        recipe.voxelSize = automatic.resolved->voxelSize;
        const Snapshot same = run(pipeline, recipe);
        // the explicit value equals the automatic one
        QVERIFY(changesBetween(automatic, same, LengthUnit::metre).isEmpty());
        recipe.voxelSize = Vec3d{1.5, 1.5, 1.5};
        recipe.light = false;
        recipe.imageWidth = 200; // the picture's size follows the views
        const Snapshot other = run(pipeline, recipe);
        const QStringList changes = changesBetween(automatic, other, LengthUnit::metre);
        QCOMPARE(changes.size(), 2);
        const QString before = QString::fromStdString(toText(automatic.resolved, parameter("voxel_size")));
        QCOMPARE(changes[0], QStringLiteral("Voxel size: %1 m → 1.5 m").arg(before));
        QVERIFY2(changes[1].contains(QStringLiteral("on → off")), qPrintable(changes[1]));
        QVERIFY(!compareResults(automatic, other, {}).sameVoxels);
    }

    void timesAreThoseOfTheResults() {
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(scan(), 0);
        ResultTimes times;
        const Snapshot first = run(pipeline, small());
        QVERIFY(!times.of(first));
        times.add(first);
        const double all = *times.of(first);
        QVERIFY(all > 0 && all <= first.timings.totalMs);
        Recipe recipe = small();
        recipe.light = false; // only the picture changes: no other stage takes time
        const Snapshot lit = run(pipeline, recipe);
        times.add(lit);
        QCOMPARE(*times.of(lit), all);
        recipe.voxelSize = Vec3d{1.5, 1.5, 1.5};
        const Snapshot coarse = run(pipeline, recipe);
        times.add(coarse);
        QVERIFY(*times.of(coarse) != all);
        QCOMPARE(*times.of(first), all); // both results are still stored
        ResultTimes late;                // this object has seen no run that made voxels and field
        recipe.iso = *coarse.resolved->iso * 0.9;
        late.add(run(pipeline, recipe));
        QVERIFY(!late.of(run(pipeline, recipe)));
    }

    void figuresAndVerdictsAreLegible() {
        Comparison comparison;
        QCOMPARE(verdictText(comparison), QStringLiteral("A is being computed…"));
        comparison.a = RunFigures{1000, 4000, 8000, 20.0};
        comparison.b = RunFigures{250, 4000, 12000, std::nullopt};
        QCOMPARE(verdictText(comparison), QStringLiteral("Comparing…"));
        QString table = figuresTable(comparison);
        QVERIFY2(table.contains(QStringLiteral("−750 (−75.0 %)")), qPrintable(table));
        QVERIFY(table.contains(QStringLiteral("+4,000 (+50.0 %)")));
        QVERIFY(table.contains(QStringLiteral(">&nbsp;&nbsp;&nbsp;0<"))); // vertices
        comparison.b->ms = 45.0;
        QVERIFY(figuresTable(comparison).contains(QStringLiteral("(+125 %)")));
        comparison.a->voxels = 0; // a volume has no voxels
        QVERIFY(!figuresTable(comparison).contains(QStringLiteral("inf")));
        comparison.difference = ResultDifference{true, true, ResultDifference::Pixels{1000, 0}};
        QVERIFY(verdictText(comparison).startsWith(QStringLiteral("Identical")));
        comparison.difference->pixels->differing = 125;
        QVERIFY(verdictText(comparison).endsWith(QStringLiteral("12.5 % of the pixels differ.")));
        QVERIFY(!verdictText(comparison).contains(QStringLiteral("Identical")));
        comparison.difference->sameMesh = false;
        QVERIFY(verdictText(comparison).contains(QStringLiteral("the mesh differs")));
        comparison.backendA = QStringLiteral("CPU");
        QVERIFY(figuresTable(comparison).contains(QStringLiteral("A: CPU")));
    }

    void aSecondRunThatDoesNotFitIsRefused() {
        Forecast forecast;
        forecast.hostBytes = Estimate{2e9, 1e9, 3e9};
        QVERIFY(refusalOfSecondRun(forecast, 4'000'000'000).isEmpty());
        const QString refusal = refusalOfSecondRun(forecast, 2'500'000'000);
        QVERIFY2(refusal.contains(bytes(3'000'000'000)) && refusal.contains(bytes(2'500'000'000)),
                 qPrintable(refusal));
    }

private:
    static QString bytes(qint64 count) {
        return QLocale().formattedDataSize(count, 1, QLocale::DataSizeSIFormat);
    }
};

SCANLOUPE_TEST(TestComparison)
#include "test_comparison.moc"
