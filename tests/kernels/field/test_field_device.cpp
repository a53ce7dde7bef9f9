// Fields of the device compared with those of the CPU, byte by byte, in many kinds of scenes.
#include "tests/kernels/field/field_backends.h"
#include "tests/kernels/field/field_scenes.h"
#include "tests/kernels/field/field_test_support.h"
#include "tests/support/bench_scenes.h"

#include <algorithm>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The difference between the fields of the two backends. Empty if they are the same, or if both reject the
/// input with the same message.
std::string backendsDiffer(const VoxelGrid& grid, const FieldParams& params) {
    std::string cpuSays, cudaSays;
    ScalarField onCpu, onDevice;
    try {
        onCpu = fieldOn("cpu", grid, params);
    } catch (const KernelError& error) {
        cpuSays = error.what() + error.nextStep();
    }
    try {
        onDevice = fieldOn("cuda", grid, params);
    } catch (const KernelError& error) {
        cudaSays = error.what() + error.nextStep();
    }
    if (cpuSays != cudaSays)
        return "the CPU says '" + cpuSays + "', the device '" + cudaSays + "'";
    return cpuSays.empty() ? difference(onCpu, onDevice) : std::string();
}

void compareAll(const VoxelGrid& grid, std::initializer_list<float> radii, const NormalSource& normals) {
    forEachField(radii, normals, [&](const FieldParams& params, const QString& what) {
        const std::string other = backendsDiffer(grid, params);
        QVERIFY2(other.empty(), qPrintable(what + QString::fromStdString(other)));
    });
}

} // namespace

class TestFieldDevice : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SCANLOUPE_NEEDS_CUDA(); }
    void generatedScans_data() {
        QTest::addColumn<int>("scene");
        QTest::newRow("street") << int(synth::Scene::street);
        QTest::newRow("room") << int(synth::Scene::room);
        QTest::newRow("bumpy") << int(synth::Scene::bumpy);
    }
    void generatedScans() {
        QFETCH(int, scene);
        for (const std::size_t count : {3'000u, 200'000u}) {
            const Points points = scanOf(synth::Scene(scene), count, 11);
            Vec3f low = points.positions[0], high = low;
            for (const Vec3f p : points.positions) {
                low = min(low, p);
                high = max(high, p + Vec3f{0.01f, 0.01f, 0.01f});
            }
            for (const Vec3f size : {Vec3f{0.1f, 0.1f, 0.1f}, Vec3f{0.07f, 0.13f, 0.21f}}) {
                const auto grid = voxelized(points, low, high, size);
                NormalSource normals;
                normals.sensors = vectorsFrom(grid, 3, leastOf(points, 0));
                compareAll(grid, {0.0f, 0.31f}, normals);
                // the normals of some voxels cancel; these voxels are oriented by the sensor
                normals.normals = vectorsFrom(grid, 6, leastOf(points, 3));
                compareAll(grid, {0.0f}, normals);
                normals.sensors = {}; // without sensors, such voxels are oriented by their neighbours
                compareAll(grid, {0.0f}, normals);
            }
        }
    }
    void realSweeps_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("columns");
        QTest::newRow("KITTI") << "sweeps/kitti_training_000000.bin" << 4;
        QTest::newRow("KITTI raw") << "sweeps/voxelize_cuda_0000000000.bin" << 4;
        QTest::newRow("nuScenes, ten sweeps") << "sweeps/nuscenes_10sweep_ff9eff_f32.bin" << 5;
    }
    void realSweeps() {
        QFETCH(QString, file);
        QFETCH(int, columns);
        SCANLOUPE_REAL_SCAN(path, file.toStdString());
        const Points points = sweepOf(path, std::size_t(columns));
        for (const Vec3f size :
             {Vec3f{0.1f, 0.1f, 0.1f}, Vec3f{0.075f, 0.075f, 0.2f}, Vec3f{0.6f, 0.5f, 0.4f}})
            compareAll(voxelized(points, {-80, -80, -6}, {80, 80, 8}, size),
                       {0.0f, 3.1f * std::min({size.x, size.y, size.z})}, sensorAt({0, 0, 0}));
    }
    void randomVoxels() {
        auto random = seededRandom("randomVoxels");
        std::uniform_real_distribution<float> unit(0, 1);
        const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
        for (int i = 0; i < 40; ++i) {
            const Vec3i dims{1 + below(40), 1 + below(40), 1 + below(40)};
            const Vec3f size{0.02f + unit(random), 0.02f + unit(random), 0.02f + unit(random)};
            const GridShape shape{{unit(random) * 100 - 50, unit(random), -3}, size, dims};
            const int count = 1 + below(i % 2 ? 8000 : 200);
            const bool atCorners = i % 3 == 0; // means on the borders of voxels
            std::vector<Vec3f> points;
            for (int p = 0; p < count; ++p) {
                const Vec3f place{unit(random) * float(dims.x), unit(random) * float(dims.y),
                                  unit(random) * float(dims.z)};
                points.push_back(shape.origin + (atCorners ? place.as<int>().as<float>() : place) * size);
            }
            const auto grid = binPoints(points, shape);
            if (grid.size() == 0)
                continue;
            compareAll(grid, {0.0f, 1.5f * std::min({size.x, size.y, size.z})}, sensorAt({1, 2, 30}));
        }
    }
    void allVoxelsOccupied() {
        std::vector<Vec3i> cells;
        for (int i = 0; i < 20 * 17 * 19; ++i)
            cells.push_back({i % 20, i / 20 % 17, i / (20 * 17)});
        compareAll(gridOfCells(cells, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}, {20, 17, 19}}),
                   {0.0f, 0.35f, 0.6f, 0.7f}, sensorAt({5, 5, 50}));
    }
    void oneVoxel() {
        for (const Vec3i dims : {Vec3i{1, 1, 1}, Vec3i{8, 8, 8}, Vec3i{9, 1, 30}})
            for (const Vec3i cell : {Vec3i{0, 0, 0}, dims - Vec3i{1, 1, 1}})
                compareAll(gridOfCells({cell}, {{-1, 2, 3}, {0.1f, 0.2f, 0.3f}, dims}),
                           {0.0f, 0.3f, 0.6f, 0.7f}, sensorAt({0, 0, 9}));
    }
    void radii() { // radii from zero to rejected values
        auto random = seededRandom("radii");
        std::vector<Vec3i> cells;
        for (int i = 0; i < 900; ++i)
            cells.push_back({int(random() % 30), int(random() % 30), int(random() % 30)});
        const auto grid = gridOfCells(cells, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}, {30, 30, 30}});
        compareAll(grid,
                   {0, 1e-30f, 0.01f, 0.1f, 0.25f, 0.4f, 0.55f, 0.65f, 0.7f, 0.71f, 100, -1, std::nanf("")},
                   sensorAt({1, 1, 9}));
    }
    void sensorWithinTheVoxels() { // a voxel whose mean is at the sensor has no side
        std::vector<Vec3i> cells;
        for (int i = 0; i < 100; ++i)
            cells.push_back({i % 10, i / 10, 4});
        const GridShape shape{{0, 0, 0}, {0.5f, 0.5f, 0.5f}, {10, 10, 9}};
        compareAll(gridOfCells(cells, shape), {0.0f}, sensorAt({2.25f, 2.25f, 2.25f}));
    }
    void farApart() { // a grid of more bricks than the bitmap is used for
        for (const Vec3i dims : {Vec3i{40'000, 40'000, 40'000}, Vec3i{2'000'000, 1'000'000, 1'000'000}}) {
            auto random = seededRandom("farApart");
            std::vector<Vec3i> cells{{0, 0, 0}, dims - Vec3i{1, 1, 1}};
            for (int i = 0; i < 3000; ++i)
                cells.push_back(
                    {dims.x - 1 - int(random() % 20), int(random() % 25), dims.z / 2 + int(random() % 30)});
            compareAll(gridOfCells(cells, {{0, 0, 0}, {0.125f, 0.125f, 0.125f}, dims}), {0.0f, 0.3f},
                       sensorAt({100, 10, 1}));
        }
    }
    void volumes() {
        auto random = seededRandom("volumes");
        std::uniform_real_distribution<float> unit(-1, 1);
        for (const Vec3i dims :
             {Vec3i{1, 1, 1}, Vec3i{8, 8, 8}, Vec3i{7, 9, 16}, Vec3i{33, 5, 64}, Vec3i{300, 290, 205}}) {
            std::vector<float> values(std::size_t(dims.x) * std::size_t(dims.y) * std::size_t(dims.z));
            for (float& value : values)
                value = unit(random);
            for (std::size_t i = 0; i < values.size(); i += 97)
                values[i] = i % 2 ? std::numeric_limits<float>::infinity() : std::nanf("");
            for (const bool clampBorder : {false, true}) {
                const LatticeShape lattice{{1, 2, 3}, {0.5f, 1, 2}, dims};
                const auto a = volumeOn("cpu", values, lattice, clampBorder, true);
                QCOMPARE(difference(a, volumeOn("cuda", values, lattice, clampBorder, true)), std::string());
            }
        }
        for (const float value : {-0.0f, std::nanf("")}) { // neither value is a valid sample
            const std::vector<float> values(512, value);
            const LatticeShape lattice{{}, {1, 1, 1}, {8, 8, 8}};
            QCOMPARE(difference(volumeOn("cpu", values, lattice, false, false),
                                volumeOn("cuda", values, lattice, false, false)),
                     std::string());
        }
        QVERIFY_EXCEPTION_THROWN(
            volumeOn("cuda", std::vector<float>(7), {{}, {1, 1, 1}, {2, 2, 2}}, false, false), KernelError);
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(volumeOn("cuda", std::vector<float>(8), {{}, {1, 1, 1}, {2, 2, 2}}, false,
                                          false, source.get_token()),
                                 Cancelled);
    }
    void manyVoxels() { // enough blocks of every kind to fill the device
        const Points points{surfaceCloud(2'000'000, PointOrder::scan), {}};
        compareAll(voxelized(points, kSurfaceMin, kSurfaceMax, {0.1f, 0.1f, 0.1f}), {0.0f},
                   sensorAt({0, 0, 20}));
    }
    void soManyThatItIsDoneInPieces() { // the host polls the stop token between pieces
        const Points points{surfaceCloud(5'000'000, PointOrder::scan), {}};
        const auto grid = voxelized(points, kSurfaceMin, kSurfaceMax, {0.04f, 0.04f, 0.04f});
        QVERIFY(grid.size() > 3'000'000);
        QCOMPARE(backendsDiffer(grid, {FieldKind::signedDistance, 0.26f, sensorAt({0, 0, 20})}),
                 std::string());
        QCOMPARE(backendsDiffer(grid, {FieldKind::density, 0.14f, {}}), std::string());
    }
    void voxelsOnTheHostAreRefused() {
        const Stream stream;
        const auto grid = gridOfCells({{1, 1, 1}}, {{}, {1, 1, 1}, {3, 3, 3}});
        QVERIFY_EXCEPTION_THROWN(cuda::computeField(grid, {}, {}, stream), Fault);
    }
};

SCANLOUPE_TEST(TestFieldDevice)
#include "test_field_device.moc"
