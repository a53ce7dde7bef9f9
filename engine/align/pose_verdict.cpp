// Judges poses by a logistic model of the evidence against them.
// Each quantity has a range of typical values for right poses. The excess beyond this range is a penalty, so
// good values of one quantity do not compensate for bad values of another: the walls of a corridor agree
// wherever the scan is along it. The ranges come from generated sweeps of real sensors in streets, rooms,
// corridors, halls with racks, fields and worlds of boxes (seeds 1 to 53), at their true poses, at poses off
// by 0.2 to 1.5 m, and at unrelated positions. The ranges were chosen by eye. All weights are about equal and
// not fitted: each quantity makes a pose doubtful at a third of a unit beyond its range. In cluttered
// corridors some right poses are beyond the ranges; resources/manual/performance.md states how many.
#include "engine/align/pose_verdict.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

constexpr double kBias = 6.6;          // log-odds of a right pose without any penalty: 99.9 %
constexpr double kRightChance = 0.995; // minimum chance of a right pose; no wrong pose reached it
constexpr double kWrongChance = 0.1;   // maximum chance of a wrong pose, computed only from penalties that
                                       // contradict the pose
constexpr double kMaxPenalty = 3;
constexpr double kWeight = 4;         // weight of each penalty
constexpr double kMaxDegrees = 1;     // maximum rotation error of a right pose
constexpr double kMaxMetres = 0.1;    // maximum position error of a right pose; also limited to a tenth of a
                                      // cell
constexpr double kMinCompared = 60;   // minimum number of compared surfels; fewer are inconclusive
constexpr double kMinLag = 0.02;      // minimum lag of a rival that can be distinguished from the pose
constexpr double kLagShare = 1;       // factor on the fraction of disagreeing surfels at the pose: noise,
                                      // which varies between poses
constexpr double kAlikeOverlap = 0.6; // minimum ratio of overlaps at which two poses are comparable
constexpr double kOverlapLag = 0.18;  // lag per unit of missing overlap ratio
constexpr double kSightWeight = 2;    // weight of lines of sight relative to surfaces
constexpr double kDegree = std::numbers::pi / 180;

double penalty(double excess, double unit) {
    return std::clamp(excess / unit, 0.0, kMaxPenalty);
}

double chanceOf(double penalties) {
    return 1 / (1 + std::exp(penalties - kBias));
}

/// How far the surfaces move the pose where it is constrained, by what a right pose may be off.
double unsettledBy(const PoseEvidence& e, double resolution) {
    return std::max(e.strongSettleDistance / std::min(kMaxMetres, resolution / 10),
                    e.strongSettleAngle / (kMaxDegrees * kDegree));
}

/// Returns the permitted lag of a pose that overlaps less than its rival. Scans from nearby positions agree
/// even where rings meet edges; scans from distant positions do not.
double overlapLag(double less, double more) {
    return more > 0 ? kOverlapLag * std::max(kAlikeOverlap - less / more, 0.0) : 0;
}

/// Returns how much a rival's lag falls short of what is needed to distinguish the rival from the pose.
double lagMissing(const PoseRival& rival, const PoseEvidence& e) {
    return kMinLag + kLagShare * (1 - e.agreement) + overlapLag(rival.fit.overlap, e.overlap) -
           lagOf(rival, e);
}

double rivalPenalty(const PoseEvidence& e) {
    double most = 0;
    for (const PoseRival& rival : e.rivals)
        most = std::max(most, penalty(lagMissing(rival, e), 0.006));
    return most;
}

double overlapPenalty(const PoseEvidence& e) {
    return std::max(penalty(0.3 - e.overlap, 0.2),
                    penalty(kMinCompared - e.overlap * double(e.surfaces), kMinCompared / 2));
}

} // namespace

const char* describe(PoseWord word) {
    switch (word) {
    case PoseWord::right:
        return "right";
    case PoseWord::doubtful:
        return "doubtful";
    case PoseWord::wrong:
        return "wrong";
    }
    return "unknown";
}

double lagOf(const PoseRival& rival, const PoseEvidence& e) {
    return e.agreement - rival.fit.agreement + kSightWeight * (rival.fit.seenThrough - e.seenThrough);
}

bool isAlternative(const PoseRival& rival, const PoseEvidence& evidence) {
    return lagMissing(rival, evidence) > 0;
}

std::array<PosePenalty, kPosePenalties> posePenalties(const PoseEvidence& e, double resolution) {
    const double agreement = penalty(0.93 - e.agreement, 0.06), seen = penalty(e.seenThrough - 0.012, 0.01);
    const double settling = penalty(unsettledBy(e, resolution) - 0.6, 0.3);
    // What speaks against a pose is borne out where another one explains it.
    const bool isExplained =
        agreement + seen > 0 && std::ranges::any_of(e.rivals, [&](const PoseRival& rival) {
            return lagOf(rival, e) < -kMinLag - overlapLag(e.overlap, rival.fit.overlap);
        });
    // Columns: name, reason, contradicts, weight, value. The value is the excess beyond the range of right
    // poses, in units.
    return {{
        {"agreement", PoseReason::surfacesDiffer, true, kWeight, agreement},
        {"settling", PoseReason::unsettled, true, kWeight, settling},
        {"seen_through", PoseReason::seenThrough, true, kWeight, seen},
        {"weak_directions", PoseReason::weakDirections, false, kWeight, e.weak.empty() ? 0 : kMaxPenalty},
        {"rival", PoseReason::rival, isExplained, kWeight, rivalPenalty(e)},
        {"overlap", PoseReason::littleOverlap, false, kWeight, overlapPenalty(e)},
    }};
}

PoseVerdict judgePose(const PoseEvidence& evidence, double resolution) {
    double all = 0, contradicting = 0, maxPenalty = 0, maxContradiction = 0;
    PoseVerdict verdict;
    verdict.reason = PoseReason::none;
    PoseReason contradiction = PoseReason::none;
    for (const PosePenalty& p : posePenalties(evidence, resolution)) {
        const double against = p.weight * p.value;
        all += against;
        if (against > maxPenalty) {
            maxPenalty = against;
            verdict.reason = p.reason;
        }
        if (!p.contradicts)
            continue;
        contradicting += against;
        if (against > maxContradiction) {
            maxContradiction = against;
            contradiction = p.reason;
        }
    }
    verdict.chance = chanceOf(all);
    if (chanceOf(contradicting) < kWrongChance) {
        verdict.word = PoseWord::wrong;
        verdict.reason = contradiction;
    } else if (!evidence.converged) {
        verdict.word = PoseWord::doubtful;
        verdict.reason = PoseReason::notConverged;
    } else if (verdict.chance < kRightChance) {
        verdict.word = PoseWord::doubtful;
    } else {
        verdict.word = PoseWord::right;
        verdict.reason = PoseReason::none;
    }
    return verdict;
}

} // namespace scanloupe
