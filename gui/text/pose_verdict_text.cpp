// Describes the verdicts on alignments in words.
#include "gui/text/pose_verdict_text.h"

#include "gui/base/length_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>
#include <numbers>

namespace scanloupe::gui {

namespace {

constexpr double kAlongAxis = 0.99;                    // cosine of 8 degrees
constexpr double kTurned = 3 * std::numbers::pi / 180; // radians: smaller turns are not named
constexpr double kFullTurn = 2 * std::numbers::pi;

QString tr(const char* text) {
    return QCoreApplication::translate("PoseVerdictText", text);
}

QString percent(double share) {
    return tr("%1 %").arg(QLocale().toString(100 * share, 'f', 0));
}

QString degreesText(double radians) {
    return QLocale().toString(radians * 180 / std::numbers::pi, 'f', radians < 0.17 ? 1 : 0);
}

/// A short reason without numbers; empty without a reason.
QString reasonText(PoseReason reason) {
    switch (reason) {
    case PoseReason::littleOverlap:
        return tr("few of its surfaces overlap the others");
    case PoseReason::surfacesDiffer:
        return tr("surfaces lie apart, or their normals differ");
    case PoseReason::lowScore:
        return tr("its points score low");
    case PoseReason::seenThrough:
        return tr("points float where the other scan saw free space");
    case PoseReason::weakDirections:
        return tr("it may slide along a direction that hardly any surface constrains");
    case PoseReason::rival:
        return tr("another pose fits about as well");
    case PoseReason::unsettled:
        return tr("the surfaces fit better at another pose");
    default:
        return {};
    }
}

/// The strongest reason against the pose, as a clause; empty without one.
QString reasonText(const AlignedScan& scan, LengthUnit unit) {
    const PoseEvidence& e = scan.alignment.evidence;
    if (scan.alignment.alignedPoints == 0) // poses from a project have no evidence to describe
        if (const QString text = reasonText(scan.alignment.verdict.reason); !text.isEmpty())
            return text;
    switch (scan.alignment.verdict.reason) {
    case PoseReason::none:
        return {};
    case PoseReason::isReference:
        return tr("the others are aligned to it");
    case PoseReason::isGiven:
        return tr("it was read from a file");
    case PoseReason::noPose:
        return QString::fromStdString(scan.problem);
    case PoseReason::notConverged:
        return tr("it did not converge within the maximum number of iterations");
    case PoseReason::littleOverlap:
        return tr("%1 of its surfaces overlap the others").arg(percent(e.overlap));
    case PoseReason::surfacesDiffer:
        return tr("%1 of the surfaces agree, %2 apart")
            .arg(percent(e.agreement), lengthText(e.distance, unit));
    case PoseReason::lowScore:
        return reasonText(PoseReason::lowScore);
    case PoseReason::seenThrough:
        return tr("%1 of the points float where the other scan saw free space").arg(percent(e.seenThrough));
    case PoseReason::weakDirections:
        if (e.weak.empty())
            return reasonText(PoseReason::weakDirections);
        return (e.weak.front().isBounded
                    ? tr("it may slide along a direction that hardly any surface constrains, by %1")
                    : tr("it may slide along a direction that hardly any surface constrains, by %1 or more"))
            .arg(lengthText(e.weak.front().length(), unit));
    case PoseReason::rival:
        if (e.rivals.empty())
            return reasonText(PoseReason::rival);
        return tr("another pose, %1 and %2° away, fits as well")
            .arg(lengthText(e.rivals.front().distance(), unit), degreesText(e.rivals.front().angle));
    case PoseReason::unsettled:
        return tr("the surfaces fit better %1 and %2° away")
            .arg(lengthText(e.settleDistance, unit), degreesText(e.settleAngle));
    }
    return {};
}

/// The next step, as a sentence; empty if nothing needs to be done.
QString stepText(const AlignedScan& scan) {
    const ScanAlignment& a = scan.alignment;
    const QString moreSteps = a.hasPose && !a.evidence.converged ? tr("Raise Max. iterations. ") : QString();
    switch (a.verdict.reason) {
    case PoseReason::none:
    case PoseReason::isReference:
    case PoseReason::isGiven:
        return {};
    case PoseReason::notConverged:
        return tr("Raise Max. iterations, or set a search radius.");
    case PoseReason::weakDirections:
        return moreSteps +
               tr("Both scans look the same along it. Start from a known pose, or leave the scan out.");
    case PoseReason::rival:
        return moreSteps + tr("Check which one is right: start from a known pose, or leave the scan out.");
    default:
        break;
    }
    return moreSteps + (a.evidence.searched ? tr("Use a larger search radius or larger cells, or leave the "
                                                 "scan out: it may show another place.")
                                            : tr("Set a search radius, use larger cells, or leave the scan "
                                                 "out: it may show another place."));
}

} // namespace

QString poseVerdictWord(const AlignedScan& scan) {
    const PoseVerdict& verdict = scan.alignment.verdict;
    if (verdict.reason == PoseReason::isReference)
        return tr("fixed");
    if (verdict.reason == PoseReason::isGiven)
        return tr("from file");
    if (scan.failed || !scan.alignment.hasPose)
        return tr("no pose");
    const QString chance = percent(std::floor(100 * verdict.chance) / 100); // never 100 %
    switch (verdict.word) {
    case PoseWord::right:
        return tr("right (%1)").arg(chance);
    case PoseWord::doubtful:
        return tr("doubtful (%1)").arg(chance);
    case PoseWord::wrong:
        return tr("wrong (%1)").arg(chance);
    }
    return {};
}

QString poseVerdictText(const AlignedScan& scan, LengthUnit unit) {
    if (scan.failed)
        return tr("no pose: %1").arg(QString::fromStdString(scan.problem));
    const QString word = poseVerdictWord(scan), reason = reasonText(scan, unit), step = stepText(scan);
    const QString text = reason.isEmpty() ? word : tr("%1: %2").arg(word, reason);
    return step.isEmpty() ? text : tr("%1. %2").arg(text, step);
}

QString weakDirectionText(const WeakDirection& weak, LengthUnit unit) {
    if (!weak.isTurn())
        return (weak.isBounded ? tr("may slide by %1") : tr("may slide by %1 or more"))
            .arg(lengthText(weak.length(), unit));
    const double turn = weak.length() * norm(weak.rotation);
    if (turn >= kFullTurn)
        return tr("may turn by any angle");
    return (weak.isBounded ? tr("may turn by %1°") : tr("may turn by %1° or more")).arg(degreesText(turn));
}

QString alternativeText(const PoseRival& rival, LengthUnit unit) {
    const QString distance = lengthText(rival.distance(), unit);
    if (rival.angle > kTurned)
        return tr("also fits turned by %1°, %2 away").arg(degreesText(rival.angle), distance);
    for (const int axis : {0, 1, 2})
        if (const double along = rival.shift[axis]; std::abs(along) > kAlongAxis * rival.distance())
            return tr("also fits %1 along %2")
                .arg(distance, (along < 0 ? QStringLiteral("−") : QString()) + QLatin1Char("xyz"[axis]));
    return tr("also fits %1 away").arg(distance);
}

} // namespace scanloupe::gui
