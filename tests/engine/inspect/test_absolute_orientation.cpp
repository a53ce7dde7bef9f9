// Motions that align picked pairs of points, compared with known motions.
#include "engine/cloud/error.h"
#include "engine/inspect/fit/absolute_orientation.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <numbers>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

std::vector<PickedPair> pairsOf(std::mt19937_64& random, std::size_t count, const RigidTransform& motion,
                                double scale, double noise) {
    std::uniform_real_distribution<double> at(-5, 5);
    std::normal_distribution<double> off(0, noise);
    std::vector<PickedPair> pairs;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3d p{at(random), at(random), at(random)};
        pairs.push_back({p, motion(p) * scale + Vec3d{off(random), off(random), off(random)}});
    }
    return pairs;
}

RigidTransform anyMotion(std::mt19937_64& random) {
    std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi), shift(-100, 100);
    return fromRollPitchYaw({turn(random), turn(random) / 2, turn(random)},
                            {shift(random), shift(random), shift(random)});
}

} // namespace

class TestAbsoluteOrientation : public QObject {
    Q_OBJECT
private slots:
    void knownMotionsAreFoundAgain() {
        auto random = seededRandom("knownMotionsAreFoundAgain");
        for (int round = 0; round < 200; ++round) {
            const RigidTransform motion = anyMotion(random);
            const double scale = round % 2 ? 0.001 * (1 + round) : 1;
            const auto pairs = pairsOf(random, 3 + std::size_t(round) % 5, motion, scale, 0);
            const Orientation found = absoluteOrientation(pairs, round % 2);
            QVERIFY(std::abs(found.scale / scale - 1) < 1e-9);
            QVERIFY(rotationAngle(found.motion * motion.inverse()) < 1e-6);
            QVERIFY(found.rms < 1e-9 * 100 && found.residuals.size() == pairs.size());
        }
    }

    void theResidualsAreThoseOfThePicks() {
        auto random = seededRandom("theResidualsAreThoseOfThePicks");
        auto pairs = pairsOf(random, 8, anyMotion(random), 1, 0.001);
        pairs[5].reference = pairs[5].reference + Vec3d{0, 0, 0.5}; // a pair with an error of 0.5 m
        const Orientation found = absoluteOrientation(pairs, false);
        const auto worst = std::ranges::max_element(found.residuals) - found.residuals.begin();
        QCOMPARE(int(worst), 5);
        double sum = 0;
        for (const double residual : found.residuals)
            sum += residual * residual;
        QCOMPARE(found.rms, std::sqrt(sum / 8));
    }

    /// Large map coordinates do not lose digits.
    void coordinatesOfAMap() {
        auto random = seededRandom("coordinatesOfAMap");
        RigidTransform motion = fromRollPitchYaw({0.1, 0.2, 0.3}, {});
        motion.translation = {455'000, 5'320'000, 420};
        const auto pairs = pairsOf(random, 4, motion, 1, 0);
        QVERIFY(absoluteOrientation(pairs, false).rms < 1e-8);
    }

    void mirroredPlacesAreTurnedNotMirrored() {
        const std::vector<PickedPair> pairs{
            {{1, 0, 0}, {-1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}};
        const Orientation found = absoluteOrientation(pairs, false);
        const auto& rows = found.motion.rows;
        QVERIFY(std::abs(dot(cross(rows[0], rows[1]), rows[2]) - 1) < 1e-12);
        QVERIFY(found.rms > 0.1);
    }

    void tooFewAndOnALine() {
        const std::vector<PickedPair> two{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}},
            line{{{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{3, 0, 0}, {3, 0, 0}}},
            same(4, PickedPair{{1, 2, 3}, {1, 2, 3}});
        for (const auto& pairs : {two, line, same})
            QVERIFY_EXCEPTION_THROWN(absoluteOrientation(pairs, false), EngineError);
        QVERIFY_EXCEPTION_THROWN(absoluteOrientation(std::vector<PickedPair>(3, {{NAN, 0, 0}, {}}), false),
                                 EngineError);
    }
};

SCANLOUPE_TEST(TestAbsoluteOrientation)
#include "test_absolute_orientation.moc"
