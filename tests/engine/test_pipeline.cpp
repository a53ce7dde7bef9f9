#include "engine/cloud/synthetic_cloud.h"
#include "engine/pipeline/parameters.h"
#include "engine/pipeline/pipeline.h"
#include "tests/support/test_support.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <thread>

using namespace scanloupe;

namespace {

std::shared_ptr<const PointCloud> bumpyCloud(std::uint64_t points = 60'000) {
    synth::ScanParams params;
    params.scene = synth::Scene::bumpy;
    params.points = points;
    return std::make_shared<const PointCloud>(syntheticCloud(params, false, {}, {}));
}

/// What a scanner at `sensor` sees of the walls of a room of 8 x 6 x 3 times `scale`, which stands at `at`.
std::shared_ptr<const PointCloud> roomFromInside(Vec3d at, double scale) {
    const Vec3d low = Vec3d{-3, -2, -1} * scale, high = Vec3d{5, 4, 2} * scale;
    std::vector<Vec3d> points;
    for (int i = 0; i < 40'000; ++i) {
        const double z = 1 - 2 * (i + 0.5) / 40'000,
                     turn = 2.39996322972865332 * i; // a spiral over all sides
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

std::shared_ptr<const Volume> ballVolume() {
    constexpr int edge = 37;
    auto volume = std::make_shared<Volume>();
    volume->lattice = {{}, {0.1f, 0.1f, 0.1f}, {edge, edge, edge}};
    volume->values = Buffer<float>::host(std::size_t{edge} * edge * edge);
    for (std::size_t i = 0; i < volume->values.size(); ++i) {
        const Vec3f node{float(i % edge), float(i / edge % edge), float(i / edge / edge)};
        volume->values[i] = 15 - norm(node - Vec3f{18, 17, 18.5f});
    }
    return volume;
}

std::shared_ptr<const PointCloud> cloudOf(const std::vector<Vec3d>& points) {
    auto xyz = Buffer<Vec3d>::host(points.size());
    std::copy(points.begin(), points.end(), xyz.data());
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

const RunOptions kNoPicture{false, false, {}};
const RunOptions kPreview{true, true, {}};

struct Run {
    explicit Run(std::shared_ptr<const PointCloud> cloud, Backend backend = Backend::cpu, Recipe wanted = {})
        : pipeline(chooseBackend(backend)), recipe(std::move(wanted)) {
        pipeline.setInput(std::move(cloud), 0);
        recipe.imageWidth = 320;
        recipe.imageHeight = 240;
    }
    Snapshot operator()(const RunOptions& options = {}) { return pipeline.run(recipe, options, {}); }
    void set(const char* key, const char* text) { setFromText(recipe, parameter(key), text); }
    Pipeline pipeline;
    Recipe recipe;
};

/// Names of the stages that ran, with a comma behind each.
QString ran(const Snapshot& snapshot) {
    QString names;
    for (const StageTiming& t : snapshot.timings.stages) {
        if (!t.reused && t.stage != "read")
            names += QString::fromStdString(t.stage) + ",";
    }
    return names;
}

bool sameFloat(float a, float b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

/// What differs between the results of two runs, bit by bit.
QString differences(const Snapshot& a, const Snapshot& b) {
    const auto same = [](const auto& x, const auto& y) {
        return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.bytes()) == 0);
    };
    QString names;
    if (bool(a.voxels) != bool(b.voxels) ||
        (a.voxels && !(same(a.voxels.host().keys, b.voxels.host().keys) &&
                       same(a.voxels.host().means, b.voxels.host().means) &&
                       same(a.voxels.host().pointVoxel, b.voxels.host().pointVoxel))))
        names += "voxels ";
    const ScalarField &f = a.field.host(), &g = b.field.host();
    if (!same(f.brickKeys, g.brickKeys) || !same(f.values, g.values) || !same(f.cellMask, g.cellMask) ||
        f.minValue != g.minValue || f.maxValue != g.maxValue || f.normalsGuessed != g.normalsGuessed)
        names += "field ";
    const TriangleMesh &m = a.mesh.host(), &n = b.mesh.host();
    if (!same(m.positions, n.positions) || !same(m.normals, n.normals) || !same(m.indices, n.indices) ||
        m.zeroAreaTriangles != n.zeroAreaTriangles)
        names += "mesh ";
    return names;
}

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
        QCOMPARE(*s.resolved.field, FieldKind::signedDistance); // the sample tells its sensor
        QVERIFY(s.voxels->size() > 1000);
        QVERIFY(s.mesh->triangleCount() > 1000);
        QVERIFY(s.picture->stats.drawnPixels > 320 * 240 / 20);
        QCOMPARE(s.timings.count("voxels"), std::uint64_t(s.voxels->size()));
        QCOMPARE(s.timings.count("triangles"), std::uint64_t(s.mesh->triangleCount()));
        QVERIFY(!s.notes.empty());
        QCOMPARE(meshVertexColours(s, {}).size(), s.mesh->vertexCount());
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
            all.append(reinterpret_cast<const char*>(s.picture->image.pixels.data()),
                       qsizetype(s.picture->image.pixels.bytes()));
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
        QVERIFY(!run(kPreview).preview); // all is there: no need to be coarse
    }
    void coloursOfItsOwnComeFirst() {
        SCANLOUPE_REAL_SCAN(path, "pcd/office1.pcd");
        Pipeline pipeline(chooseBackend(Backend::cpu));
        pipeline.setInput(readScan(path, {}, {}), 0);
        QCOMPARE(pipeline.run({}, {}, {}).resolved.colourBy, std::string("rgb"));
        Run plain(bumpyCloud(20'000));
        QCOMPARE(plain().resolved.colourBy, std::string("height"));
        plain.set("colour_by", "rgb");
        QVERIFY(!refusal([&] { plain(); }).isEmpty());
    }
    void colours_data() {
        QTest::addColumn<QString>("show");
        QTest::addColumn<QString>("by");
        for (const char* show : {"points", "voxels", "mesh"})
            for (const char* by : {"height", "count", "intensity", "none"})
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
        for (std::size_t i = 0; i < s.picture->image.pixels.size(); ++i)
            if (s.picture->visibility.pixels[i] != 0)
                colours.insert(s.picture->image.pixels[i]);
        if (by == "none")
            QCOMPARE(colours.size(), std::size_t(1));
        else
            QVERIFY2(colours.size() > (by == "count" ? 3u : 20u),
                     qPrintable(QString::number(colours.size())));
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
                                   << "same place";
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
        QVERIFY(s.resolved.rangeMax->x < 100);
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
        // what it advises works
        const auto advice = QRegularExpression("size of ([0-9.e+-]+) m or more").match(said);
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
        QVERIFY(s.resolved.sensor == Vec3d{});
        QCOMPARE(*s.resolved.field, FieldKind::signedDistance);
        const auto told = [](const Snapshot& of) {
            return std::ranges::any_of(of.notes,
                                       [](const std::string& n) { return n.starts_with("Sensor's"); });
        };
        QVERIFY(told(s));
        QCOMPARE(s.field->normalsGuessed, std::uint64_t{0});
        // seen from elsewhere, or an object: no guess
        for (const auto& cloud : {roomFromInside({100, 0, 0}, 1), roomFromInside({}, 0.1), bumpyCloud()}) {
            const Snapshot other = Run(cloud)(kNoPicture);
            QVERIFY(!other.resolved.sensor && !told(other));
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
            for (std::size_t i = 0; i < mesh.vertexCount(); ++i) { // of the ceiling
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
    void everyStrategyGivesTheSameVoxels_data() {
        QTest::addColumn<QString>("backend");
        QTest::newRow("cpu") << "cpu";
        QTest::newRow("cuda") << "cuda";
    }
    void everyStrategyGivesTheSameVoxels() {
        QFETCH(QString, backend);
        if (backend == "cuda")
            SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud());
        const Snapshot expected = cpu();
        Pipeline pipeline(chooseBackend(backend == "cuda" ? Backend::cuda : Backend::cpu));
        pipeline.setInput(bumpyCloud(), 0);
        Recipe recipe = cpu.recipe;
        for (const char* strategy : {"bitmap-rank", "brick-hash", "hash", "radix-sort", "dense-grid"}) {
            setFromText(recipe, parameter("voxel_strategy"), strategy);
            const Snapshot s = pipeline.run(recipe, {}, {});
            QVERIFY(std::ranges::equal(s.voxels.host().keys.span(), expected.voxels->keys.span()));
            QVERIFY(std::ranges::equal(s.voxels.host().means.span(), expected.voxels->means.span()));
            const StageTiming& timing = *s.timings.find("voxelize");
            QCOMPARE(timing.method, std::string(strategy));
            QVERIFY(!timing.why.empty() && toJson(s.timings).find(timing.why) != std::string::npos);
        }
    }
    void cloudsThatTheDeviceIsTooSmallFor() {
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud());
        const Snapshot expected = cpu();
        Pipeline pipeline(chooseBackend(Backend::cuda));
        pipeline.setInput(bumpyCloud(), 0);
        pipeline.setDeviceMemoryLimit(1 << 20);
        const Snapshot s = pipeline.run(cpu.recipe, {}, {});
        QVERIFY(std::ranges::equal(s.voxels.host().means.span(), expected.voxels->means.span()));
        QVERIFY(std::ranges::equal(s.voxels.host().pointVoxel.span(), expected.voxels->pointVoxel.span()));
        QCOMPARE(s.timings.find("voxelize")->why, std::string("the points come in pieces"));
    }
    void cudaGivesTheSameBytes_data() {
        QTest::addColumn<QString>("field");
        for (const char* field : {"occupancy", "density", "distance"})
            QTest::newRow(field) << field;
    }
    void cudaGivesTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(QString, field);
        Run cpu(bumpyCloud()), cuda(bumpyCloud(), Backend::cuda);
        const RunOptions options{.quality = true};
        std::optional<Snapshot> last;
        for (Run* run : {&cpu, &cuda}) {
            run->set("field", qPrintable(field));
            run->set("colour_by", "point_distance");
            run->set("quality", "all");
            const Snapshot s = (*run)(options);
            if (last) {
                QCOMPARE(differences(*last, s), QString());
                QVERIFY(std::ranges::equal(last->quality->distances.values.span(),
                                           s.quality->distances.values.span(), sameFloat));
                QVERIFY(
                    std::ranges::equal(last->vertexDistances->span(), s.vertexDistances->span(), sameFloat));
                QVERIFY(
                    std::ranges::equal(last->picture->image.pixels.span(), s.picture->image.pixels.span()));
            }
            last = s;
        }
        QVERIFY(last->mesh.onDevice() && last->field.onDevice() && last->voxels.onDevice());
        for (const char* stage : {"upload", "voxelize", "field", "extract", "distances"})
            QCOMPARE(last->timings.find(stage)->backend, std::string("cuda"));
        for (const char* stage : {"voxelize", "field", "extract"})
            QVERIFY(last->timings.find(stage)->deviceMs > 0);
        QVERIFY(last->timings.find("download")->bytes >= last->mesh->bytes());
    }
    void isoValueOnTheDevice() { // extracts, and nothing before it
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud()), cuda(bumpyCloud(), Backend::cuda);
        for (Run* run : {&cpu, &cuda})
            run->set("field", "density");
        cuda();
        const Snapshot before = cuda();
        for (const char* iso : {"50000", "90000"}) {
            cpu.set("iso", iso);
            cuda.set("iso", iso);
            const Snapshot s = cuda();
            QCOMPARE(ran(s), QString("extract,download,rasterize,resolve,"));
            QCOMPARE(differences(cpu(), s), QString());
        }
        // results of before stay, and may be asked for by several threads at once
        const Snapshot fresh = Run(bumpyCloud(), Backend::cuda)(kNoPicture);
        std::array<const VoxelGrid*, 4> copies{};
        {
            std::vector<std::jthread> threads;
            for (const VoxelGrid*& copy : copies)
                threads.emplace_back([&] { copy = &fresh.voxels.host(); });
        }
        QCOMPARE(std::ranges::count(copies, &fresh.voxels.host()), std::ptrdiff_t(copies.size()));
        QVERIFY(before.mesh.host().triangleCount() > 0);
    }
    void resultsOutliveThePipelineOnTheDevice() {
        SCANLOUPE_NEEDS_CUDA();
        const Snapshot expected = Run(bumpyCloud())(kNoPicture);
        Snapshot s;
        {
            Run run(bumpyCloud(), Backend::cuda);
            s = run(kNoPicture);
        }
        QCOMPARE(differences(expected, s), QString());
    }
    void volumesOnTheDevice() {
        SCANLOUPE_NEEDS_CUDA();
        Pipeline cpu(chooseBackend(Backend::cpu)), cuda(chooseBackend(Backend::cuda));
        const auto volume = ballVolume();
        cpu.setInput(volume, 0);
        cuda.setInput(volume, 0);
        const Snapshot a = cpu.run({}, kNoPicture, {}), b = cuda.run({}, kNoPicture, {});
        QVERIFY(a.mesh->triangleCount() > 0 && b.field.onDevice() && b.mesh.onDevice());
        QCOMPARE(differences(a, b), QString());
    }
    void deviceTooSmallForTheField() { // the host does it then, and says so
        SCANLOUPE_NEEDS_CUDA();
        Run cpu(bumpyCloud(300'000)), cuda(bumpyCloud(300'000), Backend::cuda);
        for (Run* run : {&cpu, &cuda}) {
            run->set("voxel_size", "0.0015");
            run->set("field", "occupancy");
        }
        const Snapshot expected = cpu(kNoPicture);
        QVERIFY(expected.field->bytes() > 300'000'000);
        const Stream stream;
        std::vector<Buffer<std::byte>> others; // all but some 130 MB of the device
        for (std::size_t piece = std::size_t{1} << 36; piece >= std::size_t{1} << 25; piece /= 2) {
            while (cuda::probeDevice().freeBytes > piece + 100'000'000)
                others.push_back(Buffer<std::byte>::in(MemorySpace::device, piece, stream));
        }
        const Snapshot s = cuda(kNoPicture);
        QCOMPARE(s.timings.find("field")->backend, std::string("cpu"));
        QCOMPARE(s.timings.find("field")->why, std::string("the device has too little memory"));
        QVERIFY(toJson(s.timings).find("the device has too little memory") != std::string::npos);
        QCOMPARE(differences(expected, s), QString());
        others.clear();
        stream.view().synchronize();
        QCOMPARE(differences(expected, Run(bumpyCloud(300'000), Backend::cuda, cuda.recipe)(kNoPicture)),
                 QString());
    }
};

QTEST_APPLESS_MAIN(TestPipeline)
#include "test_pipeline.moc"
