// Changes between two scans on both backends, compared with closed forms and with a loop over all points.
#include "kernels/change/m3c2.h"
#include "kernels/change/m3c2_element.h"
#include "kernels/mesh/operators.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <limits>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A rough plane z = slope x + offset over the unit square, with noise along z.
std::vector<Vec3f> plane(std::mt19937_64& random, std::size_t count, double slope, double offset,
                         double noise) {
    std::uniform_real_distribution<double> along(0, 1);
    std::normal_distribution<double> off(0, noise);
    std::vector<Vec3f> points;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = along(random), y = along(random);
        points.push_back(Vec3d{x, y, slope * x + offset + off(random)}.as<float>());
    }
    return points;
}

Buffer<M3c2Change> changesOn(bool onDevice, const std::vector<Vec3f>& places, const std::vector<Vec3f>& one,
                             const std::vector<Vec3f>& other, const M3c2Params& params) {
    const Bvh first = cpu::buildPointBvh(one, {}), second = cpu::buildPointBvh(other, {});
    if (!onDevice)
        return m3c2(hostCopy(std::span<const Vec3f>(places)), {first.view(), one.data()},
                    {second.view(), other.data()}, params, {});
    const Stream stream;
    const auto there = [&](const auto& buffer) { return buffer.copyTo(MemorySpace::device, stream); };
    const auto points = [&](const std::vector<Vec3f>& some) {
        return there(hostCopy(std::span<const Vec3f>(some)));
    };
    const Buffer<Vec3f> at = points(places), a = points(one), b = points(other);
    const Bvh firstThere{there(first.boxes), there(first.order), first.shape},
        secondThere{there(second.boxes), there(second.order), second.shape};
    return m3c2(at, {firstThere.view(), a.data()}, {secondThere.view(), b.data()}, params, {stream, {}})
        .copyTo(MemorySpace::host, stream);
}

M3c2Params paramsOf(double normalScale, double diameter, double depth, double registration = 0) {
    M3c2Params params;
    params.normalScale = normalScale;
    params.diameter = diameter;
    params.depth = depth;
    params.registrationError = registration;
    return params;
}

} // namespace

class TestM3c2 : public QObject {
    Q_OBJECT
private slots:
    void planesThatMoved() {
        auto random = seededRandom("planesThatMoved");
        for (const double slope : {0.0, 0.5, 3.0}) {
            const double upright = 1 / std::sqrt(1 + slope * slope), noise = 0.002;
            const auto one = plane(random, 40'000, slope, 0, noise),
                       other = plane(random, 60'000, slope, 0.03, noise);
            std::vector<Vec3f> places;
            for (const Vec3f p : one)
                if (p.x > 0.2f && p.x < 0.8f && p.y > 0.2f && p.y < 0.8f && places.size() < 500)
                    places.push_back(p);
            const double registration = 0.001;
            const auto found = changesOn(false, places, one, other, paramsOf(0.2, 0.1, 0.2, registration));
            int within = 0;
            double sum = 0;
            for (const M3c2Change& change : found.span()) {
                QVERIFY(change.count1 > 20 && change.count2 > 20);
                sum += double(change.distance);
                // within the interval of the random part alone
                within += std::abs(double(change.distance) - 0.03 * upright) <=
                          double(change.detection) - 1.96 * registration;
                QVERIFY(std::abs(double(change.spread1) - noise * upright) < 0.5 * noise);
                QVERIFY(change.distance > change.detection); // the move is significant
            }
            QVERIFY(std::abs(sum / double(places.size()) - 0.03 * upright) < 1e-4);
            const double share = double(within) / double(places.size());
            // 95 %, reduced by the error of normals
            QVERIFY2(share > 0.85, qPrintable(QString::number(share)));
        }
    }

    /// 5 % of the distances of unchanged ground are significant, also with few points.
    void unchangedGroundIsSignificantByChance_data() {
        QTest::addColumn<int>("points"); // mean number of points in a cylinder
        for (const int points : {4, 8, 40})
            QTest::newRow(QByteArray::number(points)) << points;
    }
    void unchangedGroundIsSignificantByChance() {
        QFETCH(int, points);
        auto random = seededRandom("unchangedGroundIsSignificantByChance");
        constexpr double diameter = 0.04;
        const auto count = std::size_t(points / (std::numbers::pi * diameter * diameter / 4));
        std::size_t judged = 0, significant = 0;
        for (int round = 0; round < 4; ++round) {
            const auto one = plane(random, count, 0, 0, 0.001), other = plane(random, count, 0, 0, 0.001);
            std::vector<Vec3f> places; // the cylinders of these places do not overlap
            for (double x = 0.1; x < 0.9; x += diameter)
                for (double y = 0.1; y < 0.9; y += diameter)
                    places.push_back(Vec3d{x, y, 0}.as<float>());
            // normals from many points
            const auto changes = changesOn(false, places, one, other, paramsOf(0.3, diameter, 0.02));
            for (const M3c2Change& change : changes.span())
                if (!std::isnan(change.detection)) {
                    ++judged;
                    significant += std::abs(change.distance) > change.detection;
                }
        }
        QVERIFY(judged > 1200);
        const double share = double(significant) / double(judged);
        QVERIFY2(share > 0.035 && share < 0.065, qPrintable(QString::number(share)));
    }

    void everyPointWasTried() {
        auto random = seededRandom("everyPointWasTried");
        const auto one = randomPoints(random, 3000, 1), other = randomPoints(random, 2000, 1);
        const auto places = randomPoints(random, 50, 1);
        const M3c2Params params = paramsOf(0.8, 0.5, 0.6, 0.01);
        const auto found = changesOn(false, places, one, other, params);
        const Bvh tree = cpu::buildPointBvh(one, {});
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Vec3d normal = normalAround({tree.view(), one.data()}, places[i], 0.4, params.towards);
            const auto count = [&](const std::vector<Vec3f>& points, double& mean) {
                std::uint32_t in = 0;
                for (const Vec3f p : points) {
                    const Vec3d d = p.as<double>() - places[i].as<double>();
                    const double along = dot(d, normal);
                    if (std::abs(along) <= params.depth && norm(d - normal * along) <= params.diameter / 2) {
                        ++in;
                        mean += along;
                    }
                }
                mean /= in;
                return in;
            };
            double mean1 = 0, mean2 = 0;
            QCOMPARE(found[i].count1, count(one, mean1));
            QCOMPARE(found[i].count2, count(other, mean2));
            if (found[i].count1 > 0 && found[i].count2 > 0)
                QVERIFY(std::abs(double(found[i].distance) - (mean2 - mean1)) < 1e-6);
        }
    }

    void emptyPlacesHaveNoChange() {
        auto random = seededRandom("emptyPlacesHaveNoChange");
        const auto one = plane(random, 5000, 0, 0, 0.001);
        const std::vector<Vec3f> places{
            {5, 5, 5}, {0.5f, 0.5f, 0}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}};
        const auto none = changesOn(false, places, one, {}, paramsOf(0.2, 0.1, 0.2));
        for (const M3c2Change& change : none.span()) {
            QVERIFY(std::isnan(change.distance) && std::isnan(change.detection));
            QCOMPARE(change.count2, 0u);
        }
        QVERIFY(none[1].count1 > 0);
        QVERIFY_EXCEPTION_THROWN(changesOn(false, places, one, one, paramsOf(0, 0.1, 0.2)), KernelError);
        QVERIFY_EXCEPTION_THROWN(changesOn(false, places, one, one, paramsOf(0.2, -1, 0.2)), KernelError);
    }

    void bothBackendsGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        auto random = seededRandom("bothBackendsGiveTheSameBytes");
        const auto one = plane(random, 100'000, 0.4, 0, 0.002),
                   other = plane(random, 90'000, 0.41, 0.01, 0.003);
        auto places = randomPoints(random, 3000, 1);
        places.insert(places.end(), one.begin(), one.begin() + 20'000);
        const M3c2Params params = paramsOf(0.05, 0.04, 0.1, 0.002);
        const auto a = changesOn(false, places, one, other, params),
                   b = changesOn(true, places, one, other, params);
        QVERIFY(sameBytes(a, b));
    }
};

SCANLOUPE_TEST(TestM3c2)
#include "test_m3c2.moc"
