// Distances between scans on both backends, compared with closed forms and with a loop over all points.
#include "kernels/change/cloud_distance.h"
#include "kernels/change/point_search.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/coinciding_points.h"
#include "kernels/mesh/operators.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Points = std::vector<Vec3f>;

CloudDistanceParams paramsOf(LocalModel model, int neighbours = 16, float largest = kAnyDistance) {
    return {model, neighbours, largest};
}

/// Distances on one backend; input and result are on the host. @param normals empty: none
SignedDistances distancesOn(const QString& backend, const Points& points, const Points& reference,
                            const CloudDistanceParams& params, const Points& normals = {}) {
    const Bvh tree = cpu::buildPointBvh(reference, {});
    if (backend == "cpu")
        return cpu::cloudDistances(
            points, {{tree.view(), reference.data()}, normals.empty() ? nullptr : normals.data()}, params,
            {});
    const Stream stream;
    const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
    const auto uploaded = [&](const Points& some) { return there(hostCopy(std::span<const Vec3f>(some))); };
    const Buffer<Vec3f> at = uploaded(points), of = uploaded(reference), facing = uploaded(normals);
    const Bvh treeThere{there(tree.boxes), there(tree.order), tree.shape};
    return cuda::cloudDistances(
        at, {{treeThere.view(), of.data()}, normals.empty() ? nullptr : facing.data()}, params, {}, stream);
}

Points randomPoints(std::mt19937_64& random, std::size_t count, float half) {
    std::uniform_real_distribution<float> at(-half, half);
    Points points(count);
    for (Vec3f& p : points)
        p = {at(random), at(random), at(random)};
    return points;
}

/// Points z = height(x, y) over the square of edge 2.
template <class Height>
Points heightField(std::mt19937_64& random, std::size_t count, Height&& height) {
    std::uniform_real_distribution<double> along(-1, 1);
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = along(random), y = along(random);
        points.push_back(Vec3d{x, y, height(x, y)}.as<float>());
    }
    return points;
}

} // namespace

class TestCloudDistance : public QObject {
    Q_OBJECT
private slots:
    /// Removing surplus coincident points from a tree does not change search results.
    void pointsThatCoincideAreLeftOut() {
        auto random = seededRandom("pointsThatCoincideAreLeftOut");
        constexpr std::size_t many = 20'000;
        constexpr int wanted = 16;
        Points points = randomPoints(random, 5'000, 1);
        const Vec3f first = points[100], second{0.0f, 0.5f, 0.25f};
        for (std::size_t i = 0; i < many; ++i) {
            points.push_back(first);
            points.push_back({i % 2 ? -0.0f : 0.0f, second.y, second.z});
        }
        std::ranges::shuffle(points, random);
        points[1] = {kNan, 0, 0};
        Points left = points;
        QVERIFY(isCrowded(cpu::buildPointBvh(points, {}), {}));
        QVERIFY(!isCrowded(cpu::buildPointBvh(randomPoints(random, 50'000, 1), {}), {}));
        const auto removed = leaveOutCoinciding(left, wanted, {});
        QVERIFY(removed >= 2 * (many - wanted) && removed <= 2 * (many - wanted) + 1);
        const Bvh whole = cpu::buildPointBvh(points, {}), small = cpu::buildPointBvh(left, {});
        Points places = randomPoints(random, 50, 1);
        places.insert(places.end(), {first, second, first + Vec3f{0.01f, 0, 0}});
        for (const Vec3f place : places)
            for (const int count : {1, 3, wanted}) {
                const Neighbours a = nearestPoints({whole.view(), points.data()}, place, count),
                                 b = nearestPoints({small.view(), left.data()}, place, count);
                QCOMPARE(b.count, a.count);
                for (int k = 0; k < a.count; ++k)
                    QVERIFY(b.items[k].item == a.items[k].item &&
                            b.items[k].squaredDistance == a.items[k].squaredDistance);
            }
        QVERIFY(lookedAt(whole, points, first, wanted) >= many); // which is why
        for (const Vec3f place : {first, second})
            QVERIFY(lookedAt(small, left, place, wanted) < 1000);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(leaveOutCoinciding(left, wanted, stop.get_token()), Cancelled);
    }

    ON_CPU_AND_CUDA(nearestAgainstAllPoints)
    ON_CPU_AND_CUDA(planesAreExact)
    ON_CPU_AND_CUDA(quadricsAreExact)
    ON_CPU_AND_CUDA(spheresGetCloserByTheModel)
    ON_CPU_AND_CUDA(whatHasNoDistance)
    ON_CPU_AND_CUDA(oddInput)
    ON_CPU_AND_CUDA(noSurfaceThroughLinesAndSinglePoints)

    void neighboursAgainstAllPoints() {
        auto random = seededRandom("neighboursAgainstAllPoints");
        Points points = randomPoints(random, 3000, 1);
        for (int i = 0; i < 200; ++i) // adds duplicates, which are as near as the originals
            points.push_back(points[std::size_t(i)]);
        const Bvh tree = cpu::buildPointBvh(points, {});
        const cpu::PointSearch search({tree.view(), points.data()}, {});
        for (const Vec3f place : randomPoints(random, 200, 1.5f)) {
            std::vector<std::pair<double, std::uint32_t>> all;
            for (std::uint32_t i = 0; i < points.size(); ++i)
                all.emplace_back(squaredNorm(points[i].as<double>() - place.as<double>()), i);
            std::ranges::sort(all);
            for (const int wanted : {1, 7, kMaxNeighbours})
                for (const Neighbours& near : {nearestPoints({tree.view(), points.data()}, place, wanted),
                                               search.neighbours(place, wanted)}) {
                    QCOMPARE(near.count, wanted);
                    for (int i = 0; i < wanted; ++i) {
                        QCOMPARE(near.items[i].item, all[std::size_t(i)].second);
                        QCOMPARE(near.items[i].squaredDistance, all[std::size_t(i)].first);
                    }
                }
            for (const float hint : {0.0f, 0.5f, 1e9f}) { // a point that is known, within a limit
                const auto known = std::uint32_t(hint * float(points.size()));
                std::vector<std::uint32_t> hints(1, known < points.size() ? known : kNoItem);
                const auto found =
                    cpu::nearestPointsOf({&place, 1}, {tree.view(), points.data()}, search, 0.2f, hints, {});
                QCOMPARE(found[0], all[0].first <= double(0.2f) * double(0.2f) ? all[0].second : kNoItem);
            }
        }
        const Points few{{0, 0, 0}, {1, 0, 0}};
        const Bvh small = cpu::buildPointBvh(few, {});
        QCOMPARE(nearestPoints({small.view(), few.data()}, {0.2f, 0, 0}, 5).count, 2);
    }

    void bothBackendsGiveTheSameBytes() {
        if (const std::string why = whyNot("cuda"); !why.empty())
            QSKIP(why.c_str());
        auto random = seededRandom("bothBackendsGiveTheSameBytes");
        Points reference =
            heightField(random, 50'000, [](double x, double y) { return std::sin(3 * x) * y; });
        Points points = randomPoints(random, 60'000, 1.2f), normals(reference.size(), Vec3f{0, 0, 1});
        points[17] = {kNan, 0, 0};
        points[18] = {kCutAway, kCutAway, kCutAway};
        points[19] = {2e19f, -4e19f, 1e25f};
        std::ranges::fill_n(normals.begin() + 1000, 500, Vec3f{});
        reference.insert(reference.end(), reference.begin(), reference.begin() + 100);
        normals.resize(reference.size(), {0, 0, -1});
        for (const LocalModel model : {LocalModel::none, LocalModel::plane, LocalModel::quadric})
            for (const float largest : {kAnyDistance, 0.3f})
                for (const Points& facing : {Points{}, normals}) {
                    const auto params = paramsOf(model, 12, largest);
                    const auto one = distancesOn("cpu", points, reference, params, facing),
                               other = distancesOn("cuda", points, reference, params, facing);
                    QVERIFY(sameBytes(one.values, other.values));
                    QVERIFY(sameBytes(one.features, other.features));
                }
        const Bvh tree = cpu::buildPointBvh(reference, {});
        const Stream stream;
        const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
        const Buffer<Vec3f> at = there(hostCopy(std::span<const Vec3f>(points))),
                            of = there(hostCopy(std::span<const Vec3f>(reference)));
        const Bvh treeThere{there(tree.boxes), there(tree.order), tree.shape};
        const cpu::PointSearch search({tree.view(), reference.data()}, {});
        QVERIFY(sameBytes(cpu::nearestPointsOf(points, {tree.view(), reference.data()}, search, 0.3f, {}, {}),
                          cuda::nearestPointsOf(at, {treeThere.view(), of.data()}, 0.3f, {}, stream)
                              .copyTo(MemorySpace::host, stream)));
    }

    void modelsWantSoManyNeighbours() {
        const Points points{{0, 0, 0}};
        for (const auto& params : {paramsOf(LocalModel::plane, 2), paramsOf(LocalModel::quadric, 5),
                                   paramsOf(LocalModel::plane, kMaxNeighbours + 1)})
            QVERIFY_THROWS_EXCEPTION(KernelError, distancesOn("cpu", points, points, params));
    }

private:
    void nearestAgainstAllPointsOn(const QString& backend) {
        auto random = seededRandom("nearestAgainstAllPoints");
        const Points reference = randomPoints(random, 4000, 1), points = randomPoints(random, 2000, 2);
        const auto found = distancesOn(backend, points, reference, paramsOf(LocalModel::none));
        for (std::size_t i = 0; i < points.size(); ++i) {
            double least = HUGE_VAL;
            for (const Vec3f r : reference)
                least = std::min(least, squaredNorm(r.as<double>() - points[i].as<double>()));
            QCOMPARE(found.values[i], float(std::sqrt(least)));
            QCOMPARE(found.features[i], std::uint8_t(MeshFeature::vertexA));
        }
    }

    void planesAreExactOn(const QString& backend) {
        auto random = seededRandom("planesAreExact");
        const double slope = 0.7, upright = 1 / std::sqrt(1 + slope * slope);
        const Points reference = heightField(random, 5000, [&](double x, double) { return slope * x; });
        std::uniform_real_distribution<float> at(-0.8f, 0.8f);
        Points points;
        for (int i = 0; i < 5000; ++i)
            points.push_back({at(random), at(random), slope > 0 ? at(random) : 0});
        for (const float side : {1.0f, -1.0f, 0.0f}) { // normals up, down, or unknown
            const Points normals(side == 0 ? 0 : reference.size(), Vec3f{0, 0, side});
            for (const LocalModel model : {LocalModel::plane, LocalModel::quadric}) {
                const auto found = distancesOn(backend, points, reference, paramsOf(model), normals);
                int measured = 0;
                for (std::size_t i = 0; i < points.size(); ++i) {
                    const Vec3d p = points[i].as<double>();
                    const double truth = (p.z - slope * p.x) * upright;
                    const double expected = side == 0 ? std::abs(truth) : truth * double(side);
                    if (found.features[i] == std::uint8_t(MeshFeature::face)) {
                        ++measured;
                        QVERIFY2(std::abs(double(found.values[i]) - expected) < 2e-6,
                                 qPrintable(QStringLiteral("%1 for %2").arg(found.values[i]).arg(expected)));
                    } else { // the nearest point is never nearer than the plane
                        QCOMPARE(found.features[i], std::uint8_t(MeshFeature::vertexA) | kAtBorder);
                        QVERIFY(std::abs(double(found.values[i])) > std::abs(truth) - 1e-6);
                    }
                }
                QVERIFY(measured > 4000);
            }
        }
    }

    void quadricsAreExactOn(const QString& backend) {
        auto random = seededRandom("quadricsAreExact");
        const auto height = [](double x, double y) { return 0.3 * x * x + 0.2 * x * y - 0.4 * y * y; };
        const Points reference = heightField(random, 20'000, height);
        Points points;
        std::vector<double> truths;
        std::uniform_real_distribution<double> along(-0.7, 0.7), off(-0.3, 0.3);
        for (int i = 0; i < 3000; ++i) {
            const double x = along(random), y = along(random), distance = off(random);
            const Vec3d normal = normalized(Vec3d{-0.6 * x - 0.2 * y, -0.2 * x + 0.8 * y, 1});
            points.push_back((Vec3d{x, y, height(x, y)} + normal * distance).as<float>());
            truths.push_back(distance);
        }
        const Points normals(reference.size(), Vec3f{0, 0, 1});
        const auto found =
            distancesOn(backend, points, reference, paramsOf(LocalModel::quadric, 20), normals);
        int measured = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (found.features[i] != std::uint8_t(MeshFeature::face))
                continue;
            ++measured;
            QVERIFY2(std::abs(double(found.values[i]) - truths[i]) < 1e-5,
                     qPrintable(QStringLiteral("%1 for %2").arg(found.values[i]).arg(truths[i])));
        }
        QVERIFY(measured > 2900);
    }

    void spheresGetCloserByTheModelOn(const QString& backend) {
        auto random = seededRandom("spheresGetCloserByTheModel");
        std::normal_distribution<double> any;
        const auto onSphere = [&](double radius) {
            return (normalized(Vec3d{any(random), any(random), any(random)}) * radius).as<float>();
        };
        Points reference, points;
        for (int i = 0; i < 5000; ++i)
            reference.push_back(onSphere(1));
        for (int i = 0; i < 5000; ++i)
            points.push_back(onSphere(1.02));
        std::vector<double> errors;
        for (const LocalModel model : {LocalModel::none, LocalModel::plane, LocalModel::quadric}) {
            const auto found = distancesOn(backend, points, reference, paramsOf(model), reference);
            double sum = 0;
            for (const float d : found.values.span()) {
                QVERIFY(d > 0); // normals point outwards
                sum += std::abs(double(d) - 0.02);
            }
            errors.push_back(sum / double(points.size()));
        }
        QVERIFY2(errors[0] > 0.004 && errors[1] < 0.004 && errors[2] < 2e-4,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(errors[0]).arg(errors[1]).arg(errors[2])));
    }

    void whatHasNoDistanceOn(const QString& backend) {
        const Points reference{{0, 0, 0}, {kNan, 0, 0}, {1, 0, 0}},
            points{{kNan, 0, 0}, {kCutAway, kCutAway, kCutAway}, {0, 0.5f, 0}, {0, 3, 0}};
        const auto found = distancesOn(backend, points, reference, paramsOf(LocalModel::none, 16, 1));
        for (const std::size_t i : {0, 1, 3}) {
            QVERIFY(std::isnan(found.values[i]));
            QCOMPARE(found.features[i], std::uint8_t(MeshFeature::none));
        }
        QCOMPARE(found.values[2], 0.5f);
        const auto nothing = distancesOn(backend, points, {}, paramsOf(LocalModel::plane));
        for (const float d : nothing.values.span())
            QVERIFY(std::isnan(d));
        QCOMPARE(distancesOn(backend, {}, reference, paramsOf(LocalModel::plane)).values.size(), 0u);
    }

    /// Points whose squared coordinates overflow; a reference that lacks normals for some points.
    void oddInputOn(const QString& backend) {
        const Points reference{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.5f, 0.5f, 0}},
            normals{{}, {0, 0, 1}, {}, {0, 0, 1}, {}};
        for (const LocalModel model : {LocalModel::none, LocalModel::plane}) {
            const auto found = distancesOn(backend, {{0.1f, 0.1f, -0.2f}, {0.9f, 0.1f, -0.2f}}, reference,
                                           paramsOf(model, 5), normals);
            // the side of the first point is undetermined
            QVERIFY(found.values[0] > 0 && found.values[1] < 0);
        }
        const auto far = distancesOn(backend, {{2e19f, 0, 0}, {0, -3e20f, 1e30f}, {1e-30f, 0, 0}}, reference,
                                     paramsOf(LocalModel::none), normals);
        QVERIFY(far.values[0] > 1e19f && far.values[2] < 1e-29f);
    }

    /// The number of points that a nearest-neighbour search visits.
    static std::size_t lookedAt(const Bvh& tree, const Points& points, Vec3f place, int wanted) {
        std::size_t count = 0;
        Neighbours found;
        forItemsNear(
            tree.view(), place, [&] { return found.squaredLimit(wanted); },
            [&](std::uint32_t item) {
                ++count;
                found.add({item, squaredNorm(points[item].as<double>() - place.as<double>())}, wanted);
            });
        return count;
    }

    void noSurfaceThroughLinesAndSinglePointsOn(const QString& backend) {
        Points line, same(50, Vec3f{1, 2, 3});
        for (int i = 0; i < 50; ++i)
            line.push_back({float(i), 0, 0});
        for (const LocalModel model : {LocalModel::plane, LocalModel::quadric}) {
            const auto toLine = distancesOn(backend, {{10, 2, 0}}, line, paramsOf(model));
            QCOMPARE(toLine.values[0], 2.0f);
            QCOMPARE(toLine.features[0], std::uint8_t(MeshFeature::vertexA) | kAtBorder);
            QCOMPARE(distancesOn(backend, {{1, 2, 5}}, same, paramsOf(model)).values[0], 2.0f);
            QCOMPARE(distancesOn(backend, {{1, 2, 5}}, {{1, 2, 3}}, paramsOf(model)).values[0], 2.0f);
        }
    }
};

SCANLOUPE_TEST(TestCloudDistance)
#include "test_cloud_distance.moc"
