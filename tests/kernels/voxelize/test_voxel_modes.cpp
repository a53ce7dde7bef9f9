// The most frequent class of each voxel, on both backends, compared with a plain count.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"
#include "tests/kernels/raster/raster_backends.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Codes = std::vector<std::uint32_t>;

/// Categories of points on the host, and their numbers of classes.
struct Scan {
    std::vector<std::uint32_t> pointVoxel; // [N]
    std::size_t voxels = 0;                // V
    std::vector<Codes> codes;              // [C, N]
    std::vector<std::uint32_t> classes;    // [C]

    void add(Codes column) {
        classes.push_back(column.empty() ? 1 : *std::max_element(column.begin(), column.end()) + 1);
        codes.push_back(std::move(column));
    }
};

std::vector<std::uint32_t> modesOnCpu(const Scan& scan, const std::stop_token& stop) {
    std::vector<CategoryView> views;
    for (std::size_t c = 0; c < scan.codes.size(); ++c)
        views.push_back({scan.codes[c].data(), scan.classes[c]});
    const auto modes =
        cpu::voxelModes({scan.pointVoxel.data(), scan.pointVoxel.size(), scan.voxels}, views, stop);
    return {modes.span().begin(), modes.span().end()};
}

std::vector<std::uint32_t> modesOnDevice(const Scan& scan, const std::stop_token& stop) {
    const Stream stream;
    const auto put = [&](const std::vector<std::uint32_t>& values) {
        return hostCopy(std::span(values)).copyTo(MemorySpace::device, stream);
    };
    const auto pointVoxel = put(scan.pointVoxel);
    std::vector<Buffer<std::uint32_t>> columns;
    std::vector<CategoryView> views;
    for (std::size_t c = 0; c < scan.codes.size(); ++c) {
        columns.push_back(put(scan.codes[c]));
        views.push_back({columns.back().data(), scan.classes[c]});
    }
    stream.view().synchronize();
    const auto modes =
        cuda::voxelModes({pointVoxel.data(), pointVoxel.size(), scan.voxels}, views, stop, stream)
            .copyTo(MemorySpace::host, stream);
    return {modes.span().begin(), modes.span().end()};
}

std::vector<std::uint32_t> modesOf(const Scan& scan, const std::stop_token& stop = {}) {
    return RasterBackend::current().isCuda() ? modesOnDevice(scan, stop) : modesOnCpu(scan, stop);
}

/// The most frequent class of each voxel by an ordered map; the lowest of equally frequent classes wins.
std::vector<std::uint32_t> expectedModes(const Scan& scan) {
    std::vector<std::uint32_t> modes;
    for (const Codes& codes : scan.codes) {
        std::vector<std::map<std::uint32_t, std::size_t>> tallies(scan.voxels);
        for (std::size_t i = 0; i < codes.size(); ++i)
            if (scan.pointVoxel[i] != kNoVoxel)
                ++tallies[scan.pointVoxel[i]][codes[i]];
        for (const auto& tally : tallies) {
            const auto best = std::max_element(
                tally.begin(), tally.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
            modes.push_back(best == tally.end() ? 0 : best->first);
        }
    }
    return modes;
}

/// Points in voxels of very different occupancy, a tenth of them outside.
Scan randomScan(std::mt19937_64& random, std::size_t points, std::size_t voxels,
                const std::vector<std::uint32_t>& classes) {
    Scan scan;
    scan.voxels = voxels;
    std::uniform_real_distribution<double> unit(0, 1);
    for (std::size_t i = 0; i < points; ++i) {
        const double u = unit(random);
        const auto voxel = static_cast<std::uint32_t>(u * u * u * double(voxels));
        scan.pointVoxel.push_back(unit(random) < 0.1 ? kNoVoxel : voxel);
    }
    for (const std::uint32_t count : classes) {
        Codes codes;
        for (std::size_t i = 0; i < points; ++i)
            codes.push_back(static_cast<std::uint32_t>(unit(random) * double(count)));
        scan.codes.push_back(std::move(codes));
        scan.classes.push_back(count);
    }
    return scan;
}

} // namespace

class TestVoxelModes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { SKIP_WITHOUT_BACKEND(); }

    void theMostFrequentWinsAndTheLowestOfEquals() {
        Scan scan;
        scan.voxels = 4;
        scan.pointVoxel = {0, 3, 0, 0, 1, 3, 1, kNoVoxel, 2, 3, 3, kNoVoxel};
        //          voxel 0: 5 5 2; 1: 7 7; 2: 1; 3: 4 0 4 0, two of each
        scan.add({5, 4, 2, 5, 7, 0, 7, 9, 1, 4, 0, 9});
        QVERIFY((modesOf(scan) == Codes{5, 7, 1, 0}));
    }

    void onePointAndNone() {
        Scan scan;
        scan.voxels = 1;
        scan.pointVoxel = {0};
        scan.add({3});
        QVERIFY((modesOf(scan) == Codes{3}));
        scan.pointVoxel = {kNoVoxel};
        QVERIFY((modesOf(scan) == Codes{0}));
        scan.voxels = 0;
        QVERIFY(modesOf(scan).empty());
        scan = {};
        QVERIFY(modesOf(scan).empty());
        scan.voxels = 2;
        scan.add({});
        QVERIFY((modesOf(scan) == Codes{0, 0}));
    }

    void aCategoryOfOneClassHasItEverywhere() {
        Scan scan;
        scan.voxels = 3;
        scan.pointVoxel = {2, 1, 0, kNoVoxel};
        scan.add({0, 0, 0, 0});
        scan.add({0, 1, 2, 3});
        QVERIFY((modesOf(scan) == Codes{0, 0, 0, 2, 1, 0}));
    }

    /// Tables and sorts, keys of 32 and of 64 bits, runs across many blocks.
    void manyPointsMatchAPlainCount() {
        auto random = seededRandom("manyPointsMatchAPlainCount");
        for (const std::size_t voxels : {1, 7, 5000, 70'000}) {
            const Scan scan = randomScan(random, 200'003, voxels, {2, 30, 300, 5000, 3'000'000});
            QVERIFY(modesOf(scan) == expectedModes(scan));
        }
    }

    void theOrderOfPointsDoesNotMatter() {
        auto random = seededRandom("theOrderOfPointsDoesNotMatter");
        const Scan scan = randomScan(random, 50'000, 900, {3, 9000});
        std::vector<std::size_t> order(scan.pointVoxel.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        Scan shuffled = scan;
        for (std::size_t i = 0; i < order.size(); ++i) {
            shuffled.pointVoxel[i] = scan.pointVoxel[order[i]];
            for (std::size_t c = 0; c < scan.codes.size(); ++c)
                shuffled.codes[c][i] = scan.codes[c][order[i]];
        }
        QVERIFY(modesOf(shuffled) == modesOf(scan));
    }

    /// Both backends, bit by bit, on one million points.
    void bothBackendsAgree() {
        if (!RasterBackend::current().isCuda())
            QSKIP("compared on the device's turn");
        auto random = seededRandom("bothBackendsAgree");
        const Scan scan = randomScan(random, 1'000'000, 150'000, {12, 1u << 20});
        QVERIFY(modesOnDevice(scan, {}) == modesOnCpu(scan, {}));
        QVERIFY(modesOnDevice(scan, {}) == modesOnDevice(scan, {}));
    }

    /// A single run of 40 million equal keys: it exceeds 2^24 and the steps by which the search doubles.
    void oneFullVoxel() {
        Scan scan;
        scan.voxels = 1;
        const std::size_t points = RasterBackend::current().isCuda() ? 40'000'000 : 4'000'000;
        scan.pointVoxel.assign(points, 0);
        Codes codes(points, 6);
        for (std::size_t i = 0; i < points / 3; ++i)
            codes[3 * i] = 2;
        scan.add(std::move(codes));
        QVERIFY((modesOf(scan) == Codes{6}));
    }

    void stopsWhenAsked() {
        auto random = seededRandom("stopsWhenAsked");
        const Scan scan = randomScan(random, 100'000, 500, {5});
        std::stop_source source;
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(modesOf(scan, source.get_token()), Cancelled);
    }

    void tooManyPointsAreRefused() {
        const std::uint32_t one = 0;
        const CategoryView category{&one, 2};
        QVERIFY_EXCEPTION_THROWN(checkModes({&one, kNoVoxel, 1}, std::span(&category, 1)), KernelError);
        QVERIFY_EXCEPTION_THROWN(checkModes({&one, 1, kNoVoxel}, std::span(&category, 1)), KernelError);
        const CategoryView none{nullptr, 2};
        QVERIFY_EXCEPTION_THROWN(checkModes({&one, 1, 1}, std::span(&none, 1)), Fault);
    }
};

RASTER_TEST(TestVoxelModes)
#include "test_voxel_modes.moc"
