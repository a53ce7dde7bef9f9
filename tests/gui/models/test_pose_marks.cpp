// Marks of ambiguous poses: arrows, arcs, points at alternative poses, and their texts.
#include "engine/results/kernel_points.h"
#include "gui/marks/pose_marks.h"
#include "gui/text/pose_verdict_text.h"
#include "tests/support/test_support.h"

#include <QLocale>
#include <QTest>
#include <cmath>
#include <numbers>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

constexpr double kHalfTurn = std::numbers::pi;
/// points around (1, 2, 0)
const std::vector<Vec3d> kPosePoints{{0, 2, 0}, {2, 2, 0}, {1, 1, -1}, {1, 3, 1}};

ScanAlignment alignmentFor(PoseReason reason) {
    ScanAlignment alignment;
    alignment.pose = fromRollPitchYaw({0, 0, kHalfTurn / 2}, {10, 0, 0});
    alignment.hasPose = true;
    alignment.verdict = {PoseWord::doubtful, 0.1, reason};
    return alignment;
}

PoseRival rivalAt(const RigidTransform& motion, const ScanAlignment& alignment, double agreement) {
    PoseRival rival;
    rival.pose = motion * alignment.pose;
    rival.shift = motion.translation;
    rival.angle = rotationAngle(motion);
    rival.fit.agreement = agreement;
    return rival;
}

bool liesAt(Vec3d a, Vec3d b) {
    return norm(a - b) < 1e-9;
}

} // namespace

class TestPoseMarks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void aSlideIsAnArrowThroughTheMiddle() {
        ScanAlignment alignment = alignmentFor(PoseReason::weakDirections);
        alignment.evidence.weak = {{.translation = {0, 0, 1}, .rotation = {}, .back = 10, .forth = 25}};
        const auto marks = poseMarks(alignment, kPosePoints, LengthUnit::metre);
        QCOMPARE(marks.size(), std::size_t(1));
        QVERIFY(marks[0].arrows && !marks[0].points);
        QVERIFY(liesAt(marks[0].textAt, {8, 1, 0})); // (1, 2, 0) at the pose
        QCOMPARE(marks[0].lines.size(), std::size_t(1));
        QVERIFY(liesAt(marks[0].lines[0].front(), {8, 1, -10}) &&
                liesAt(marks[0].lines[0].back(), {8, 1, 25}));
        QCOMPARE(marks[0].text, QStringLiteral("may slide by 35.00 m or more"));
        alignment.evidence.weak[0].isBounded = true;
        QCOMPARE(poseMarks(alignment, kPosePoints, LengthUnit::foot)[0].text,
                 QStringLiteral("may slide by 35.00 ft"));
    }

    void aTurnIsAnArc_data() {
        QTest::addColumn<double>("length");
        QTest::addColumn<bool>("isBounded");
        QTest::addColumn<QString>("text");
        QTest::newRow("some degrees") << 2 * kHalfTurn / 9 * 5 << true << "may turn by 40°";
        QTest::newRow("a half turn") << kHalfTurn * 5 << false << "may turn by 180° or more";
        QTest::newRow("any angle") << 100.0 << false << "may turn by any angle";
    }
    void aTurnIsAnArc() {
        QFETCH(double, length);
        QFETCH(bool, isBounded);
        QFETCH(QString, text);
        ScanAlignment alignment = alignmentFor(PoseReason::weakDirections);
        alignment.evidence.weak = {{.translation = {}, // walls 5 m around the centre
                                    .rotation = {0, 0, 0.2},
                                    .back = length / 4,
                                    .forth = length * 3 / 4,
                                    .isBounded = isBounded}};
        const auto marks = poseMarks(alignment, kPosePoints, LengthUnit::metre);
        QCOMPARE(marks.size(), std::size_t(1));
        QCOMPARE(marks[0].text, text);
        const std::vector<Vec3d>& arc = marks[0].lines[0];
        double drawn = 0;
        for (std::size_t i = 0; i < arc.size(); ++i) {
            QVERIFY(std::abs(norm(arc[i] - Vec3d{8, 1, 0}) - 5) < 1e-9 && std::abs(arc[i].z) < 1e-9);
            drawn += i > 0 ? norm(arc[i] - arc[i - 1]) : 0;
        }
        QVERIFY(std::abs(drawn / std::min(length, 2 * kHalfTurn * 5) - 1) < 0.01);
    }

    void alternativesAreCopiesOfThePoints() {
        ScanAlignment alignment = alignmentFor(PoseReason::rival);
        alignment.evidence.agreement = 0.99;
        RigidTransform shift;
        shift.translation = {-4, 0.1, 0};
        alignment.evidence.rivals = {
            rivalAt(shift, alignment, 0.98),
            rivalAt(fromRollPitchYaw({0, 0, kHalfTurn}, {1, 1, 0}), alignment, 0.97),
            rivalAt(fromRollPitchYaw({}, {3, 4, 0}), alignment, 0.97),
            // an alternative that fits clearly worse
            rivalAt(fromRollPitchYaw({}, {8, 0, 0}), alignment, 0.9),
        };
        const auto marks = poseMarks(alignment, kPosePoints, LengthUnit::metre);
        QCOMPARE(marks.size(), std::size_t(3));
        QCOMPARE(marks[0].text, QStringLiteral("also fits 4.00 m along −x"));
        QCOMPARE(marks[1].text, QStringLiteral("also fits turned by 180°, 1.41 m away"));
        QCOMPARE(marks[2].text, QStringLiteral("also fits 5.00 m away"));
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const RigidTransform& pose = alignment.evidence.rivals[i].pose;
            QVERIFY(!marks[i].arrows && marks[i].points);
            QCOMPARE(marks[i].points->size(), kPosePoints.size());
            for (std::size_t p = 0; p < kPosePoints.size(); ++p)
                QVERIFY(liesAt((*marks[i].points)[p], pose(kPosePoints[p])));
            QVERIFY(liesAt(marks[i].markers.front(), pose({1, 2, 0})));
            QVERIFY(liesAt(marks[i].dashedLines.front().front(), {8, 1, 0}));
            for (std::size_t other = 0; other < i; ++other)
                QVERIFY(marks[i].colour != marks[other].colour);
        }
    }

    void onlyAmbiguitiesOfTheVerdictAreMarked() {
        for (const PoseReason reason : {PoseReason::none, PoseReason::isReference, PoseReason::littleOverlap,
                                        PoseReason::notConverged, PoseReason::weakDirections}) {
            ScanAlignment alignment = alignmentFor(reason);
            alignment.evidence.rivals = {rivalAt({}, alignment, 1)};
            QVERIFY(poseMarks(alignment, kPosePoints, LengthUnit::metre).empty());
        }
        ScanAlignment alignment = alignmentFor(PoseReason::rival);
        alignment.evidence.rivals = {rivalAt({}, alignment, 1)};
        QCOMPARE(poseMarks(alignment, kPosePoints, LengthUnit::metre).size(), std::size_t(1));
        QVERIFY(poseMarks(alignment, {}, LengthUnit::metre).empty());
    }
};

SCANLOUPE_TEST(TestPoseMarks)
#include "test_pose_marks.moc"
