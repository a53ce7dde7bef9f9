// The kernels for SYCL compared with the CPU, byte by byte: run on the host and on each device.
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/sycl/chain/classify_cells.h"
#include "kernels/sycl/chain/late_errors.h"
#include "kernels/sycl/chain/scan.h"
#include "kernels/sycl/chain/sort_keys.h"
#include "kernels/sycl/self_test.h"
#include "tests/bench/surface_scenes.h"
#include "tests/bench/sycl_sample/walkthrough.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/kernels/sycl/sycl_support.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/checking_queue.h"

#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

enum class Noise { smooth, signs, integers, odd };

/// A dense field of random values; with Noise::odd, it has NaN, infinities and masked cells.
ScalarField noisyField(Vec3i dims, Noise noise, std::mt19937_64& random, bool below) {
    std::uniform_real_distribution<float> unit(-1, 1);
    const float phase = 3 * unit(random);
    ScalarField field = denseField(dims,
                                   [&](int x, int y, int z) {
                                       const float wave = std::sin(0.4f * float(x) + phase) +
                                                          std::cos(0.3f * float(y)) +
                                                          std::sin(0.25f * float(z) - phase);
                                       if (noise == Noise::signs)
                                           return unit(random);
                                       if (noise == Noise::integers)
                                           return std::round(2 * wave);
                                       const auto dice = noise == Noise::odd ? random() % 200 : 100;
                                       if (dice < 3)
                                           return dice == 0   ? std::numeric_limits<float>::quiet_NaN()
                                                  : dice == 1 ? std::numeric_limits<float>::infinity()
                                                              : -std::numeric_limits<float>::infinity();
                                       return wave * (dice == 4 ? 1e-40f : dice == 5 ? 1e30f : 1.0f);
                                   },
                                   below, {-3, 100, 0.5f}, {0.5f, 0.25f, 1});
    if (noise == Noise::odd)
        for (std::uint64_t& mask : field.cellMask.span())
            mask &= random() % 4 == 0 ? random() | random() : ~std::uint64_t{0};
    return field;
}

/// A gyroid in a cube with `edge` nodes along each edge.
ScalarField gyroid(int edge) {
    const double step = 8 * 3.14159265358979 / edge;
    return denseField({edge, edge, edge}, [step](int x, int y, int z) {
        const double u = x * step, v = y * step, w = z * step;
        return std::sin(u) * std::cos(v) + std::sin(v) * std::cos(w) + std::sin(w) * std::cos(u);
    });
}

std::string gridDifference(const VoxelGrid& a, const VoxelGrid& b) {
    if (!sameBytes(a.keys, b.keys))
        return "the keys differ";
    if (!sameBytes(a.counts, b.counts))
        return "the counts differ";
    if (!sameBytes(a.means, b.means))
        return "the means differ";
    if (!sameBytes(a.pointVoxel, b.pointVoxel))
        return "the points' voxels differ";
    if (!(a.stats == b.stats))
        return "the numbers of points differ";
    return a.shape == b.shape && a.featureCount == b.featureCount ? "" : "the shapes differ";
}

} // namespace

class TestSyclChain : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { useBuiltSyclLibrary(); }

    void devicesAreListed() {
        for (const auto& device : syclDevices().usable) {
            const SyclDeviceInfo& info = device->info();
            qInfo("%s by %s (%s), %llu MiB", info.name.c_str(), info.runtime.c_str(), info.platform.c_str(),
                  qulonglong(info.bytes >> 20));
            QVERIFY(!info.name.empty() && info.bytes > 0);
            QCOMPARE(failureOfSelfTest(*device), std::string());
        }
        for (const std::string& sentence : syclDevices().refused)
            qInfo("%s", sentence.c_str());
        QVERIFY(!syclDevices().usable.empty() || !syclDevices().refused.empty());
    }

    void lateMemoryErrorsAreReported() {
        sycl_chain::LateErrors errors;
        QVERIFY(errors.take().empty());
        errors.note(true, "a kernel had too little memory");
        QCOMPARE(errors.take(), std::string("a kernel had too little memory"));
        QVERIFY(errors.take().empty());
        errors.expectOfAllocation();
        errors.note(true, "of the null pointer"); // the error was handled where it was returned
        QVERIFY(errors.take().empty());
        errors.note(true, "of a kernel");
        QCOMPARE(errors.take(), std::string("of a kernel"));
        errors.expectOfAllocation();
        errors.note(false, "of another kind");
        QCOMPARE(errors.take(), std::string("of another kind"));
        errors.expectNone(); // not every implementation reports null pointers
        errors.note(true, "of a later kernel");
        QCOMPARE(errors.take(), std::string("of a later kernel"));
    }
    /// Prefix sums of numbers, and of structs; a work-item processes fewer structs than numbers.
    void sumsOfAnyLength() {
        auto random = seededRandom("sumsOfAnyLength");
        CheckingQueue queue;
        for (const std::size_t count :
             {0u, 1u, 7u, 8u, 9u, 31u, 32u, 33u, 64u, 65u, 1024u, 1025u, 16384u, 16385u, 300'000u}) {
            std::vector<std::uint64_t> values(count), expected(count);
            std::vector<sycl_chain::SurfaceCount> counts(count);
            std::uint64_t sum = 0, total = 99;
            sycl_chain::SurfaceCount totals;
            for (std::size_t i = 0; i < count; ++i) {
                values[i] = random() >> 30;
                counts[i] = {values[i], 2 * values[i], 1, 0, 0};
                expected[i] = std::exchange(sum, sum + values[i]);
            }
            sycl_chain::exclusiveScan(queue, values.data(), count, &total);
            sycl_chain::exclusiveScan(queue, counts.data(), count, &totals);
            QVERIFY(values == expected);
            QCOMPARE(total, sum);
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY(counts[i].triangles == expected[i] && counts[i].vertices == 2 * expected[i] &&
                        counts[i].cells == i);
            QVERIFY(totals.triangles == sum && totals.cells == count);
        }
    }

    void placesAreFoundFromNear() {
        auto random = seededRandom("placesAreFoundFromNear");
        for (const unsigned gap : {1u, 2u, 50u}) { // a gap of 1: no keys in between
            std::vector<std::uint64_t> keys;
            for (std::uint64_t key = random() % 5; keys.size() < 300; key += 1 + random() % gap)
                keys.push_back(key);
            const auto count = std::uint32_t(keys.size());
            for (std::uint32_t near = 0; near < count; ++near)
                for (std::uint64_t wanted = 0; wanted < keys.back() + 3; wanted += 1 + random() % gap)
                    QCOMPARE(lowerBoundNear(keys.data(), count, near, wanted),
                             lowerBound(keys.data(), count, wanted));
        }
    }

    void keysAreSorted() {
        auto random = seededRandom("keysAreSorted");
        CheckingQueue queue;
        for (const std::size_t count : {0u, 1u, 511u, 513u, 70'000u})
            for (const int bits : {1, 8, 9, 40, 63}) {
                std::vector<std::uint64_t> keys(count), spare(count);
                for (std::uint64_t& key : keys)
                    key = random() >> (64 - bits);
                std::vector<std::uint64_t> expected = keys;
                std::ranges::sort(expected);
                const std::uint64_t* const sorted =
                    sycl_chain::sortKeys(queue, keys.data(), spare.data(), count, bits);
                QVERIFY(std::equal(expected.begin(), expected.end(), sorted));
            }
    }

    void surfacesEqualThoseOfTheCpu_data() { addSyclRows(); }
    void surfacesEqualThoseOfTheCpu() {
        SCANLOUPE_SYCL_DEVICE(device);
        auto random = seededRandom("surfacesEqualThoseOfTheCpu");
        std::uint64_t zeroArea = 0;
        for (const Vec3i dims : {Vec3i{2, 2, 2}, Vec3i{8, 8, 8}, Vec3i{9, 17, 3}, Vec3i{40, 33, 27}})
            for (const Noise noise : {Noise::smooth, Noise::signs, Noise::integers, Noise::odd})
                for (const bool below : {false, true})
                    for (const unsigned percent : {0u, 40u}) {
                        const ScalarField whole = noisyField(dims, noise, random, below);
                        const ScalarField field = withoutBricks(
                            whole, [&](std::span<const float>) { return random() % 100 >= percent; });
                        const TriangleMesh expected = cpu::extractSurface(field, 0, {});
                        QCOMPARE(difference(expected, device->extractSurface(field, 0, {})), std::string());
                        zeroArea += expected.zeroAreaTriangles;
                    }
        QVERIFY(zeroArea > 100);
    }

    /// The scenes of the benchmark, except the largest, which takes CPU devices too long.
    void largeSurfacesEqualThoseOfTheCpu_data() { addSyclRows(); }
    void largeSurfacesEqualThoseOfTheCpu() {
        SCANLOUPE_SYCL_DEVICE(device);
        for (const char* const name : {"gyroid", "spheres", "shell"})
            for (const int edge : {64, 128, 256, 512}) {
                if (edge == 512 && !device->info().isGpu)
                    continue;
                const bench::SurfaceScene scene =
                    name == std::string("shell") ? bench::shellScene(edge) : bench::denseScene(name, edge);
                const TriangleMesh expected = cpu::extractSurface(scene.field, scene.iso, {});
                QVERIFY(expected.triangleCount() > 10'000);
                const std::string found =
                    difference(expected, device->extractSurface(scene.field, scene.iso, {}));
                QVERIFY2(
                    found.empty(),
                    qPrintable(
                        QStringLiteral("%1 %2: %3").arg(name).arg(edge).arg(QString::fromStdString(found))));
            }
    }

    void theWalkthroughMakesTheSameSurface() { // the baseline of the benchmark
        const ScalarField field = gyroid(40);
        const TriangleMesh expected = cpu::extractSurface(field, 0.1f, {});
        std::vector<float> values;
        for (int i = 0; i < 40 * 40 * 40; ++i) {
            const Vec3i node{i % 40, i / 40 % 40, i / 1600}, brick{node.x / 8, node.y / 8, node.z / 8},
                at = node - brick * 8;
            values.push_back(field.values[std::size_t(brickKey(brick, field.brickDims)) * kBrickNodes +
                                          std::size_t((at.z * 8 + at.y) * 8 + at.x)]);
        }
        CheckingQueue queue;
        const auto soup = bench::runWalkthrough(queue, values.data(), 40, 0.1f, field.insideBelow);
        QCOMPARE(soup.occupied, expected.activeCells);
        QCOMPARE(soup.positions.size(), std::size_t(expected.indices.size()));
        Vec3d sum;
        for (std::size_t i = 0; i < soup.positions.size(); ++i)
            sum += (soup.positions[i] - expected.positions[expected.indices[i]]).as<double>();
        QVERIFY(norm(sum) < 1e-6 * double(soup.positions.size()));
    }

    void voxelsEqualThoseOfTheCpu_data() {
        addSyclRows();
        QTest::newRow("bodies on the host, as for a GPU") << -2;
    }
    void voxelsEqualThoseOfTheCpu() {
        SCANLOUPE_SYCL_DEVICE(device);
        auto random = seededRandom("voxelsEqualThoseOfTheCpu");
        std::uniform_real_distribution<float> unit(0, 1);
        for (const std::size_t count : {0u, 1u, 63u, 1000u, 50'000u}) {
            Cloud cloud;
            for (std::size_t i = 0; i < count; ++i) {
                Vec3f p{20 * unit(random), 10 * unit(random), 5 * unit(random) * unit(random)};
                if (i % 97 == 5)
                    p.y = std::numeric_limits<float>::quiet_NaN();
                if (i % 89 == 7)
                    p.x = -1000 * unit(random);
                cloud.positions.push_back(p);
            }
            cloud.singles = {std::vector<float>(count), std::vector<float>(count, 3.5f)};
            cloud.doubles = {std::vector<double>(count)};
            for (std::size_t i = 0; i < count; ++i) {
                cloud.singles[0][i] = i % 31 == 1 ? std::numeric_limits<float>::infinity() : unit(random);
                cloud.doubles[0][i] = 1e9 + 1000 * double(unit(random));
            }
            const std::vector<FeatureView> features = featureViews(cloud);
            const PointsView points{cloud.positions.data(), count, features};
            VoxelizeParams params;
            params.rangeMin = {0, 0, 0};
            params.rangeMax = {20, 9, 4};
            // the last two sizes give too many cells for a bitmap
            for (const float size : {0.5f, 0.013f, 0.002f}) {
                params.voxelSize = {size, size, 2 * size};
                for (const std::uint64_t most : {0u, 50u}) {
                    params.maxVoxels = most;
                    for (const bool pointVoxels : {true, false}) {
                        params.pointVoxels = pointVoxels;
                        const VoxelGrid expected = cpu::voxelize(points, params, {});
                        QCOMPARE(gridDifference(expected, device->voxelize(points, params, {})),
                                 std::string());
                    }
                }
            }
            params.voxelSize = {0.5f, 0.5f, 0.5f};
            params.maxVoxels = 0;
            params.window = {{0, 0, 0}, {40, 18, 8}};
            QCOMPARE(gridDifference(cpu::voxelize(points, params, {}), device->voxelize(points, params, {})),
                     std::string());
        }
    }

    void badInputIsRefused_data() { addSyclRows(); }
    void badInputIsRefused() {
        SCANLOUPE_SYCL_DEVICE(device);
        const ScalarField field = gyroid(16);
        QVERIFY_EXCEPTION_THROWN(device->extractSurface(field, std::numeric_limits<float>::quiet_NaN(), {}),
                                 KernelError);
        VoxelizeParams params; // parameters with an empty range
        const Vec3f point{};
        QVERIFY_EXCEPTION_THROWN(device->voxelize({&point, 1, {}}, params, {}), KernelError);
        QCOMPARE(difference(cpu::extractSurface(field, 0, {}), device->extractSurface(field, 0, {})),
                 std::string());
    }

    void syclOperatorsStopOnRequest_data() { addSyclRows(); }
    void syclOperatorsStopOnRequest() {
        SCANLOUPE_SYCL_DEVICE(device);
        std::stop_source stop;
        stop.request_stop();
        const ScalarField field = gyroid(16);
        QVERIFY_EXCEPTION_THROWN(device->extractSurface(field, 0, stop.get_token()), Cancelled);
        VoxelizeParams params;
        params.rangeMax = {1, 1, 1};
        params.voxelSize = {0.5f, 0.5f, 0.5f};
        const Vec3f point{0.1f, 0.1f, 0.1f};
        QVERIFY_EXCEPTION_THROWN(device->voxelize({&point, 1, {}}, params, stop.get_token()), Cancelled);
    }

    void miscompilingDevicesAreRefused() {
        enum class Part { voxels, field, surface, picture, colours };
        class Wrong final : public HostSyclDevice {
        public:
            explicit Wrong(Part part) : m_part(part) {}
            VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                               const std::stop_token& stop) const override {
                VoxelGrid grid = HostSyclDevice::voxelize(points, params, stop);
                if (m_part == Part::voxels)
                    --grid.counts[grid.size() - 1];
                return grid;
            }
            ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                                     const std::function<void(std::uint64_t)>& check,
                                     const std::stop_token& stop) const override {
                ScalarField field = HostSyclDevice::computeField(voxels, params, check, stop);
                if (m_part == Part::field && params.kind == FieldKind::signedDistance)
                    field.cellMask[field.cellMask.size() / 2] ^= 1;
                return field;
            }
            TriangleMesh extractSurface(const ScalarField& field, float iso,
                                        const std::stop_token& stop) const override {
                TriangleMesh mesh = HostSyclDevice::extractSurface(field, iso, stop);
                mesh.indices.shrink(mesh.indices.size() - (m_part == Part::surface ? 3 : 0));
                return mesh;
            }
            VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection,
                                       RasterStats& stats, const std::stop_token& stop) const override {
                VisibilityBuffer seen = HostSyclDevice::rasterize(scene, projection, stats, stop);
                if (m_part == Part::picture)
                    *std::ranges::find_if(seen.pixels.span(), [](std::uint64_t p) { return p != 0; }) = 0;
                return seen;
            }
            Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene,
                          const Projection& projection, const Shading& shading,
                          const std::stop_token& stop) const override {
                Image image = HostSyclDevice::resolve(visibility, scene, projection, shading, stop);
                if (m_part == Part::colours)
                    image.pixels[image.pixels.size() / 2] ^= 1;
                return image;
            }

        private:
            Part m_part;
        };
        QCOMPARE(failureOfSelfTest(HostSyclDevice()), std::string());
        const auto says = [](Part part, const char* what) {
            return failureOfSelfTest(Wrong(part)).find(what) != std::string::npos;
        };
        QVERIFY(says(Part::voxels, "voxels"));
        QVERIFY(says(Part::field, "field"));
        QVERIFY(says(Part::surface, "triangles"));
        QVERIFY(says(Part::picture, "pixels"));
        QVERIFY(says(Part::colours, "colours"));
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestSyclChain)
#include "test_sycl_chain.moc"
