// Fields in the SYCL backend compared with the CPU, byte by byte, in many kinds of scenes: the kernels on the
// host, and on each device.
#include "tests/kernels/field/field_scenes.h"
#include "tests/kernels/field/field_test_support.h"
#include "tests/kernels/sycl/sycl_support.h"

#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// The difference between the fields of the CPU and of a device. Empty if they are the same, or if both
/// reject the input with the same message.
std::string differenceBySycl(const SyclDevice& device, const VoxelGrid& grid, const FieldParams& params) {
    std::string says, otherSays;
    ScalarField expected, found;
    try {
        expected = cpu::computeField(grid, params, {});
    } catch (const KernelError& error) {
        says = error.what() + error.nextStep();
    }
    try {
        found = device.computeField(grid, params, {}, {});
    } catch (const KernelError& error) {
        otherSays = error.what() + error.nextStep();
    }
    if (says != otherSays)
        return "the CPU says '" + says + "', SYCL '" + otherSays + "'";
    return says.empty() ? difference(expected, found) : std::string();
}

void compareAll(const SyclDevice& device, const VoxelGrid& grid, std::initializer_list<float> radii,
                const NormalSource& normals) {
    forEachField(radii, normals, [&](const FieldParams& params, const QString& what) {
        const std::string other = differenceBySycl(device, grid, params);
        QVERIFY2(other.empty(), qPrintable(what + QString::fromStdString(other)));
    });
}

} // namespace

class TestSyclField : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }

    void generatedScans_data() { addSyclRows(); }
    void generatedScans() {
        SCANLOUPE_SYCL_DEVICE(device);
        for (const synth::Scene scene : {synth::Scene::street, synth::Scene::room, synth::Scene::bumpy})
            for (const std::size_t count : {3'000u, 60'000u}) {
                const Points points = scanOf(scene, count, 11);
                Vec3f low = points.positions[0], high = low;
                for (const Vec3f p : points.positions) {
                    low = min(low, p);
                    high = max(high, p + Vec3f{0.01f, 0.01f, 0.01f});
                }
                const auto grid = voxelized(points, low, high, {0.12f, 0.13f, 0.21f});
                NormalSource normals;
                normals.sensors = vectorsFrom(grid, 3, leastOf(points, 0));
                compareAll(*device, grid, {0.0f, 0.4f}, normals);
                // the normals of some voxels cancel; these voxels are oriented by the sensor
                normals.normals = vectorsFrom(grid, 6, leastOf(points, 3));
                compareAll(*device, grid, {0.0f}, normals);
                normals.sensors = {}; // without sensors, such voxels are oriented by their neighbours
                compareAll(*device, grid, {0.0f}, normals);
            }
    }

    void realSweep_data() { addSyclRows(); }
    void realSweep() {
        SCANLOUPE_SYCL_DEVICE(device);
        SCANLOUPE_REAL_SCAN(path, "sweeps/kitti_training_000000.bin");
        const Points points = sweepOf(path, 4);
        for (const Vec3f size : {Vec3f{0.2f, 0.2f, 0.2f}, Vec3f{0.6f, 0.5f, 0.4f}})
            compareAll(*device, voxelized(points, {-80, -80, -6}, {80, 80, 8}, size), {0.0f, 1.3f},
                       sensorAt({0, 0, 0}));
    }

    void randomVoxels_data() { addSyclRows(); }
    void randomVoxels() {
        SCANLOUPE_SYCL_DEVICE(device);
        auto random = seededRandom("randomVoxels");
        std::uniform_real_distribution<float> unit(0, 1);
        const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
        for (int i = 0; i < 24; ++i) {
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
            if (grid.size() > 0)
                compareAll(*device, grid, {0.0f, 1.5f * std::min({size.x, size.y, size.z})},
                           sensorAt({1, 2, 30}));
        }
    }

    void extremes_data() { addSyclRows(); }
    void extremes() {
        SCANLOUPE_SYCL_DEVICE(device);
        std::vector<Vec3i> all;
        for (int i = 0; i < 20 * 17 * 19; ++i)
            all.push_back({i % 20, i / 20 % 17, i / (20 * 17)});
        compareAll(*device, gridOfCells(all, {{0, 0, 0}, {0.1f, 0.1f, 0.1f}, {20, 17, 19}}),
                   {0.0f, 0.35f, 0.7f, 0.71f, -1, std::numeric_limits<float>::quiet_NaN()},
                   sensorAt({5, 5, 50}));
        for (const Vec3i dims : {Vec3i{1, 1, 1}, Vec3i{8, 8, 8}, Vec3i{9, 1, 30}})
            for (const Vec3i cell : {Vec3i{0, 0, 0}, dims - Vec3i{1, 1, 1}})
                compareAll(*device, gridOfCells({cell}, {{-1, 2, 3}, {0.1f, 0.2f, 0.3f}, dims}),
                           {0.0f, 0.3f, 0.7f}, sensorAt({0, 0, 9}));
        // a grid of more bricks than the bitmap is used for
        for (const Vec3i dims : {Vec3i{40'000, 40'000, 40'000}, Vec3i{2'000'000, 1'000'000, 1'000'000}}) {
            auto random = seededRandom("extremes");
            std::vector<Vec3i> cells{{0, 0, 0}, dims - Vec3i{1, 1, 1}};
            for (int i = 0; i < 2000; ++i)
                cells.push_back(
                    {dims.x - 1 - int(random() % 20), int(random() % 25), dims.z / 2 + int(random() % 30)});
            compareAll(*device, gridOfCells(cells, {{0, 0, 0}, {0.125f, 0.125f, 0.125f}, dims}), {0.0f},
                       sensorAt({100, 10, 1}));
        }
    }

    void syclFieldChecksInputAndStops_data() { addSyclRows(); }
    void syclFieldChecksInputAndStops() {
        SCANLOUPE_SYCL_DEVICE(device);
        const auto grid = gridOfCells({{1, 1, 1}, {2, 1, 1}}, {{}, {1, 1, 1}, {30, 30, 30}});
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance}) {
            std::uint64_t told = 0;
            const ScalarField field =
                device->computeField(grid, {kind, 0, {}}, [&](std::uint64_t bricks) { told = bricks; }, {});
            QCOMPARE(told, std::uint64_t(field.brickCount()));
            const auto refuse = [](std::uint64_t) { throw KernelError("too many", "Take fewer."); };
            QVERIFY_EXCEPTION_THROWN(device->computeField(grid, {kind, 0, {}}, refuse, {}), KernelError);
            std::stop_source stop;
            stop.request_stop();
            QVERIFY_EXCEPTION_THROWN(device->computeField(grid, {kind, 0, {}}, {}, stop.get_token()),
                                     Cancelled);
        }
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSyclField)
#include "test_sycl_field.moc"
