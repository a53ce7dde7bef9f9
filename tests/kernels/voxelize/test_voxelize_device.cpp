// The device's strategies, its graph and its pieces, against the CPU's sort, byte by byte.
#include "kernels/voxelize/voxelize_pieces.h"
#include "tests/bench/variants/voxelize_graph.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using enum VoxelizeStrategy;
const VoxelizeParams kStreet{{-54, -54, -5}, {54, 54, 3}, {0.2f, 0.2f, 0.2f}};

/// Points all over the range, each in its own voxel; `features` single-precision ones.
Cloud scattered(std::size_t count, std::size_t features, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> across(-56, 56), height(-5.1f, 3.1f), unit(0, 1);
    Cloud cloud;
    cloud.singles.resize(features);
    for (std::size_t i = 0; i < count; ++i) {
        cloud.positions.push_back({across(random), across(random), height(random)});
        for (auto& values : cloud.singles)
            values.push_back(unit(random));
    }
    return cloud;
}

/// A street, with `hot` additional points in one voxel.
Cloud hotStreet(std::size_t hot) {
    Cloud cloud = streetCloud(20'011, 17);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<float> inside(10.01f, 10.19f);
    for (std::size_t i = 0; i < hot; ++i) {
        cloud.positions.push_back({inside(random), inside(random), -1.01f});
        cloud.singles[0].push_back(inside(random));
        cloud.doubles[0].push_back(315964800.5);
    }
    return cloud;
}

VoxelGrid onCpu(const Cloud& cloud, const VoxelizeParams& params) {
    return voxelizeOn("cpu radix-sort", cloud, params);
}

VoxelGrid onDevice(const Cloud& cloud, const VoxelizeParams& params) {
    const Stream stream;
    const DeviceCloud device(cloud, stream);
    return cuda::voxelize(device.view(), params, {}, stream).download(stream);
}

VoxelGrid byGraph(const DeviceCloud& cloud, const VoxelizeParams& params, std::size_t capacity,
                  StreamView stream) {
    cuda::VoxelizeGraph graph({cloud.view()}, params, capacity, stream);
    graph.launch(0, cloud.view().count, stream);
    return graph.result(stream).download(stream);
}

} // namespace

class TestVoxelizeDevice : public QObject {
    Q_OBJECT
private slots:
    void strategies_data() {
        QTest::addColumn<int>("strategy");
        for (const auto strategy : {automatic, bitmapRank, brickHash, hash, radixSort, denseGrid})
            QTest::newRow(name(strategy)) << int(strategy);
    }
    void strategies() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, strategy);
        for (const std::size_t n : {1u, 2u, 31u, 257u, 4099u, 300007u}) {
            for (const float size : {0.075f, 0.2f, 3.0f}) {
                VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {size, size, 0.2f}};
                params.strategy = VoxelizeStrategy(strategy);
                params.maxVoxels = size > 1 ? 100 : 0;
                params.pointVoxels = n != 257;
                const Cloud cloud = streetCloud(n, n);
                const VoxelGrid grid = onDevice(cloud, params);
                QCOMPARE(difference(onCpu(cloud, params), grid, true), std::string());
                QVERIFY(!grid.strategy.why.empty());
                QCOMPARE(int(grid.strategy.strategy), strategy ? strategy : int(bitmapRank));
            }
        }
    }
    void manyVoxels_data() { strategies_data(); }
    void manyVoxels() { // more than the first table has room for, and five features
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, strategy);
        VoxelizeParams params = kStreet;
        params.strategy = VoxelizeStrategy(strategy);
        const Cloud cloud = scattered(3'000'001, 5, 3);
        QCOMPARE(difference(onCpu(cloud, params), onDevice(cloud, params), true), std::string());
        params.pointVoxels = false;
        params.maxVoxels = 100'000;
        QCOMPARE(difference(onCpu(cloud, params), onDevice(cloud, params), true), std::string());
    }
    void hotVoxels_data() { strategies_data(); }
    void hotVoxels() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, strategy);
        VoxelizeParams params = kStreet;
        params.strategy = VoxelizeStrategy(strategy);
        params.rangeMin.x = params.rangeMin.y = -54.0f;
        for (const std::size_t hot : {4000u, 50'000u, 10'000'000u}) {
            const Cloud cloud = hotStreet(hot);
            QCOMPARE(difference(onCpu(cloud, params), onDevice(cloud, params), true), std::string());
        }
    }
    void morePointsThanNarrowSumsHold() { // in one voxel: the limit is 2^22 - 1; directly and by a graph
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        for (const std::size_t hot : {4'194'302u, 4'194'303u, 4'194'304u, 8'388'608u}) {
            Cloud cloud = hotStreet(hot);
            cloud.doubles.clear();
            const DeviceCloud device(cloud, stream);
            const VoxelGrid expected = onCpu(cloud, kStreet);
            QCOMPARE(difference(expected, onDevice(cloud, kStreet), true), std::string());
            QCOMPARE(difference(expected, byGraph(device, kStreet, 40'000, stream), true), std::string());
            VoxelizeParams few = kStreet; // summed at the voxels' ranks
            few.maxVoxels = 10'000;
            QCOMPARE(difference(onCpu(cloud, few), byGraph(device, few, 10'000, stream), true),
                     std::string());
        }
    }
    void moreCellsThan32Bits() {
        SCANLOUPE_NEEDS_CUDA();
        const Cloud cloud = streetCloud(100'003, 23);
        VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {0.002f, 0.002f, 0.002f}};
        for (const auto strategy : {automatic, brickHash, hash, radixSort}) {
            params.strategy = strategy;
            const VoxelGrid grid = onDevice(cloud, params);
            QCOMPARE(difference(onCpu(cloud, params), grid, true), std::string());
            if (strategy == automatic)
                QCOMPARE(int(grid.strategy.strategy), int(brickHash));
        }
        for (const auto strategy : {bitmapRank, denseGrid}) {
            params.strategy = strategy;
            QVERIFY_EXCEPTION_THROWN(onDevice(cloud, params), KernelError);
        }
    }
    void sameBytesRunAfterRun_data() { strategies_data(); }
    void sameBytesRunAfterRun() {
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, strategy);
        VoxelizeParams params = kStreet;
        params.strategy = VoxelizeStrategy(strategy);
        const Cloud cloud = hotStreet(5'000);
        const VoxelGrid first = onCpu(cloud, params);
        for (int run = 0; run < 100; ++run)
            QCOMPARE(difference(first, onDevice(cloud, params), true), std::string());
    }
    void limitOfPointsNeedsTheSort() {
        SCANLOUPE_NEEDS_CUDA();
        VoxelizeParams params = kStreet;
        params.maxPointsPerVoxel = 5;
        const Cloud cloud = hotStreet(5'000);
        const VoxelGrid grid = onDevice(cloud, params);
        QCOMPARE(int(grid.strategy.strategy), int(radixSort));
        params.maxVoxels = 50;
        QCOMPARE(difference(onCpu(cloud, params), onDevice(cloud, params), true), std::string());
        for (const auto strategy : {bitmapRank, brickHash, hash, denseGrid}) {
            params.strategy = strategy;
            QVERIFY_EXCEPTION_THROWN(onDevice(cloud, params), KernelError);
        }
    }
    void graphGivesTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        for (const std::size_t features : {0u, 1u, 2u, 4u}) {
            const Cloud cloud = scattered(100'003, features, features);
            const DeviceCloud device(cloud, stream);
            VoxelizeParams params = kStreet;
            params.pointVoxels = features != 1;
            QCOMPARE(difference(onCpu(cloud, params), byGraph(device, params, 200'000, stream), true),
                     std::string());
            // initially allocated too small
            QCOMPARE(difference(onCpu(cloud, params), byGraph(device, params, 10, stream), true),
                     std::string());
            params.maxVoxels = 777;
            QCOMPARE(difference(onCpu(cloud, params), byGraph(device, params, 1000, stream), true),
                     std::string());
        }
    }
    void graphFrameAfterFrame() { // the workspace is reset after any frame
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        Cloud cloud = hotStreet(6'000);
        const std::size_t all = cloud.positions.size();
        const DeviceCloud device(cloud, stream), other(cloud, stream);
        cuda::VoxelizeGraph graph({device.view(), other.view()}, kStreet, 40'000, stream);
        const VoxelGrid whole = onCpu(cloud, kStreet);
        const auto features = featureViews(cloud); // ranges of the whole cloud
        for (int frame = 0; frame < 100; ++frame) {
            const std::size_t count = frame % 3 == 0 ? all : all - std::size_t(frame) * 37;
            for (int again = 0; again <= frame % 2; ++again)
                graph.launch(std::size_t(frame % 4 / 2), count, stream);
            if (frame % 5 != 0 && frame % 3 != 0)
                continue; // frames whose result is not requested
            const VoxelGrid grid = graph.result(stream).download(stream);
            VoxelizeParams params = kStreet;
            params.strategy = radixSort;
            QCOMPARE(
                difference(cpu::voxelize({cloud.positions.data(), count, features}, params, {}), grid, true),
                std::string());
        }
        graph.launch(0, 0, stream);
        QCOMPARE(graph.result(stream).size(), std::size_t{0});
        const VoxelizeParams fine{{-54, -54, -5}, {54, 54, 3}, {0.002f, 0.002f, 0.002f}};
        QVERIFY_EXCEPTION_THROWN(cuda::VoxelizeGraph({device.view()}, fine, 10, stream), KernelError);
    }
    void piecesGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        for (const std::size_t features : {0u, 2u, 4u}) {
            const Cloud cloud = scattered(2'000'003, features, 11 + features);
            const auto views = featureViews(cloud);
            const PointsView points{cloud.positions.data(), cloud.positions.size(), views};
            for (const std::size_t piece :
                 {std::size_t{100'001}, std::size_t{1} << 20, std::size_t{1} << 22}) {
                VoxelizeParams params = kStreet;
                params.pointVoxels = piece != std::size_t{1} << 20;
                params.maxVoxels = features == 2 ? 1'000'000 : 0;
                cuda::PieceTimes times;
                const VoxelGrid grid =
                    cuda::voxelizeInPieces(points, params, piece, {}, stream, &times).download(stream);
                QCOMPARE(difference(onCpu(cloud, params), grid, true), std::string());
                QCOMPARE(times.pieces, (cloud.positions.size() + piece - 1) / piece);
                QVERIFY(times.uploadMs > 0 && times.computeMs > 0 && times.overlap() <= 1.0);
            }
        }
        const PointsView none{nullptr, 0, {}};
        QCOMPARE(cuda::voxelizeInPieces(none, kStreet, 1000, {}, stream, nullptr).size(), std::size_t{0});
        VoxelizeParams limited = kStreet;
        limited.maxPointsPerVoxel = 1;
        QVERIFY_EXCEPTION_THROWN(cuda::voxelizeInPieces(none, limited, 1000, {}, stream, nullptr),
                                 KernelError);
    }
    void notFiniteValuesOfDroppedVoxels_data() { strategies_data(); }
    void notFiniteValuesOfDroppedVoxels() { // only those of points that are averaged count
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, strategy);
        Cloud cloud = scattered(20'000, 4, 43);
        for (std::size_t i = 0; i < 20'000; i += 7)
            cloud.singles[i % 4][i] = std::nanf("");
        VoxelizeParams params = kStreet;
        params.strategy = VoxelizeStrategy(strategy);
        params.maxVoxels = 5'000;
        for (const bool pointVoxels : {true, false}) {
            params.pointVoxels = pointVoxels;
            const VoxelGrid expected = onCpu(cloud, params);
            QVERIFY(expected.stats.featuresNotFinite > 0 && expected.stats.featuresNotFinite < 2'000);
            QCOMPARE(difference(expected, onDevice(cloud, params), true), std::string());
            const Stream stream;
            const auto views = featureViews(cloud);
            const PointsView points{cloud.positions.data(), cloud.positions.size(), views};
            QCOMPARE(difference(
                         expected,
                         cuda::voxelizeInPieces(points, params, 3'000, {}, stream, nullptr).download(stream),
                         true),
                     std::string());
        }
    }
    void graphOnAnotherStream() { // this run also needs more voxels than allocated at first
        SCANLOUPE_NEEDS_CUDA();
        const Stream made, launched;
        const Cloud cloud = scattered(100'003, 1, 47);
        const DeviceCloud device(cloud, made);
        const VoxelGrid expected = onCpu(cloud, kStreet);
        for (int run = 0; run < 20; ++run) {
            cuda::VoxelizeGraph graph({device.view()}, kStreet, 100, made);
            graph.launch(0, 100'003, launched);
            QCOMPARE(difference(expected, graph.result(launched).download(launched), true), std::string());
            QVERIFY_EXCEPTION_THROWN(graph.launch(0, 100'004, launched), Fault);
            graph.launch(0, 50'000, launched); // destroyed while it is running
        }
    }
    void stopInTheMiddleOfPieces() {
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const Cloud cloud = scattered(2'000'003, 1, 53);
        const auto views = featureViews(cloud);
        const PointsView points{cloud.positions.data(), cloud.positions.size(), views};
        const VoxelGrid expected = onCpu(cloud, kStreet);
        for (int run = 0; run < 20; ++run) {
            std::stop_source source;
            const std::jthread asker([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(500 * run));
                source.request_stop();
            });
            try {
                cuda::voxelizeInPieces(points, kStreet, 50'000, source.get_token(), stream, nullptr);
            } catch (const Cancelled&) {
            }
            QCOMPARE(
                difference(
                    expected,
                    cuda::voxelizeInPieces(points, kStreet, 300'000, {}, stream, nullptr).download(stream),
                    true),
                std::string());
        }
    }
    void everyKernelOnce() { // small, so that slow race checkers finish
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const Cloud cloud = scattered(5'003, 4, 59);
        const auto views = featureViews(cloud);
        const DeviceCloud device(cloud, stream);
        VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {2, 2, 2}};
        params.maxVoxels = 1'000;
        const VoxelGrid expected = onCpu(cloud, params);
        for (const auto strategy : {bitmapRank, brickHash, hash, radixSort, denseGrid}) {
            params.strategy = strategy;
            const VoxelGrid grid = cuda::voxelize(device.view(), params, {}, stream).download(stream);
            QCOMPARE(difference(expected, grid, true), std::string());
        }
        params.strategy = automatic;
        QCOMPARE(difference(expected, byGraph(device, params, 1'000, stream), true), std::string());
        VoxelizeParams all = params; // sums are stored per cell
        all.maxVoxels = 0;
        QCOMPARE(difference(onCpu(cloud, all), byGraph(device, all, 1'000, stream), true), std::string());
        const PointsView points{cloud.positions.data(), cloud.positions.size(), views};
        const VoxelGrid pieces = cuda::voxelizeInPieces(points, params, 1'999, {}, stream, nullptr);
        QCOMPARE(difference(expected, pieces.download(stream), true), std::string());
    }
    void graphOfFineVoxels() { // tens of millions of cells: each thread reads four words of them
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        for (const float size : {0.1f, 0.075f}) {
            const VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {size, size, size}};
            for (const std::size_t features : {1u, 4u}) {
                const Cloud cloud = scattered(300'007, features, 61);
                const DeviceCloud device(cloud, stream);
                cuda::VoxelizeGraph graph({device.view()}, params, 1'000, stream);
                for (const std::size_t count : {300'007u, 31u, 200'001u}) {
                    graph.launch(0, count, stream);
                    const auto views = featureViews(cloud);
                    const VoxelGrid expected =
                        cpu::voxelize({cloud.positions.data(), count, views}, params, {});
                    QCOMPARE(difference(expected, graph.result(stream).download(stream), true),
                             std::string());
                }
            }
        }
    }
    void graphAfterFramesThatNobodyAsksFor_data() {
        QTest::addColumn<int>("maxVoxels");
        QTest::newRow("sums of every cell") << 0;
        QTest::newRow("sums of ranks") << 10'000;
    }
    void graphAfterFramesThatNobodyAsksFor() { // counts of unread frames wrap to 0 or beyond; none may remain
        SCANLOUPE_NEEDS_CUDA();
        QFETCH(int, maxVoxels);
        const Stream stream;
        VoxelizeParams params = kStreet;
        params.maxVoxels = std::uint64_t(maxVoxels);
        Cloud cloud = hotStreet(4'194'304 + 1000); // after 20,011 points of the street
        cloud.doubles.clear();
        const DeviceCloud device(cloud, stream);
        const auto features = featureViews(cloud);
        cuda::VoxelizeGraph graph({device.view()}, params, 40'000, stream);
        const std::size_t exact = [&] { // first frame whose hot voxel has exactly 2^22 points
            const VoxelGrid all = onCpu(cloud, kStreet);
            const std::uint32_t most = *std::ranges::max_element(all.counts.span());
            return cloud.positions.size() - (most - 4'194'304u);
        }();
        for (const std::size_t hot : {exact, exact - 1, exact + 1, cloud.positions.size()}) {
            graph.launch(0, hot, stream);
            for (const std::size_t count : {std::size_t{15'000}, std::size_t{30'000}}) {
                graph.launch(0, count, stream);
                const VoxelGrid expected =
                    cpu::voxelize({cloud.positions.data(), count, features}, params, {});
                QCOMPARE(difference(expected, graph.result(stream).download(stream), true), std::string());
            }
        }
        graph.launch(0, exact, stream);
        const VoxelGrid expected = cpu::voxelize({cloud.positions.data(), exact, features}, params, {});
        QCOMPARE(difference(expected, graph.result(stream).download(stream), true), std::string());
    }
    void limitOfMorePointsThanNarrowSumsHold() {
        SCANLOUPE_NEEDS_CUDA();
        VoxelizeParams params = kStreet;
        Cloud cloud = hotStreet(8'000'000);
        cloud.doubles.clear();
        for (const std::uint32_t most : {4'194'303u, 4'194'304u, 5'000'000u}) {
            params.maxPointsPerVoxel = most;
            const VoxelGrid expected = onCpu(cloud, params);
            QVERIFY(expected.stats.pointsDroppedInVoxels > 0);
            QCOMPARE(difference(expected, onDevice(cloud, params), true), std::string());
        }
    }
    void misalignedFeatures() { // single-precision values that start in the middle of a buffer
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const std::size_t all = 300'007;
        const Cloud cloud = scattered(all, 2, 67);
        const DeviceCloud device(cloud, stream);
        auto onHost = featureViews(cloud);
        for (const std::size_t skip : {1u, 2u, 3u}) {
            const auto moved = [&](std::span<const FeatureView> views) {
                std::vector<FeatureView> later(views.begin(), views.end());
                for (FeatureView& view : later)
                    view.data = static_cast<const float*>(view.data) + skip;
                return later;
            };
            const auto there = moved(device.view().features), here = moved(onHost);
            const std::size_t count = all - skip;
            const PointsView part{device.view().positions + skip, count, there};
            const VoxelGrid expected =
                cpu::voxelize({cloud.positions.data() + skip, count, here}, kStreet, {});
            QCOMPARE(difference(expected, cuda::voxelize(part, kStreet, {}, stream).download(stream), true),
                     std::string());
            cuda::VoxelizeGraph graph({part}, kStreet, 400'000, stream);
            graph.launch(0, count, stream);
            QCOMPARE(difference(expected, graph.result(stream).download(stream), true), std::string());
        }
    }
    void misalignedPoints() { // a view that starts in the middle of a buffer
        SCANLOUPE_NEEDS_CUDA();
        const Stream stream;
        const std::size_t all = 1'000'007; // enough for threads to process four points at once
        const Cloud cloud = scattered(all, 0, 41);
        const DeviceCloud device(cloud, stream);
        for (std::size_t skip : {1u, 2u, 3u, 4u}) {
            const PointsView part{device.view().positions + skip, all - skip, {}};
            const VoxelGrid grid = cuda::voxelize(part, kStreet, {}, stream).download(stream);
            QCOMPARE(difference(cpu::voxelize({cloud.positions.data() + skip, part.count, {}}, kStreet, {}),
                                grid, true),
                     std::string());
        }
    }
};

SCANLOUPE_TEST(TestVoxelizeDevice)
#include "test_voxelize_device.moc"
