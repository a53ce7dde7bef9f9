// Incremental updates of voxels after changes of points, compared with voxelizing from scratch.
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/splice/update_voxels.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
const VoxelizeParams kParams{{0, 0, 0}, {10, 8, 6}, {0.5f, 0.4f, 0.6f}};

template <class T>
bool areSame(const Buffer<T>& a, const Buffer<T>& b) {
    return std::ranges::equal(a.span(), b.span());
}

VoxelGrid voxelsOf(const std::vector<Vec3f>& points) {
    return cpu::voxelize({points.data(), points.size(), {}}, kParams, {});
}

Buffer<float> meansOf(const std::vector<float>& values, const Buffer<std::uint32_t>& pointVoxel,
                      const VoxelGrid& grid) {
    const FeatureView view{values.data(), ScalarType::float32, -1, 1};
    return cpu::featureMeans({&view, 1}, {pointVoxel.data(), pointVoxel.size(), grid.size()},
                             grid.counts.data(), {});
}

} // namespace

class TestUpdateVoxels : public QObject {
    Q_OBJECT
private slots:
    void followsRandomChanges() {
        auto random = seededRandom("followsRandomChanges");
        std::uniform_real_distribution<float> share(-0.1f, 1.1f), value(-1, 1);
        const auto place = [&] { return Vec3f{10 * share(random), 8 * share(random), 6 * share(random)}; };
        std::vector<Vec3f> points(4000);
        std::vector<float> values(points.size());
        std::ranges::generate(points, place);
        std::ranges::generate(values, [&] { return value(random); });
        VoxelGrid grid = voxelsOf(points);
        Buffer<float> means = meansOf(values, grid.pointVoxel, grid);
        for (int round = 0; round < 60; ++round) {
            std::vector<std::uint32_t> changed;
            const Vec3f middle = place();
            for (std::uint32_t row = 0; row < points.size(); ++row) {
                const bool isNear = squaredNorm(points[row] - middle) < 2; // false for a removed point
                if (!isNear && random() % 300 != 0)
                    continue;
                changed.push_back(row);
                points[row] = random() % 3 == 0 ? place() : Vec3f{kNone, 0, 0};
            }
            const cpu::VoxelUpdate update = cpu::updateVoxels(grid, points, changed, kParams, {});
            const VoxelGrid whole = voxelsOf(points);
            QVERIFY(areSame(update.grid.keys, whole.keys));
            QVERIFY(areSame(update.grid.counts, whole.counts));
            QVERIFY(areSame(update.grid.means, whole.means));
            QVERIFY(areSame(update.grid.pointVoxel, whole.pointVoxel));
            QVERIFY(update.grid.stats == whole.stats);
            std::vector<float> some;
            for (const std::uint32_t row : update.rows)
                some.push_back(values[row]);
            means = cpu::updateValues(means, update,
                                      meansOf(some, update.averaged.pointVoxel, update.averaged), {});
            QVERIFY(areSame(means, meansOf(values, whole.pointVoxel, whole)));
            grid = cpu::updateVoxels(grid, points, changed, kParams, {}).grid;
        }
    }
    void allPointsAreRemovedAndAddedAgain() {
        std::vector<Vec3f> points{{1, 1, 1}, {1.1f, 1, 1}, {5, 5, 5}, {20, 0, 0}};
        const std::vector<std::uint32_t> all{0, 1, 2, 3};
        const VoxelGrid grid = voxelsOf(points);
        const std::vector<Vec3f> none(4, Vec3f{kNone, kNone, kNone});
        const cpu::VoxelUpdate gone = cpu::updateVoxels(grid, none, all, kParams, {});
        QCOMPARE(gone.grid.size(), std::size_t{0});
        QCOMPARE(gone.grid.stats.pointsNotFinite, std::uint64_t{4});
        QCOMPARE(gone.grid.stats.pointsInRange, std::uint64_t{0});
        const cpu::VoxelUpdate back = cpu::updateVoxels(gone.grid, points, all, kParams, {});
        QVERIFY(areSame(back.grid.keys, grid.keys) && areSame(back.grid.means, grid.means));
        QVERIFY(back.grid.stats == grid.stats);
        const cpu::VoxelUpdate same = cpu::updateVoxels(grid, points, {}, kParams, {});
        QVERIFY(areSame(same.grid.keys, grid.keys) && areSame(same.grid.pointVoxel, grid.pointVoxel));
    }
    void limitsAreRefused() {
        const std::vector<Vec3f> points{{1, 1, 1}};
        VoxelizeParams limited = kParams;
        limited.maxVoxels = 1;
        QVERIFY_EXCEPTION_THROWN(cpu::updateVoxels(voxelsOf(points), points, {}, limited, {}), Fault);
        QVERIFY_EXCEPTION_THROWN(cpu::updateVoxels(voxelsOf({}), points, {}, kParams, {}), Fault);
    }
};

SCANLOUPE_TEST(TestUpdateVoxels)
#include "test_update_voxels.moc"
