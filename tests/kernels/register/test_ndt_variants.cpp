// Variants of the alignment that the product does not use give the same poses. Skipped without a device.
#include "kernels/core/devices.h"
#include "tests/bench/variants/ndt_variants.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <fstream>
#include <optional>
#include <string>

using namespace scanloupe;
using namespace scanloupe::test;
using cuda::NdtVariant;

namespace {

constexpr double kSameOrder = 1e-9, kOtherOrder = 1e-6; // metres and radians

struct VariantScene {
    NdtMap map;
    std::vector<Vec3f> scan;
    RigidTransform start;
};
VariantScene variantScene(std::mt19937_64& random, std::size_t count) {
    NdtMapParams params;
    params.resolution = 1;
    NdtMap map(params);
    map.add(toFloat(sample(yard(), 100'000, 0.02, random)), {}, {}, {});
    const RigidTransform truth = fromRollPitchYaw({0.02, -0.03, 0.7}, {3, -2, 1.6});
    std::vector<Vec3f> scan = seenFrom(truth, sample(yard(), count, 0.02, random), 100);
    RigidTransform start = randomPose(random, 0, 0.02) * truth;
    start.translation = truth.translation + randomPose(random, 0.2, 0).translation;
    return {std::move(map), std::move(scan), start};
}

NdtParams variantParams() {
    NdtParams params;
    params.epsilon = 1e-8;
    params.pointScores = params.trace = params.geometry = false;
    return params;
}

/// The Compute Sanitizer can't follow graphs with loops. It is detected by its library in this process.
bool isUnderComputeSanitizer() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
        if (line.find("sanitizer-collection") != std::string::npos)
            return true;
    return false;
}

double farthest(const RigidTransform& a, const RigidTransform& b) {
    return std::max(norm(a.translation - b.translation), rotationAngle(a.inverse() * b));
}

} // namespace

class TestNdtVariants : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        SCANLOUPE_NEEDS_CUDA();
        m_stream.emplace();
    }

    void posesAreTheProducts_data() {
        QTest::addColumn<int>("variant");
        for (int i = 0; i < int(std::size(cuda::kNdtVariantKeys)); ++i)
            QTest::newRow(cuda::kNdtVariantKeys[i]) << i;
    }
    void posesAreTheProducts() {
        QFETCH(int, variant);
        const auto way = NdtVariant(variant);
        if (way == NdtVariant::graphLoop && isUnderComputeSanitizer())
            QSKIP("compute-sanitizer can't follow graphs that repeat themselves");
        const bool isSameOrder = way < NdtVariant::warpSolve;
        auto random = seededRandom("posesAreTheProducts");
        for (const std::size_t count : {300, 700, 5000, 30'000}) {
            const VariantScene scene = variantScene(random, count);
            const cuda::NdtDeviceMap map(scene.map, stream());
            const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
            const NdtResult product =
                cuda::alignNdt(map, scan, scene.start, variantParams(), {}, {}, stream());
            const auto align = [&] {
                return cuda::alignNdtBy(way, map, scan, scene.start, variantParams(), stream());
            };
            const cuda::NdtVariantResult found = align(), again = align();
            const double off = farthest(found.pose, product.pose);
            qInfo("%zu points: %.2g from the product's pose, %d iterations, %.2f spared", count, off,
                  found.iterations, found.spared);
            QVERIFY(product.iterations > 1 && found.iterations > 1);
            QVERIFY2(off <= (isSameOrder ? kSameOrder : kOtherOrder), qPrintable(QString::number(off)));
            if (isSameOrder)
                QCOMPARE(found.iterations, product.iterations);
            QVERIFY(again.pose == found.pose && again.score == found.score);
            QCOMPARE(again.iterations, found.iterations);
        }
    }

    void sharesThatAreSpared() {
        auto random = seededRandom("sharesThatAreSpared");
        const VariantScene scene = variantScene(random, 5000);
        const cuda::NdtDeviceMap map(scene.map, stream());
        const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
        const auto spared = [&](NdtVariant way) {
            return cuda::alignNdtBy(way, map, scan, scene.start, variantParams(), stream()).spared;
        };
        QCOMPARE(spared(NdtVariant::readCells), 0.0);
        QCOMPARE(spared(NdtVariant::texture), 0.0);
        QVERIFY(spared(NdtVariant::cellCache) > 0.3 && spared(NdtVariant::cellCache) <= 1);
        QVERIFY(spared(NdtVariant::earlyExit) > 0 && spared(NdtVariant::earlyExit) < 1);
    }

    void halvesGiveTheWholesPose() {
        auto random = seededRandom("halvesGiveTheWholesPose");
        const VariantScene scene = variantScene(random, 6000);
        const cuda::NdtDeviceMap map(scene.map, stream());
        const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
        std::vector<std::vector<int>> devices{{0}, {0, 0}, std::vector<int>(16, 0)};
        if (deviceCount() > 1)
            devices.push_back({0, 1});
        for (const auto neighbours :
             {NdtNeighbours::direct1, NdtNeighbours::direct7, NdtNeighbours::direct27}) {
            NdtParams params = variantParams();
            params.neighbours = neighbours;
            const NdtResult whole = cuda::alignNdt(map, scan, scene.start, params, {}, {}, stream());
            for (const std::vector<int>& of : devices) {
                cuda::NdtSplit split(scene.map, {scene.scan, {}}, of);
                const cuda::NdtVariantResult found = split.align(scene.start, params),
                                             again = split.align(scene.start, params);
                const double off = farthest(found.pose, whole.pose);
                QVERIFY2(off <= (of.size() == 1 ? kSameOrder : kOtherOrder),
                         qPrintable(QString("%1 parts: %2").arg(of.size()).arg(off)));
                QVERIFY(again.pose == found.pose);
            }
        }
        QCOMPARE(currentDevice(), 0);
    }

    void whatTheVariantsRefuse() {
        auto random = seededRandom("whatTheVariantsRefuse");
        const VariantScene scene = variantScene(random, 500);
        const cuda::NdtDeviceMap map(scene.map, stream());
        const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
        const std::vector<Vec3f> tooMany(32'769, Vec3f{1, 2, 3});
        const cuda::NdtDeviceScan large({tooMany, {}}, {}, stream());
        NdtParams wide = variantParams();
        wide.neighbours = NdtNeighbours::direct27;
        for (const auto way : {NdtVariant::texture, NdtVariant::graphLaunches}) {
            const auto align = [&](const cuda::NdtDeviceScan& points, const NdtParams& params) {
                return cuda::alignNdtBy(way, map, points, scene.start, params, stream());
            };
            QVERIFY_THROWS_EXCEPTION(KernelError, align(large, variantParams()));
            QVERIFY_THROWS_EXCEPTION(KernelError, align(scan, wide));
        }
        QVERIFY_THROWS_EXCEPTION(KernelError, cuda::NdtSplit(scene.map, {scene.scan, {}}, {}));
        const int missing[] = {deviceCount()};
        QVERIFY_THROWS_EXCEPTION(KernelError, cuda::NdtSplit(scene.map, {scene.scan, {}}, missing));
    }
    void cleanupTestCase() { m_stream.reset(); }

private:
    StreamView stream() { return m_stream->view(); }
    std::optional<Stream> m_stream;
};

SCANLOUPE_TEST(TestNdtVariants)
#include "test_ndt_variants.moc"
