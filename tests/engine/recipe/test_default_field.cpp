// Which field and iso-value are chosen from the data.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/recipe/defaults.h"
#include "engine/recipe/voxel_size.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <oneapi/tbb/global_control.h>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::shared_ptr<const PointCloud> cloudOf(const std::vector<Vec3d>& points) {
    auto xyz = Buffer<Vec3d>::host(points.size());
    std::copy(points.begin(), points.end(), xyz.data());
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

/// The upper half of a sphere of radius 1, with noise along its normals.
std::vector<Vec3d> dome(std::mt19937_64& random, int count, double noise) {
    std::uniform_real_distribution<double> height(0, 1), turn(0, 2 * std::numbers::pi);
    std::normal_distribution<double> off(0, noise);
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i) {
        const double z = height(random), t = turn(random), r = std::sqrt(1 - z * z);
        points.push_back(Vec3d{r * std::cos(t), r * std::sin(t), z} * (1 + off(random)));
    }
    return points;
}

/// Points anywhere in a cube of edge 2.
std::vector<Vec3d> filled(std::mt19937_64& random, int count) {
    std::uniform_real_distribution<double> along(-1, 1);
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i)
        points.push_back({along(random), along(random), along(random)});
    return points;
}

QString fieldNote(const Snapshot& s) {
    for (const RunNote& note : s.notes)
        if (note.text.starts_with("Field chosen"))
            return QString::fromStdString(note.text);
    return {};
}

} // namespace

class TestDefaultField : public QObject {
    Q_OBJECT
private slots:
    void aNarrowRangeOfALargeScanKeepsItsDensity() {
        SCANLOUPE_LONG_TEST();
        // a plane that exceeds the sample size: a narrow strip has few points of the sample
        auto random = seededRandom("aNarrowRangeOfALargeScanKeepsItsDensity");
        std::uniform_real_distribution<double> along(0, 20);
        std::vector<Vec3d> points;
        for (int i = 0; i < 3'000'000; ++i)
            points.push_back({along(random), along(random), 0});
        const auto cloud = cloudOf(points);
        const DataDefaults defaults = defaultsFor(*cloud, {});
        for (const double width : {10.0, 3.0, 0.5}) {
            Recipe recipe;
            recipe.rangeMin = Vec3d{0, 8, -1};
            recipe.rangeMax = Vec3d{20, 8 + width, 1};
            const double size = resolve(recipe, *cloud, defaults, {}).voxelSize->x;
            const double perVoxel = 3'000'000 / 400.0 * size * size; // points
            QVERIFY2(
                perVoxel > 2 && perVoxel < 16,
                qPrintable(QString("%1 m wide: %2 m, %3 points a voxel").arg(width).arg(size).arg(perVoxel)));
        }
    }
    void croppingKeepsTheVoxelSize() {
        // a plane with 200 points a square metre, and 20 from x = 10 on
        auto random = seededRandom("croppingKeepsTheVoxelSize");
        std::uniform_real_distribution<double> along(0, 20), half(0, 10);
        std::vector<Vec3d> points;
        for (int i = 0; i < 40'000; ++i)
            points.push_back({half(random), along(random), 0});
        for (int i = 0; i < 4'000; ++i)
            points.push_back({10 + half(random), along(random), 0});
        const auto cloud = cloudOf(points);
        const DataDefaults defaults = defaultsFor(*cloud, {});
        const auto sizeIn = [&](Vec3d low, Vec3d high) {
            Recipe recipe;
            recipe.rangeMin = low;
            recipe.rangeMax = high;
            return resolve(recipe, *cloud, defaults, {}).voxelSize->x;
        };
        const double whole = defaults.voxelSize.x;
        for (const double width : {19.0, 15.0, 12.0, 10.0, 7.0, 3.0, 1.0})
            QCOMPARE(sizeIn({0, 0, -1}, {width, 20, 1}), whole);
        QCOMPARE(sizeIn({0, 0, -1}, {1, 2, 1}), whole); // some 400 points
        // where points are farther apart, voxels are as large as their spacing
        const double sparse = sizeIn({11, 0, -1}, {20, 20, 1});
        QVERIFY2(sparse > whole && 20 * sparse * sparse > 1.5, qPrintable(QString::number(sparse)));

        QCOMPARE(steadyVoxelSize(0.4, 0.4, 10), 0.4);
        QCOMPARE(steadyVoxelSize(0.21, 0.4, 10), 0.4);
        QCOMPARE(steadyVoxelSize(0.2, 0.4, 10), 0.2);
        QCOMPARE(steadyVoxelSize(0.11, 0.4, 10), 0.2);
        QCOMPARE(steadyVoxelSize(0.5, 0.4, 2), 0.4);
        QCOMPARE(steadyVoxelSize(0.5, 0.4, 1.2), 0.5);
        QCOMPARE(steadyVoxelSize(0.3, 0, 10), 0.3); // the size of the whole scan is unknown
    }
    void surfacesGetADistance() {
        auto random = seededRandom("surfacesGetADistance");
        Run run(cloudOf(dome(random, 40'000, 0.002)));
        const Snapshot s = run(kNoPicture);
        QCOMPARE(*s.resolved->field, FieldKind::signedDistance);
        QVERIFY2(fieldNote(s).contains("distance, since the points form surfaces: "),
                 qPrintable(fieldNote(s)));
        QVERIFY(s.field->normalsGuessed > 0);
        const MeshTopology topology = analyseTopology(s.mesh.host());
        QVERIFY2(std::abs(topology.area / (2 * std::numbers::pi) - 1) < 0.05,
                 qPrintable(QString::number(topology.area))); // one sheet, without gaps
        QCOMPARE(topology.components, std::uint64_t{1});
        run.set("field", "occupancy"); // the earlier default
        QVERIFY(analyseTopology(run(kNoPicture).mesh.host()).area > 3.5 * std::numbers::pi);
    }
    void whatFillsSpaceGetsOccupancy() {
        auto random = seededRandom("whatFillsSpaceGetsOccupancy");
        for (const int count : {2'000, 50'000}) {
            const Snapshot s = Run(cloudOf(filled(random, count)))(kNoPicture);
            QCOMPARE(*s.resolved->field, FieldKind::occupancy);
            QVERIFY2(fieldNote(s).contains("vegetation"), qPrintable(fieldNote(s)));
        }
        const Snapshot few = Run(cloudOf(filled(random, 60)))(kNoPicture);
        QCOMPARE(*few.resolved->field, FieldKind::occupancy);
        QVERIFY2(fieldNote(few).contains("too few of its points"), qPrintable(fieldNote(few)));
        // points on lines have no surface either
        std::vector<Vec3d> wires;
        for (int i = 0; i < 20'000; ++i)
            wires.push_back({double(i % 20), 0.001 * double(i), 0.1 * double(i % 7 % 3)});
        for (Vec3d& p : wires)
            p.z = 5 * std::floor(p.x / 2); // 20 wires, far from each other
        QCOMPARE(*Run(cloudOf(wires))(kNoPicture).resolved->field, FieldKind::occupancy);
    }
    void theChoiceHangsOnThePointsAlone() {
        auto random = seededRandom("theChoiceHangsOnThePointsAlone");
        std::vector<Vec3d> points = dome(random, 30'000, 0.01);
        const auto filling = filled(random, 20'000);
        points.insert(points.end(), filling.begin(), filling.end());
        const DataDefaults first = defaultsFor(*cloudOf(points), {});
        QVERIFY(first.surface.voxels > 200 && first.surface.voxels < 1000);
        std::shuffle(points.begin(), points.end(), random);
        for (const std::size_t threads : {1, 2, 3}) {
            const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                                    threads);
            const DataDefaults again = defaultsFor(*cloudOf(points), {});
            QCOMPARE(again.surface.voxels, first.surface.voxels);
            QCOMPARE(again.surface.flat, first.surface.flat);
            QCOMPARE(again.surface.sparse, first.surface.sparse);
        }
    }
    void knownSidesAreNotLookedAt() {
        const DataDefaults defaults = defaultsFor(*bumpyCloud(), {});
        QVERIFY(defaults.sideKnown);
        QCOMPARE(defaults.surface.voxels, std::size_t{0});
        QCOMPARE(defaults.field, FieldKind::signedDistance);
    }
    void theDensityIsoFollowsTheRadius() {
        auto random = seededRandom("theDensityIsoFollowsTheRadius");
        Run run(cloudOf(dome(random, 40'000, 0.002)));
        run.set("field", "density");
        double lastIso = 0;
        for (const char* size : {"0.03", "0.06"}) {
            run.set("voxel_size", size);
            const double edge = std::stod(size);
            for (const double edges : {1.5, 2.0, 4.0, 6.0}) {
                run.recipe.radius = edges * edge;
                const Snapshot s = run(kNoPicture);
                const MeshTopology topology = analyseTopology(s.mesh.host());
                const QString what = QString("%1 m, %2 edges: iso %3, area %4, parts %5")
                                         .arg(size)
                                         .arg(edges)
                                         .arg(*s.resolved->iso)
                                         .arg(topology.area)
                                         .arg(topology.components);
                // a crust around all of it: both sides of the dome, in one part
                QVERIFY2(topology.area > 3.6 * std::numbers::pi && topology.area < 6 * std::numbers::pi,
                         qPrintable(what));
                QVERIFY2(topology.components == 1, qPrintable(what));
                if (edges > 2)
                    QVERIFY2(*s.resolved->iso < 0.8 * lastIso, qPrintable(what)); // thinner spread
                lastIso = *s.resolved->iso;
            }
        }
        // a filled volume has the same density for every radius
        Run full(cloudOf(filled(random, 40'000)));
        full.set("field", "density");
        full.set("voxel_size", "0.1");
        for (const char* radius : {"0.2", "0.4"}) {
            full.set("radius", radius);
            const double iso = *full(kNoPicture).resolved->iso;
            QVERIFY2(iso > 40'000 / 8.0 / 3 * 0.7 && iso < 40'000 / 8.0 / 3 * 1.1,
                     qPrintable(QString::number(iso)));
        }
    }
    void anIsoOfOnesOwnStays() {
        auto random = seededRandom("anIsoOfOnesOwnStays");
        Run run(cloudOf(dome(random, 20'000, 0.002)));
        run.set("field", "density");
        run.set("iso", "1234");
        for (const char* radius : {"0.1", "0.2"}) {
            run.set("radius", radius);
            QCOMPARE(*run(kNoPicture).resolved->iso, 1234.0);
        }
        run.set("iso", "auto");
        QVERIFY(*run(kNoPicture).resolved->iso != 1234.0);
    }
    void theIsoKeepsNoFieldOfBefore() {
        auto random = seededRandom("theIsoKeepsNoFieldOfBefore");
        Run run(cloudOf(dome(random, 20'000, 0.002)));
        run.set("field", "density");
        const std::weak_ptr<const void> density = run(kNoPicture).field.identity();
        QVERIFY(!density.expired()); // for the next surface of it
        run.set("field", "occupancy");
        QCOMPARE(*run(kNoPicture).resolved->iso, 0.5);
        QVERIFY2(density.expired(), "the density is kept, though nothing takes it again");
        // a later density field gets the iso-value of the new field
        run.set("field", "density");
        run.set("radius", "0.2");
        const double wide = *run(kNoPicture).resolved->iso;
        run.set("radius", "0.1");
        QVERIFY(*run(kNoPicture).resolved->iso > wide);
    }
    void realScans_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("field");
        const auto row = [](const char* file, const char* field) {
            QTest::newRow(file) << QString(file) << QString(field);
        };
        row("ply/stanford_bun000.ply", "distance");
        row("e57/bunnyInt32.e57", "distance");
        row("las/pdal_autzen_trim.laz", "distance");
        row("las/laspy_fullwave.laz", "distance"); // rings of a terrestrial scanner
        row("las/pdal_mvk-thin.las", "distance");
        row("pcd/milk.pcd", "distance"); // the sensor's position is known
        row("las/laspy_vegetation_1_3.las", "occupancy");
        row("las/pdal_warsaw_small.las", "occupancy");
        row("pcd/samp11-utm.pcd", "occupancy");
        row("pcd/bun4.pcd", "occupancy"); // 361 points
    }
    void realScans() {
        QFETCH(QString, file);
        QFETCH(QString, field);
        const auto path = scansFolder() / file.toStdString();
        if (!std::filesystem::exists(path))
            QSKIP("the scan is not here");
        const auto cloud = readScan(path, {}, {});
        const Snapshot s = Run(cloud)(kNoPicture);
        QCOMPARE(QString::fromStdString(toText(s.resolved, parameter("field"))), field);
        QVERIFY2(!fieldNote(s).isEmpty(), "no note");
        std::printf("%s: %s\n", qPrintable(file), qPrintable(fieldNote(s)));
    }
};

SCANLOUPE_TEST(TestDefaultField)
#include "test_default_field.moc"
