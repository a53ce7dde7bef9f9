// Marching cubes on the device compared with the CPU, byte by byte: unusual fields, real ones, and the
// recorded graph.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/core/mesh_limits.h"
#include "tests/bench/variants/surface_graph.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/uploaded_field.h"

#include "kernels/core/device.h"

#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// How values are spread over nodes.
enum class Noise { signs, smooth, integers, odd };

/// A dense field of random values, around 0; `odd` has NaN, infinities and masked cells.
ScalarField noisyField(Vec3i dims, Noise noise, std::mt19937_64& random, bool below = false,
                       Vec3f origin = {}, Vec3f spacing = {1, 1, 1}) {
    std::uniform_real_distribution<float> unit(-1, 1);
    const float phase = 3 * unit(random);
    auto field = denseField(
        dims,
        [&](int x, int y, int z) {
            const float wave = std::sin(0.4f * float(x) + phase) + std::cos(0.3f * float(y)) +
                               std::sin(0.25f * float(z) - phase);
            switch (noise) {
            case Noise::signs:
                return unit(random);
            case Noise::smooth:
                return wave;
            case Noise::integers:
                return std::round(2 * wave);
            case Noise::odd:
                break;
            }
            const auto dice = random() % 200;
            if (dice < 3)
                return dice == 0   ? std::numeric_limits<float>::quiet_NaN()
                       : dice == 1 ? std::numeric_limits<float>::infinity()
                                   : -std::numeric_limits<float>::infinity();
            return wave * (dice == 4 ? 1e-40f : dice == 5 ? 1e30f : 1.0f);
        },
        below, origin, spacing);
    if (noise == Noise::odd)
        for (std::uint64_t& mask : field.cellMask.span())
            mask &= random() % 4 == 0 ? random() | random() : ~std::uint64_t{0};
    return field;
}

/// The field without about `percent` of its bricks.
ScalarField thinned(const ScalarField& field, unsigned percent, std::mt19937_64& random) {
    return withoutBricks(field, [&](std::span<const float>) { return random() % 100 >= percent; });
}

std::string deviceDifference(const ScalarField& field, float iso) {
    return difference(cpu::extractSurface(field, iso, {}), Extractor("cuda")(field, iso));
}

Buffer<std::uint64_t> keysOf(const std::vector<std::uint64_t>& keys) {
    return hostCopy(std::span<const std::uint64_t>(keys));
}

} // namespace

class TestMarchingCubesDevice : public QObject {
    Q_OBJECT
private slots:
    void neighboursEqualThoseOfTheCpu() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("neighboursEqualThoseOfTheCpu");
        const Stream stream;
        for (const Vec3i dims : {Vec3i{1, 1, 1}, Vec3i{7, 5, 3}, Vec3i{1, 40, 9}, Vec3i{40, 1, 1},
                                 Vec3i{33, 20, 11}, Vec3i{2'000'000'000, 3, 1'000'000'000}}) {
            for (const unsigned percent : {0u, 30u, 90u}) {
                std::vector<std::uint64_t> table, queries;
                const bool huge = dims.x > 1000;
                const std::uint64_t all =
                    std::uint64_t(dims.x) * std::uint64_t(dims.y) * std::uint64_t(dims.z);
                for (std::uint64_t i = 0; i < (huge ? 3000 : all); ++i) {
                    const std::uint64_t key = huge ? all - 9000 + i * 3 - i % 2 : i;
                    if (random() % 100 >= percent)
                        table.push_back(key);
                    if (random() % 2 == 0)
                        queries.push_back(key);
                }
                const auto bricks = keysOf(queries), others = keysOf(table);
                for (const auto& asked : {keysOf(queries), keysOf(table)}) {
                    const auto expected = findNeighbours(asked.span(), others.span(), dims, {});
                    const auto found =
                        cuda::findNeighbours(asked.copyTo(MemorySpace::device, stream),
                                             others.copyTo(MemorySpace::device, stream), dims, stream);
                    QVERIFY(sameBytes(expected, found.copyTo(MemorySpace::host, stream)));
                }
            }
        }
    }
    void randomFields_data() {
        QTest::addColumn<int>("noise");
        QTest::newRow("signs") << int(Noise::signs);
        QTest::newRow("smooth") << int(Noise::smooth);
        QTest::newRow("integers") << int(Noise::integers);
        QTest::newRow("odd") << int(Noise::odd);
    }
    void randomFields() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, noise);
        auto random = seededRandom("randomFields");
        for (const Vec3i dims : {Vec3i{2, 2, 2}, Vec3i{8, 8, 8}, Vec3i{9, 9, 9}, Vec3i{16, 16, 16},
                                 Vec3i{17, 3, 40}, Vec3i{61, 58, 63}, Vec3i{130, 4, 9}}) {
            for (const bool below : {false, true}) {
                const auto field = noisyField(dims, Noise(noise), random, below, {-3.7f, 100.1f, 5000.3f},
                                              {0.075f, 0.2f, 0.31f});
                for (const float iso : {0.0f, 1.0f, -0.51f})
                    QCOMPARE(deviceDifference(field, iso), std::string());
                for (const unsigned percent : {20u, 60u, 95u})
                    QCOMPARE(deviceDifference(thinned(field, percent, random), 0), std::string());
            }
        }
    }
    void manyTiles() { // the scan looks back more than once: it sees 256 tiles of 1024 bricks at a time
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("manyTiles");
        const auto some = noisyField({8, 8, 8}, Noise::signs, random);
        ScalarField field;
        field.brickDims = {90, 60, 51};
        field.lattice = {{0, 0, 0}, {1, 1, 1}, field.brickDims * kBrickEdge};
        const std::size_t bricks = 90 * 60 * 51;
        QVERIFY(bricks > 260 * 1024);
        field.brickKeys = Buffer<std::uint64_t>::host(bricks);
        std::iota(field.brickKeys.span().begin(), field.brickKeys.span().end(), std::uint64_t{0});
        field.cellMask = Buffer<std::uint64_t>::host(bricks * kBrickEdge);
        std::fill_n(field.cellMask.data(), field.cellMask.size(), ~std::uint64_t{0});
        field.values = Buffer<float>::host(bricks * kBrickNodes);
        for (std::size_t b = 0; b < bricks; ++b) {
            float* values = &field.values[b * kBrickNodes];
            if (random() % 100 == 0 || b + 1 == bricks)
                std::copy_n(some.values.data(), kBrickNodes, values);
            else
                std::fill_n(values, kBrickNodes, 1.0f);
        }
        QCOMPARE(deviceDifference(field, 0.2f), std::string());
    }
    void farOrigins() { // coordinates so coarse that cells collapse: triangles lose their area
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("farOrigins");
        for (const float origin : {1000.0f, 1e5f, 1e7f})
            for (const float spacing : {0.5f, 0.01f})
                QCOMPARE(deviceDifference(noisyField({40, 40, 40}, Noise::smooth, random, false,
                                                     {origin, 0, -origin}, {spacing, 2 * spacing, spacing}),
                                          0.1f),
                         std::string());
    }
    void realScans() {
        SCANLOUPE_NEEDS_CUDA();
        SCANLOUPE_REAL_SCAN(path, "sweeps/nuscenes_10sweep_ff9eff_f32.bin");
        const Cloud cloud = readKittiBin(path);
        VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {0.2f, 0.2f, 0.2f}};
        const auto voxels = cpu::voxelize({cloud.positions.data(), cloud.positions.size(), {}}, params, {});
        for (const auto kind : {FieldKind::occupancy, FieldKind::density, FieldKind::signedDistance}) {
            FieldParams how;
            how.kind = kind;
            how.radius = kind == FieldKind::occupancy ? 0.5f : 0.0f;
            how.normals.sensor = Vec3f{};
            const auto field = cpu::computeField(voxels, how, {});
            for (const float share : {0.0f, 0.01f, 0.5f}) {
                const float iso = kind == FieldKind::signedDistance ? share * 0.1f : share * field.maxValue;
                QCOMPARE(deviceDifference(field, iso), std::string());
            }
            if (kind == FieldKind::signedDistance)
                QVERIFY(cpu::extractSurface(field, 0, {}).triangleCount() > 10'000);
        }
    }
    void sameBytesRunAfterRun() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("sameBytesRunAfterRun");
        const Stream stream;
        const auto field = thinned(noisyField({150, 140, 130}, Noise::integers, random), 5, random);
        const auto expected = cpu::extractSurface(field, 0.0f, {});
        QVERIFY(expected.zeroAreaTriangles > 0);
        const auto device = uploaded(field, stream);
        cuda::SurfaceGraph graph(device, expected.vertexCount(), expected.triangleCount(), stream);
        for (int i = 0; i < 100; ++i) {
            QCOMPARE(difference(expected, cuda::extractSurface(device, 0.0f, {}, stream).download(stream)),
                     std::string());
            graph.launch(0.0f, stream);
            QCOMPARE(difference(expected, graph.result(stream).download(stream)), std::string());
        }
    }
    void graphFollowsTheIsoValue() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("graphFollowsTheIsoValue");
        const Stream stream, other;
        for (const bool sparse : {false, true}) {
            auto field = noisyField({61, 70, 50}, Noise::smooth, random);
            if (sparse)
                field = thinned(field, 30, random);
            auto device = uploaded(field, stream);
            cuda::SurfaceGraph graph(device, 1 << 20, 1 << 20, stream);
            for (const float iso : {0.0f, 0.4f, 0.4f, -1.0f, 50.0f, 0.0f}) {
                graph.launch(iso, stream);
                QCOMPARE(
                    difference(cpu::extractSurface(field, iso, {}), graph.result(stream).download(stream)),
                    std::string());
            }
            for (const float iso : {0.1f, 0.2f, 0.3f}) // only the last launch counts
                graph.launch(iso, stream);
            QCOMPARE(difference(cpu::extractSurface(field, 0.3f, {}), graph.result(stream).download(stream)),
                     std::string());
            for (float& value : field.values.span()) // changes the values as well
                value = 0.5f - value;
            const auto changed = uploaded(field, stream);
            detail::copyBytes(device.values.data(), MemorySpace::device, changed.values.data(),
                              MemorySpace::device, device.values.bytes(), stream);
            graph.launch(0.3f, stream);
            QCOMPARE(difference(cpu::extractSurface(field, 0.3f, {}), graph.result(stream).download(stream)),
                     std::string());
        }
    }
    void graphGrows() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("graphGrows");
        const Stream stream;
        const auto field = noisyField({60, 60, 60}, Noise::smooth, random);
        const auto device = uploaded(field, stream);
        const auto expected = cpu::extractSurface(field, 0, {});
        const std::uint64_t vertices = expected.vertexCount(), triangles = expected.triangleCount();
        const std::pair<std::uint64_t, std::uint64_t> rooms[] = {
            {0, 0}, {1, 1}, {vertices - 1, triangles}, {vertices, triangles - 1}, {vertices, triangles}};
        for (const auto& [roomVertices, roomTriangles] : rooms) {
            cuda::SurfaceGraph graph(device, roomVertices, roomTriangles, stream);
            graph.launch(0, stream);
            QCOMPARE(difference(expected, graph.result(stream).download(stream)), std::string());
            const bool grew = roomVertices < vertices || roomTriangles < triangles;
            QCOMPARE(graph.vertexCapacity(), grew ? vertices + vertices / 4 : vertices);
            QCOMPARE(graph.triangleCapacity(), grew ? triangles + triangles / 4 : triangles);
            graph.launch(0.5f, stream); // launches with the current buffers
            QCOMPARE(difference(cpu::extractSurface(field, 0.5f, {}), graph.result(stream).download(stream)),
                     std::string());
        }
    }
    void graphRefusesBadInput() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        QVERIFY_EXCEPTION_THROWN(cuda::SurfaceGraph(ScalarField{}, 1, 1, stream), KernelError);
        const ScalarField field = denseField({9, 9, 9}, [](int x, int, int) { return x; });
        const auto device = uploaded(field, stream);
        cuda::SurfaceGraph graph(device, 1, 1, stream);
        QVERIFY_EXCEPTION_THROWN(graph.result(stream), Fault);
        QVERIFY_EXCEPTION_THROWN(graph.launch(std::numeric_limits<float>::quiet_NaN(), stream), KernelError);
        QCOMPARE(cuda::extractSurface(ScalarField{}, 0, {}, stream).triangleCount(), std::size_t{0});
    }
    void moreVerticesThan32BitsAreRefused() {
        SCANLOUPE_NEEDS_CUDA();
        if (probeDevice().freeBytes < std::uint64_t{12} << 30)
            QSKIP("2^32 vertices take a field of 6 GB and 2 GB to work in: the GPU has less than 12 GB free");
        // nodes that are inside and outside in turn: every edge has a vertex, every cell four triangles
        constexpr std::int64_t bricks = 142, n = bricks * kBrickEdge;
        const auto one = denseField({8, 8, 8}, [](int x, int y, int z) { return (x + y + z) % 2 ? 1 : -1; });
        const Stream stream;
        ScalarField field;
        field.lattice = {{0, 0, 0}, {1, 1, 1}, {n, n, n}};
        field.brickDims = {bricks, bricks, bricks};
        std::vector<std::uint64_t> keys(bricks * bricks * bricks);
        std::iota(keys.begin(), keys.end(), std::uint64_t{0});
        field.brickKeys = keysOf(keys).copyTo(MemorySpace::device, stream);
        const std::vector<std::uint64_t> cells(keys.size() * kBrickEdge, ~std::uint64_t{0});
        field.cellMask = keysOf(cells).copyTo(MemorySpace::device, stream);
        field.values = Buffer<float>::in(MemorySpace::device, keys.size() * kBrickNodes, stream);
        detail::copyBytes(field.values.data(), MemorySpace::device, one.values.data(), MemorySpace::host,
                          one.values.bytes(), stream);
        for (std::size_t done = kBrickNodes, next; done < field.values.size(); done += next) {
            next = std::min(done, field.values.size() - done);
            detail::copyBytes(field.values.data() + done, MemorySpace::device, field.values.data(),
                              MemorySpace::device, next * sizeof(float), stream);
        }
        const std::string vertices = std::to_string(3 * n * n * (n - 1)) + " vertices",
                          triangles = std::to_string(4 * (n - 1) * (n - 1) * (n - 1)) + " triangles";
        const auto refused = [&](auto&& extract) {
            try {
                extract();
                return std::string("it was not refused");
            } catch (const KernelError& error) {
                const std::string what = error.what();
                const bool named = what.find(vertices) != what.npos && what.find(triangles) != what.npos;
                return named ? std::string() : what;
            }
        };
        QCOMPARE(refused([&] { cuda::extractSurface(field, 0, {}, stream); }), std::string());
        QCOMPARE(refused([&] {
                     cuda::SurfaceGraph graph(field, 1, 1, stream);
                     graph.launch(0, stream);
                     graph.result(stream);
                 }),
                 std::string());
    }
};

SCANLOUPE_TEST(TestMarchingCubesDevice)
#include "test_marching_cubes_device.moc"
