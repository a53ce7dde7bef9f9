#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/compute/memory.h"
#include "engine/graph/stage_cache.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/picture/vertex_channels.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A simulated scan of the walls of a room of 8 x 6 x 3 times `scale`, from a sensor at `at` inside the room.
std::shared_ptr<const PointCloud> roomFromInside(Vec3d at, double scale) {
    const Vec3d low = Vec3d{-3, -2, -1} * scale, high = Vec3d{5, 4, 2} * scale;
    std::vector<Vec3d> points;
    for (int i = 0; i < 40'000; ++i) {
        const double z = 1 - 2 * (i + 0.5) / 40'000,
                     turn = 2.39996322972865332 * i; // directions on a spiral that covers all sides
        const Vec3d ray{std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z};
        double reach = 1e9;
        for (int axis = 0; axis < 3; ++axis)
            if (ray[axis] != 0)
                reach = std::min(reach, (ray[axis] > 0 ? high[axis] : low[axis]) / ray[axis]);
        points.push_back(at + ray * reach);
    }
    auto xyz = Buffer<Vec3d>::host(points.size());
    std::copy(points.begin(), points.end(), xyz.data());
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

std::shared_ptr<const PointCloud> cloudOf(const std::vector<Vec3d>& points) {
    auto xyz = Buffer<Vec3d>::host(points.size());
    std::copy(points.begin(), points.end(), xyz.data());
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

const RunOptions kPreview{.preview = true};

template <class F>
QString refusal(F&& action) {
    try {
        action();
    } catch (const Error& error) {
        return QString::fromStdString(std::string(error.what()) + " | " + error.nextStep());
    }
    return {};
}

} // namespace

class TestPipeline : public QObject {
    Q_OBJECT
private slots:
    void wholeChain() {
        Run run(bumpyCloud());
        const Snapshot s = run();
        QCOMPARE(ran(s), QString("upload,voxelize,field,extract,rasterize,resolve,"));
        QCOMPARE(*s.resolved->field, FieldKind::signedDistance); // the sample states its sensor
        QVERIFY(s.voxels->size() > 1000);
        QVERIFY(s.mesh->triangleCount() > 1000);
        QVERIFY(s.picture->stats.drawnPixels > 320 * 240 / 20);
        QCOMPARE(s.timings.count("voxels"), std::uint64_t(s.voxels->size()));
        QCOMPARE(s.timings.count("triangles"), std::uint64_t(s.mesh->triangleCount()));
        QVERIFY(!s.notes.empty());
        for (const RunNote& note :
             s.notes) { // the sample is whole, and the notes report choices of its stages
            QVERIFY2(!note.isWarning, note.text.c_str());
            QVERIFY2(note.stage.empty() || s.timings.find(note.stage), note.stage.c_str());
        }
        QCOMPARE(meshVertexColours(s, {}).size(), s.mesh->vertexCount());
    }
    void keptResultsAreTakenAgain() {
        Run run(bumpyCloud());
        run.set("voxel_size", "0.05");
        const Snapshot first = run();
        run.pipeline.keepResults();
        run.set("voxel_size", "0.1");
        const Snapshot second = run();
        run.pipeline.keepResults();
        run.set("voxel_size", "0.05");
        const Snapshot again = run({.preview = true});
        QVERIFY(!again.preview); // kept results need no preview
        QCOMPARE(ran(again), QString("rasterize,resolve,"));
        QCOMPARE(again.mesh, first.mesh);
        QCOMPARE(again.voxels, first.voxels);
        QVERIFY(again.picture->image.host().pixels.span().size() ==
                first.picture->image.host().pixels.span().size());
        QVERIFY(std::ranges::equal(again.picture->image.host().pixels.span(),
                                   first.picture->image.host().pixels.span()));
        run.set("iso", "0.004"); // reuses the kept field
        QCOMPARE(ran(run()), QString("extract,rasterize,resolve,"));
        run.set("iso", "auto");
        run.set("voxel_size", "0.1");
        QCOMPARE(run().mesh, second.mesh);
        run.set("voxel_size", "0.2"); // the results of this voxel size were not kept
        QCOMPARE(ran(run()), QString("voxelize,field,extract,rasterize,resolve,"));
        run.pipeline.setInput(bumpyCloud(), 0); // another scan drops all kept results
        run.set("voxel_size", "0.05");
        QCOMPARE(ran(run()), QString("upload,voxelize,field,extract,rasterize,resolve,"));
    }
    void keptResultsLeaveMemoryToNewOnes() {
        Run run(bumpyCloud());
        run.set("voxel_size", "0.05");
        run();
        run.pipeline.setMemoryLimit(std::uint64_t{64} << 20);
        for (const char* size : {"0.06", "0.07", "0.08", "0.09"}) {
            run.pipeline.keepResults();
            run.set("voxel_size", size);
            run();
        }
        run.set("voxel_size", "0.08"); // the newest results are kept
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        run.pipeline.setMemoryLimit(1); // this limit is less than any result needs
        run.pipeline.keepResults();
        run.pipeline.setMemoryLimit(0);
        run.set("voxel_size", "0.07");
        QCOMPARE(ran(run()), QString("voxelize,field,extract,rasterize,resolve,"));
    }
    void keptResultsLeaveMemoryToResultsMadeAgain() {
        Run run(bumpyCloud());
        const std::function<void(Snapshot)> uses[] = {
            [&](const Snapshot& last) { run.pipeline.measure(last, QualityEffort::quick, {}); },
            [&](Snapshot last) { run.pipeline.pictureSource(last, {}); }};
        for (const auto& use : uses) {
            run.set("voxel_size", "0.05");
            const Snapshot first = run();
            run.pipeline.keepResults();
            run.set("voxel_size", "0.1");
            run(); // now the first run's results are kept, and those of this run are not
            run.pipeline.setMemoryLimit(1);
            QVERIFY_EXCEPTION_THROWN(use(first), HostMemoryShort);
            run.pipeline.setMemoryLimit(0);
            run.set("voxel_size", "0.05");
            QVERIFY(ran(run()).contains("field,extract,")); // the kept results were dropped to free memory
        }
    }
    void onlyWhatIsStaleRuns() {
        Run run(bumpyCloud());
        run();
        QCOMPARE(ran(run()), QString());
        run.set("iso", "0.005");
        QCOMPARE(ran(run()), QString("extract,rasterize,resolve,"));
        run.set("view", "top");
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        run.set("colour_by", "intensity");
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        run.set("field", "density");
        run.set("iso", "auto");
        QCOMPARE(ran(run()), QString("field,extract,rasterize,resolve,"));
        run.set("voxel_size", "0.05");
        QCOMPARE(ran(run()), QString("voxelize,field,extract,rasterize,resolve,"));
        run.set("show", "voxels");
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        run.set("show", "points");
        QCOMPARE(ran(run()), QString("rasterize,resolve,"));
        QCOMPARE(ran(run(kNoPicture)), QString());
    }
    void sameInputGivesTheSameBytes() {
        const auto bytes = [](const Snapshot& s) {
            QByteArray all(reinterpret_cast<const char*>(s.mesh->positions.data()),
                           qsizetype(s.mesh->positions.bytes()));
            all.append(reinterpret_cast<const char*>(s.mesh->indices.data()),
                       qsizetype(s.mesh->indices.bytes()));
            all.append(reinterpret_cast<const char*>(s.picture->image.host().pixels.data()),
                       qsizetype(s.picture->image.host().pixels.bytes()));
            return all;
        };
        Run first(bumpyCloud()), second(bumpyCloud());
        QCOMPARE(bytes(first()), bytes(second()));
    }
    void previewIsCoarserAndThenRefined() {
        Run run(bumpyCloud());
        const Snapshot coarse = run(kPreview);
        QVERIFY(coarse.preview);
        const Snapshot whole = run();
        QVERIFY(!whole.preview);
        QVERIFY(coarse.voxels->size() * 2 < whole.voxels->size());
        run.set("voxel_size", "0.05");
        std::size_t finer = run(kPreview).voxels->size();
        // each coarser preview is computed, instead of reusing the previous one
        for (int steps = 1; steps <= 2; ++steps) {
            const Snapshot coarser = run({.preview = true, .coarser = steps});
            QVERIFY(coarser.preview);
            QVERIFY(coarser.voxels->size() < finer);
            finer = coarser.voxels->size();
        }
        QVERIFY(run(kPreview).voxels->size() > finer);
        run();
        QVERIFY(!run(kPreview).preview); // all results are still cached: a preview is not needed
    }
    void coloursOfItsOwnComeFirst() {
        SCANLOUPE_REAL_SCAN(path, "pcd/office1.pcd");
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(readScan(path, {}, {}), 0);
        QCOMPARE(pipeline.run({}, {}, {}).resolved->colourBy, std::string("rgb"));
        Run plain(bumpyCloud(20'000));
        QCOMPARE(plain().resolved->colourBy, std::string("height"));
        plain.set("colour_by", "rgb");
        QVERIFY(!refusal([&] { plain(); }).isEmpty());
    }
    void colours_data() {
        QTest::addColumn<QString>("show");
        QTest::addColumn<QString>("by");
        for (const char* show : {"points", "voxels", "mesh"})
            for (const char* by : {"height", "count", "local_density", "intensity", "none"})
                QTest::addRow("%s by %s", show, by) << show << by;
    }
    void colours() {
        QFETCH(QString, show);
        QFETCH(QString, by);
        Run run(bumpyCloud(20'000));
        run.set("show", qPrintable(show));
        run.set("colour_by", qPrintable(by));
        run.set("light", "off");
        run.set("eye_dome", "off");
        const Snapshot s = run();
        std::set<std::uint32_t> colours;
        for (std::size_t i = 0; i < s.picture->image.host().pixels.size(); ++i)
            if (s.picture->visibility.host().pixels[i] != 0)
                colours.insert(s.picture->image.host().pixels[i]);
        if (by == "none")
            QCOMPARE(colours.size(), std::size_t(1));
        else
            QVERIFY2(colours.size() > (by == "count" ? 3u : 20u),
                     qPrintable(QString::number(colours.size())));
    }
    void signedValuesAreMappedAboutZero() {
        const auto scan = bumpyCloud(6'000);
        const Bounds box = scan->bounds();
        const auto coloured = [&](float low, ColourMapName map) {
            auto values = Buffer<std::byte>::host(scan->size() * sizeof(float));
            for (std::size_t i = 0; i < scan->size(); ++i) {
                const double along = (scan->position(i).x - box.min.x) / (box.max.x - box.min.x);
                const float value = low + 4 * float(along);
                std::memcpy(values.data() + i * sizeof(float), &value, sizeof(float));
            }
            CloudEdits edits;
            edits.attributes.emplace_back("residual", ScalarType::float32, std::move(values));
            Run run(std::make_shared<const PointCloud>(*scan, edits, std::stop_token()));
            run.set("colour_by", "residual");
            run.recipe.colourMap = map;
            return run().picture;
        };
        const auto about = coloured(-1, ColourMapName::coolWarm); // values from -1 to 3
        QVERIFY(about->high > 0);
        QCOMPARE(about->low, -about->high);
        const auto positive = coloured(1, ColourMapName::coolWarm), other = coloured(-1, Recipe{}.colourMap);
        QVERIFY(positive->low > 0);
        QVERIFY(other->low > -other->high);
    }
    void anUnknownColourNamesTheKnownOnes() {
        Run run(bumpyCloud(20'000));
        run.set("colour_by", "beauty");
        QVERIFY(refusal([&] { run(); }).contains("intensity"));
    }
    void badInput_data() {
        QTest::addColumn<QList<double>>("xyz");
        QTest::addColumn<QString>("range");
        QTest::addColumn<QString>("size");
        QTest::addColumn<QString>("says");
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("no point in range") << QList<double>{0, 0, 0, 1, 1, 1} << "5,5,5,6,6,6"
                                           << "0.1"
                                           << "No point";
        QTest::newRow("one voxel") << QList<double>{0, 0, 0, 1, 1, 1} << "auto"
                                   << "100"
                                   << "one voxel";
        QTest::newRow("one place") << QList<double>{2, 2, 2, 2, 2, 2} << "auto"
                                   << "0.1"
                                   << "same position";
        QTest::newRow("all NaN") << QList<double>{nan, 0, 0} << "auto"
                                 << "auto"
                                 << "finite";
        QTest::newRow("too many cells") << QList<double>{0, 0, 0, 1e6, 1e6, 1e6} << "0,0,0,2e6,2e6,2e6"
                                        << "1e-6"
                                        << "size";
    }
    void badInput() {
        QFETCH(QList<double>, xyz);
        QFETCH(QString, range);
        QFETCH(QString, size);
        QFETCH(QString, says);
        std::vector<Vec3d> points;
        for (qsizetype i = 0; i < xyz.size(); i += 3)
            points.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
        Run run(cloudOf(points));
        run.set("range", qPrintable(range));
        run.set("voxel_size", qPrintable(size));
        const QString said = refusal([&] { run(); });
        QVERIFY2(said.contains(says) && said.contains(" | "), qPrintable(said));
    }
    void farAndBrokenPointsDoNotMatter() {
        std::vector<Vec3d> points;
        for (int i = 0; i < 40; ++i)
            for (int j = 0; j < 40; ++j)
                points.push_back({i * 0.1, j * 0.1, 0.3 * std::sin(i * 0.2)});
        points.push_back({1e30, 0, 0});
        points.push_back({0, std::numeric_limits<double>::quiet_NaN(), 0});
        points.push_back({0, 0, -std::numeric_limits<double>::infinity()});
        Run run(cloudOf(points));
        const Snapshot s = run();
        QVERIFY(s.resolved->rangeMax->x < 100);
        QCOMPARE(s.voxels->stats.pointsInRange, std::uint64_t(1600));
        QVERIFY(s.mesh->triangleCount() > 100);
    }
    void largeCoordinatesKeepTheirShape() {
        std::vector<Vec3d> near, far;
        const Vec3d offset{5'123'456, 500'123, 321};
        for (int i = 0; i < 50; ++i) {
            for (int j = 0; j < 50; ++j) {
                near.push_back({i * 0.02, j * 0.02, 0.1 * std::sin(i * 0.3)});
                far.push_back(near.back() + offset);
            }
        }
        Run a(cloudOf(near)), b(cloudOf(far));
        for (Run* run : {&a, &b})
            run->set("voxel_size", "0.04");
        const Snapshot sa = a(), sb = b();
        QVERIFY(std::abs(double(sa.voxels->size()) - double(sb.voxels->size())) <
                0.1 * double(sa.voxels->size()));
        const Vec3d p = sb.origin() + sb.mesh->positions[0].as<double>();
        QVERIFY(norm(p - offset) < 5);
    }
    void memoryThatIsNotThereIsToldBefore() {
        Run run(bumpyCloud());
        run.pipeline.setMemoryLimit(40 << 20);
        run.set("voxel_size", "0.002");
        const QString said = refusal([&] { run(); });
        QVERIFY2(said.contains("field") && said.contains("available") && said.contains("--voxel-size"),
                 qPrintable(said));
        // running with the suggested voxel size succeeds
        const auto advice = QRegularExpression("size of at least ([0-9.e+-]+)").match(said);
        QVERIFY2(advice.hasMatch(), qPrintable(said));
        run.set("voxel_size", qPrintable(advice.captured(1)));
        QVERIFY(run().mesh->triangleCount() > 0);
    }
    void cancelLeavesThePipelineUsable() {
        Run run(bumpyCloud());
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(run.pipeline.run(run.recipe, {}, source.get_token()), Cancelled);
        QVERIFY(run().mesh->triangleCount() > 0);
    }
    void progressGrowsToOne() {
        Run run(bumpyCloud(20'000));
        std::vector<double> seen;
        RunOptions options;
        options.progress = [&](double done) { seen.push_back(done); };
        run(options);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), 1.0);
    }
    void timingsAsJsonAndCsv() {
        Run run(bumpyCloud(20'000));
        const Snapshot s = run();
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(toJson(s.timings))).object();
        for (const char* key : {"voxels", "points_in_range", "active_cells", "vertices", "triangles"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(QString::fromStdString(toCsv(s.timings)).count('\n'),
                 qsizetype(s.timings.stages.size()) + 1);
    }
    void sensorIsGuessed() {
        Run inside(roomFromInside({}, 1));
        const Snapshot s = inside(kNoPicture);
        QVERIFY(s.resolved->sensor == Vec3d{});
        QCOMPARE(*s.resolved->field, FieldKind::signedDistance);
        const auto told = [](const Snapshot& of) {
            return std::ranges::any_of(
                of.notes, [](const RunNote& n) { return n.text.starts_with("Sensor position"); });
        };
        QVERIFY(told(s));
        QCOMPARE(s.field->normalsGuessed, std::uint64_t{0});
        // no guess for a room seen from outside, nor for a small object
        for (const auto& cloud : {roomFromInside({100, 0, 0}, 1), roomFromInside({}, 0.1), bumpyCloud()}) {
            const Snapshot other = Run(cloud)(kNoPicture);
            QVERIFY(!other.resolved->sensor && !told(other));
        }
    }
    void sensorTurnsTheSurface() {
        Run run(roomFromInside({100, 0, 0}, 1));
        run.set("field", "distance");
        run.set("voxel_size", "0.2");
        for (const bool within : {true, false}) {
            run.set("sensor", within ? "100,0,0" : "100,0,40");
            const Snapshot s = run(kNoPicture);
            if (!within)
                QCOMPARE(ran(s), QString("field,extract,"));
            const TriangleMesh& mesh = s.mesh.host();
            std::size_t facing = 0, floor = 0;
            for (std::size_t i = 0; i < mesh.vertexCount(); ++i) { // counts vertices on the ceiling
                const Vec3d p = mesh.positions[i].as<double>() + s.origin();
                if (p.z < 1.9 || std::abs(p.x - 101) > 3 || std::abs(p.y - 1) > 2)
                    continue;
                ++floor;
                facing += within == (mesh.normals[i].z < 0);
            }
            QVERIFY(floor > 100);
            QVERIFY2(double(facing) > 0.99 * double(floor), qPrintable(QString::number(facing)));
        }
        QVERIFY(!refusal([&] { run.set("sensor", "1,2"); }).isEmpty());
    }
};

SCANLOUPE_TEST(TestPipeline)
#include "test_pipeline.moc"
