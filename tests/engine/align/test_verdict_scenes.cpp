// Verdicts on poses of generated sweeps of real sensor models: right where the place determines the pose;
// doubtful, with the alternatives, where it does not; never right for wrong poses.
#include "tests/support/sweep_pairs.h"
#include "tests/support/sweep_verdicts.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr std::uint32_t kFirstSeed = 1001, kManySeeds = 2101; // the model's ranges were chosen with other
                                                              // seeds

double offBy(double low, double high, std::mt19937& random) {
    return std::uniform_real_distribution<double>(low, high)(random) * (random() % 2 == 0 ? 1 : -1);
}

/// The true pose with errors like those of an alignment: up to 8 mm along each axis and a tenth of a degree.
RigidTransform aligned(const SweepPair& pair, std::mt19937& random) {
    return pair.truth *
           fromRollPitchYaw({0, 0, offBy(0, 0.002, random)},
                            {offBy(0, 0.008, random), offBy(0, 0.008, random), offBy(0, 0.008, random)});
}

RigidTransform shiftBy(double x, double y) {
    RigidTransform shift;
    shift.translation = {x, y, 0};
    return shift;
}

} // namespace

class TestVerdictScenes : public QObject {
    Q_OBJECT
private slots:
    void anEndlessCorridorIsDoubtfulAlongItsAxis() {
        const SweepPair pair = makeSweepPair(SweepScene::corridor, kFirstSeed);
        const SweepJudge judge(pair);
        const Vec3d axis = pair.first.rotateBack({1, 0, 0}); // the corridor's axis in the target's frame
        for (const double x : {0.0, 0.7, -1.1}) {
            const auto [evidence, verdict] = judge.judge(pair.moved(shiftBy(x, 0)));
            QCOMPARE(int(verdict.word), int(PoseWord::doubtful));
            QCOMPARE(int(verdict.reason), int(PoseReason::weakDirections));
            QCOMPARE(evidence.weak.size(), std::size_t(1));
            const WeakDirection& weak = evidence.weak.front();
            QVERIFY(std::abs(dot(normalized(weak.translation), axis)) > 0.99);
            QVERIFY2(weak.length() > 2, qPrintable(QString::number(weak.length())));
            QVERIFY(weak.held < 0.003);
        }
    }

    void racksNameThePosesThatFitAsWell() {
        const SweepPair pair = makeSweepPair(SweepScene::racks, kFirstSeed);
        const SweepJudge judge(pair);
        for (const double x : {0.0, 4.0}) {
            const auto [evidence, verdict] = judge.judge(pair.moved(shiftBy(x, 0)));
            QCOMPARE(int(verdict.word), int(PoseWord::doubtful));
            QCOMPARE(int(verdict.reason), int(PoseReason::rival));
            bool isNamed = false;
            for (const PoseRival& rival : evidence.rivals) {
                const Vec3d shift = pair.first.rotate(rival.shift);
                isNamed |=
                    std::abs(std::abs(shift.x) - 4) < 0.03 && std::abs(shift.y) < 0.03 && rival.angle < 0.01;
            }
            QVERIFY(isNamed);
        }
    }

    void aSymmetricRoomIsDoubtfulWhicheverWayItLies() {
        const SweepPair pair = makeSweepPair(SweepScene::symmetricRoom, kFirstSeed);
        const SweepJudge judge(pair);
        for (const double yaw : {0.0, std::numbers::pi}) {
            const auto [evidence, verdict] =
                judge.judge(judge.settled(pair.moved(fromRollPitchYaw({0, 0, yaw}, {}))));
            QCOMPARE(int(verdict.word), int(PoseWord::doubtful));
            QCOMPARE(int(verdict.reason), int(PoseReason::rival));
            QVERIFY(std::abs(evidence.rivals.front().angle - std::numbers::pi) < 0.02);
        }
    }

    void aPoseThatTheSurfacesLeaveIsWrong() {
        const SweepPair pair = makeSweepPair(SweepScene::street, kFirstSeed);
        const SweepJudge judge(pair);
        std::mt19937 random(1);
        QCOMPARE(int(judge.judge(aligned(pair, random)).verdict.word), int(PoseWord::right));
        const auto [evidence, verdict] = judge.judge(pair.moved(shiftBy(0.3, 0)));
        QCOMPARE(int(verdict.word), int(PoseWord::wrong));
        QVERIFY(std::abs(evidence.settleDistance - 0.3) < 0.05);
    }

    /// Flat ground fits under any motion along it. A few tilted surfels must not make such a pose right.
    void openGroundIsRightAtNoWrongPose_data() {
        QTest::addColumn<unsigned>("seed");
        for (const unsigned seed : {1101U, 1136U})
            QTest::addRow("%u", seed) << seed;
    }
    void openGroundIsRightAtNoWrongPose() {
        QFETCH(unsigned, seed);
        const SweepPair pair = makeSweepPair(SweepScene::field, seed);
        const SweepJudge judge(pair);
        for (int i = 0; i < 8; ++i) {
            const double way = i * std::numbers::pi / 4;
            const RigidTransform pose = pair.moved(shiftBy(std::cos(way), std::sin(way)));
            for (const RigidTransform& wrong : {pose, judge.settled(pose)}) {
                if (norm(wrong.translation - pair.truth.translation) < 0.15)
                    continue;
                const auto [evidence, verdict] = judge.judge(wrong);
                QVERIFY2(verdict.word != PoseWord::right, qPrintable(QString::number(i)));
            }
        }
    }

    void fewSeedsHold() {
        const SweepVerdicts found = judgeSweeps(kFirstSeed, 2);
        found.print();
        QVERIFY(found.hold());
    }

    void manySeedsHold_data() {
        QTest::addColumn<int>("first");
        for (int row = 0; row < 6; ++row)
            QTest::addRow("%d", row) << int(kManySeeds) + 10 * row;
    }
    void manySeedsHold() {
        SCANLOUPE_LONG_TEST();
        QFETCH(int, first);
        const SweepVerdicts found = judgeSweeps(std::uint32_t(first), 10);
        found.print();
        QVERIFY(found.hold());
    }
};

SCANLOUPE_TEST(TestVerdictScenes)
#include "test_verdict_scenes.moc"
