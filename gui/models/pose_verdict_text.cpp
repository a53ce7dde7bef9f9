// Words the verdicts on alignments.
#include "gui/models/pose_verdict_text.h"

#include "gui/base/length_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>
#include <numbers>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("PoseVerdictText", text);
}

QString percent(double share) {
    return tr("%1 %").arg(QLocale().toString(100 * share, 'f', 0));
}

/// The same without figures; empty where it has none.
QString reasonText(PoseReason reason) {
    switch (reason) {
    case PoseReason::littleOverlap:
        return tr("few of its surfaces lie by any of the others");
    case PoseReason::surfacesDiffer:
        return tr("surfaces lie apart, or their normals differ");
    case PoseReason::lowScore:
        return tr("its points score much less than by themselves");
    case PoseReason::seenThrough:
        return tr("points float where the other scan saw farther");
    case PoseReason::weakDirections:
        return tr("it may slide along a direction that hardly anything holds");
    case PoseReason::rival:
        return tr("another pose fits about as well");
    default:
        return {};
    }
}

/// What speaks most against the pose, as a clause; empty where nothing does.
QString reasonText(const AlignedScan& scan, LengthUnit unit) {
    const PoseEvidence& e = scan.alignment.evidence;
    if (scan.alignment.alignedPoints == 0) // a project has no figures
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
        return tr("it was stopped after its last step, before it converged");
    case PoseReason::littleOverlap:
        return tr("%1 of its surfaces lie by any of the others").arg(percent(e.overlap));
    case PoseReason::surfacesDiffer:
        return tr("%1 of the surfaces agree, %2 apart")
            .arg(percent(e.agreement), lengthText(e.distance, unit));
    case PoseReason::lowScore:
        return tr("its points score %1 of what they score by themselves").arg(percent(e.scoreRatio));
    case PoseReason::seenThrough:
        return tr("%1 of the points float where the other scan saw farther").arg(percent(e.seenThrough));
    case PoseReason::weakDirections:
        return tr("it may slide along a direction that hardly anything holds, by %1 and more")
            .arg(lengthText(e.slack, unit));
    case PoseReason::rival:
        return tr("another pose, %1 and %2° away, fits %3 as well")
            .arg(lengthText(e.rival.distance, unit),
                 QLocale().toString(e.rival.angle * 180 / std::numbers::pi, 'f', 0), percent(e.rival.ratio));
    }
    return {};
}

/// What to do about it, as a sentence; empty where there is nothing to do.
QString stepText(const AlignedScan& scan) {
    const ScanAlignment& a = scan.alignment;
    const QString moreSteps = a.hasPose && !a.evidence.converged ? tr("Let it take more steps. ") : QString();
    switch (a.verdict.reason) {
    case PoseReason::none:
    case PoseReason::isReference:
    case PoseReason::isGiven:
        return {};
    case PoseReason::notConverged:
        return tr("Let it take more steps, or search.");
    case PoseReason::weakDirections:
        return moreSteps + tr("Nothing tells where it is along them; finer cells may.");
    case PoseReason::rival:
        return moreSteps +
               tr("Look whether it is turned. Finer cells may tell the two apart; else leave the scan out.");
    default:
        break;
    }
    return moreSteps +
           (a.evidence.searched
                ? tr("Search farther, take larger cells, or leave it out: it may show another place.")
                : tr("Search around, take larger cells, or leave it out: it may show another place."));
}

} // namespace

QString poseVerdictWord(const AlignedScan& scan) {
    const PoseVerdict& verdict = scan.alignment.verdict;
    if (verdict.reason == PoseReason::isReference)
        return tr("stays");
    if (verdict.reason == PoseReason::isGiven)
        return tr("given");
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

} // namespace scanloupe::gui
