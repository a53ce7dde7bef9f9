// Cuts of points: which points remain, with the same bytes on both backends.
#include "kernels/core/buffer.h"
#include "kernels/cut/cut_points.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<Vec3f> somePoints(std::size_t count, std::mt19937_64& random) {
    std::uniform_real_distribution<float> along(-2, 2);
    std::vector<Vec3f> points(count);
    for (Vec3f& p : points)
        p = {along(random), along(random), along(random)};
    points[count / 2].y = kNaN;
    points[count / 3].z = std::numeric_limits<float>::infinity();
    return points;
}

PointCut someCut(std::mt19937_64& random) {
    std::uniform_real_distribution<float> along(-1, 1);
    PointCut cut;
    cut.hasBox = random() % 4 != 0;
    cut.keepsOutside = random() % 2;
    const Vec3f middle{along(random), along(random), along(random)};
    const Vec3f half{0.5f + std::abs(along(random)), 0.5f + std::abs(along(random)), 0.7f};
    const float angle = random() % 3 ? along(random) * std::numbers::pi_v<float> : 0;
    cut.box = {middle - half, middle + half, middle, int(random() % 3), std::cos(angle), std::sin(angle)};
    cut.hasSlab = random() % 2;
    cut.slab = {middle, normalized(Vec3f{along(random), along(random), along(random)}), 0.4f};
    return cut;
}

} // namespace

class TestCutPoints : public QObject {
    Q_OBJECT
private slots:
    void rowsStay() {
        PointCut cut;
        cut.hasBox = true;
        cut.box = {{0, 0, 0}, {1, 1, 1}, {0.5f, 0.5f, 0.5f}};
        const std::vector<Vec3f> points{{0, 0, 0}, {1, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}, {kNaN, 0, 5}};
        const Buffer<Vec3f> kept = cutPoints(points, cut, {});
        QVERIFY(kept[0] == points[0]);
        QCOMPARE(kept[1].x, kCutAway); // upper faces are outside
        QVERIFY(kept[2] == points[2]);
        QVERIFY(std::isnan(kept[3].x) && kept[3].z == 5);
        cut.keepsOutside = true;
        const Buffer<Vec3f> others = cutPoints(points, cut, {});
        QCOMPARE(others[0].x, kCutAway);
        QVERIFY(others[1] == points[1]);
        cut = {};
        cut.hasSlab = true;
        cut.slab = {{0.5f, 0, 0}, {1, 0, 0}, 0.5f};
        const Buffer<Vec3f> slab = cutPoints(points, cut, {});
        QVERIFY(slab[0] == points[0]);
        QCOMPARE(slab[1].x, kCutAway);
    }
    /// Each point is in exactly one of several adjacent slabs.
    void slabsShareNoPoint() {
        auto random = seededRandom("slabsShareNoPoint");
        const auto points = somePoints(20'000, random);
        std::vector<int> times(points.size());
        PointCut cut;
        cut.hasSlab = true;
        for (int i = -8; i < 8; ++i) {
            cut.slab = {{0, float(i) * 0.25f + 0.125f, 0}, {0, 1, 0}, 0.125f};
            const Buffer<Vec3f> kept = cutPoints(points, cut, {});
            for (std::size_t p = 0; p < points.size(); ++p)
                times[p] += kept[p].x != kCutAway;
        }
        for (std::size_t p = 0; p < points.size(); ++p)
            QCOMPARE(times[p], isFinite(points[p]) ? 1 : 16);
    }
    void aTurnIsCounterClockwise() {
        TurnedBox box{{-2, -0.1f, -1}, {2, 0.1f, 1}, {0, 0, 0}, 2, std::cos(0.5f), std::sin(0.5f)};
        QVERIFY(box.contains({1.5f * std::cos(0.5f), 1.5f * std::sin(0.5f), 0}));
        QVERIFY(!box.contains({1.5f * std::cos(0.5f), -1.5f * std::sin(0.5f), 0}));
    }
    void bothBackendsGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("bothBackendsGiveTheSameBytes");
        const Stream stream;
        for (int i = 0; i < 50; ++i) {
            const auto points = somePoints(1 + random() % 100'000, random);
            const PointCut cut = someCut(random);
            const Buffer<Vec3f> expected = cutPoints(points, cut, {});
            auto host = Buffer<Vec3f>::host(points.size());
            std::copy(points.begin(), points.end(), host.data());
            const Buffer<Vec3f> there = host.copyTo(MemorySpace::device, stream.view());
            const Buffer<Vec3f> kept = cutPoints({there.data(), there.size()}, cut, {stream.view(), {}})
                                           .copyTo(MemorySpace::host, stream.view());
            QVERIFY(std::memcmp(kept.data(), expected.data(), expected.bytes()) == 0);
        }
    }
};

SCANLOUPE_TEST(TestCutPoints)
#include "test_cut_points.moc"
