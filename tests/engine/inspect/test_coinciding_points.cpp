// Scans with many coinciding points: searches take no longer than in other scans.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/fit/fit.h"
#include "engine/inspect/reference.h"
#include "engine/inspect/scan_change.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "kernels/mesh/operators.h"
#include "tests/support/pipeline_run.h"
#include "tests/support/test_support.h"
#include "tests/support/time_limits.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

using Points = std::vector<Vec3f>;

/// Largest allowed ratio between the times for coinciding and for distinct points; a quadratic algorithm has
/// a ratio above six.
constexpr double kMaxRatio = 3;

/// A wavy ground of 10 x 10 m.
Points ground(std::mt19937_64& random, std::size_t count) {
    std::uniform_real_distribution<float> along(0, 10);
    std::normal_distribution<float> off(0, 0.01f);
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = along(random), y = along(random);
        points.push_back({x, y, 0.3f * std::sin(x) + 0.2f * std::cos(1.3f * y) + off(random)});
    }
    return points;
}

/// `count` times the same point.
Points pile(Vec3f at, std::size_t count) {
    return Points(count, at);
}

Points joined(Points points, const Points& others) {
    points.insert(points.end(), others.begin(), others.end());
    return points;
}

std::shared_ptr<const PointCloud> sharedCloud(const Points& points) {
    auto xyz = Buffer<Vec3d>::host(points.size());
    std::ranges::transform(points, xyz.data(), [](Vec3f p) { return p.as<double>(); });
    return std::make_shared<const PointCloud>(DoublePositions{std::move(xyz)}, std::vector<Attribute>(),
                                              std::stop_token{});
}

Reference referenceOf(const Points& points) {
    ReferenceScan shape;
    shape.points = hostCopy(std::span<const Vec3f>(points));
    shape.tree = cpu::buildPointBvh(points, {});
    Reference reference;
    reference.shape = std::move(shape);
    return reference;
}

/// Milliseconds of the faster of two runs.
template <class Work>
double timeOf(Work&& work) {
    double least = 1e30;
    for (int turn = 0; turn < 2; ++turn) {
        const WallTimer timer;
        work();
        least = std::min(least, timer.elapsedMs());
    }
    return least;
}

void compareTimes(double coinciding, double spread) {
    QVERIFY2(coinciding < kMaxRatio * (spread + 20), // 20 ms of slack, for example for starting threads
             qPrintable(QString("%1 ms, others %2 ms").arg(coinciding).arg(spread)));
}

ScanChangeOptions changeOptions() {
    ScanChangeOptions how;
    how.params.normalScale = 0.6;
    how.params.diameter = 0.4;
    how.params.depth = 1;
    how.cell = 0.5;
    return how;
}

} // namespace

class TestCoincidingPoints : public QObject {
    Q_OBJECT
private slots:
    /// The time to fit normals at coinciding points.
    void fits() {
        auto random = seededRandom("fits");
        constexpr std::size_t few = 4'000, many = 45'000;
        const Points known = ground(random, 20'000);
        const Reference reference = referenceOf(known);
        FitOptions options;
        options.method = FitMethod::generalized;
        const auto fit = [&](const Points& points) {
            return timeOf([&] { (void)fitToReference(points, reference, options, {}); });
        };
        const Points some = ground(random, few);
        const double spread = fit(joined(some, ground(random, many)));
        compareTimes(fit(joined(some, pile(known[7], many))), spread);
    }

    /// The time of distances to points that all coincide.
    void distancesOfTheSurface() {
        constexpr std::size_t many = 500'000;
        auto random = seededRandom("distancesOfTheSurface");
        std::uniform_real_distribution<float> along(0, 0.1f);
        Points cube;
        for (std::size_t i = 0; i < many; ++i)
            cube.push_back({along(random), along(random), along(random)});
        const auto distances = [&](Points points) {
            // an additional point, because a cloud within a single voxel is rejected
            points.push_back({-0.95f, -0.95f, -0.95f});
            std::shared_ptr<const Buffer<float>> found;
            const double took = timeOf([&] {
                Run run(sharedCloud(points));
                run.recipe.voxelSize = Vec3d{0.1, 0.1, 0.1};
                run.recipe.rangeMin = Vec3d{-1, -1, -1};
                run.recipe.rangeMax = Vec3d{1.1, 1.1, 1.1};
                run.recipe.field = FieldKind::density;
                run.recipe.radius = 0.7;
                run.recipe.iso = 100;
                run.recipe.colourBy = "point_distance";
                found = run(kNoPicture).vertexDistances;
            });
            return std::pair(took, found);
        };
        const auto [spread, others] = distances(cube);
        const auto [coinciding, found] = distances(pile({0.05f, 0.05f, 0.05f}, many));
        QVERIFY(found && others && found->size() > 300 && others->size() > 300);
        for (const float d : found->span())
            // the distance to the pile is found, although all but one of its points are left out
            QVERIFY(d > 0.3f && d < 0.8f);
        compareTimes(coinciding, spread);
    }

    /// Core points with normals: coinciding core points are compared once, and get the same change.
    void changes() {
        auto random = seededRandom("changes");
        constexpr std::size_t few = 5'000, many = 40'000;
        const Points some = ground(random, few);
        const auto both = [&](const Points& others) {
            const auto first = sharedCloud(joined(some, others)), second = sharedCloud(joined(some, others));
            ScanChange change;
            const double took = timeOf([&] { change = scanChange(*first, *second, changeOptions(), {}); });
            return std::pair(took, std::move(change));
        };
        Points high = ground(random, many); // the pile lies away from the other points
        for (Vec3f& p : high)
            p.z += 5;
        const double spread = both(high).first;
        const auto [coinciding, change] = both(pile({5, 5, 5}, many));
        QCOMPARE(change.changes.size(), few + many);
        for (std::size_t i = few; i < few + many; ++i) {
            QCOMPARE(change.changes[i].count1, std::uint32_t(many)); // all points of the pile are counted
            QCOMPARE(change.changes[i].distance, 0.0f);
        }
        for (std::size_t i = 0; i < few; ++i)
            QVERIFY(change.changes[i].count1 < 1000);
        compareTimes(coinciding, spread);
    }

    /// Distinct core points are compared with all points of a pile; a stop takes effect within the time
    /// limit.
    void changesStop() {
        constexpr std::size_t many = 1'000'000;
        auto random = seededRandom("changesStop");
        std::uniform_real_distribution<float> along(-0.05f, 0.05f);
        Points around;
        for (int i = 0; i < 20'000; ++i)
            around.push_back({along(random), along(random), along(random)});
        const auto cloud = sharedCloud(joined(around, pile({}, many)));
        std::stop_source stop;
        const WallTimer timer;
        double stoppedAt = 0;
        const std::jthread later([&] {
            // by then, the comparison of core points has begun
            std::this_thread::sleep_for(std::chrono::milliseconds(1500));
            stoppedAt = timer.elapsedMs();
            stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(
            scanChange(*cloud, *cloud, changeOptions(), {std::nullopt, stop.get_token()}), Cancelled);
        const double took = timer.elapsedMs() - stoppedAt;
        QVERIFY2(took < kStopMs, qPrintable(QString("%1 ms").arg(took)));
    }
};

SCANLOUPE_TEST(TestCoincidingPoints)
#include "test_coinciding_points.moc"
