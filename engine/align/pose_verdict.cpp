// Judges poses by a logistic model of what their evidence speaks against them.
//
// Each figure has a range in which those of right poses lie. What lies outside is a penalty, so that good
// figures make up for no bad one: surfaces of a corridor agree wherever one stands in it. The ranges come
// from generated sweeps of real sensors in streets, rooms, corridors, halls with racks, fields and worlds of
// boxes (seeds 1 to 53), at their true poses, off by 0.2 to 1.5 m, and in other places. They were chosen by
// eye, and the weights are alike, not fitted: each makes a pose doubtful a third of a unit beyond its range.
// Figures of right poses in cluttered corridors reach beyond; resources/manual/performance.md has how many.
#include "engine/align/pose_verdict.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

constexpr double kBias = 6.6;          // without any penalty: 99.9 %
constexpr double kRightChance = 0.995; // no wrong pose had that much
constexpr double kWrongChance = 0.1;   // by penalties that contradict the pose
constexpr double kMaxPenalty = 3;
constexpr double kWeight = 4;         // of each penalty
constexpr double kMaxDegrees = 1;     // of a right pose
constexpr double kMaxMetres = 0.1;    // of a right pose, and a tenth of a cell
constexpr double kMinCompared = 60;   // surfels: fewer show nothing
constexpr double kMinLag = 0.02;      // of a rival that can be told apart
constexpr double kLagShare = 1;       // of the surfels that differ at the pose: noise, which differs by rival
constexpr double kAlikeOverlap = 0.6; // share of the overlap of another pose from which on both compare alike
constexpr double kOverlapLag = 0.18;  // of what the overlap lacks of that share
constexpr double kSightWeight = 2;    // of lines of sight against surfaces
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

/// Permitted lag of a pose that overlaps less than its rival: scans taken from nearby positions agree even
/// where rings meet edges, others do not.
double overlapLag(double less, double more) {
    return more > 0 ? kOverlapLag * std::max(kAlikeOverlap - less / more, 0.0) : 0;
}

/// Deficit of a rival's lag relative to a distinguishable one.
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
    // name, reason, contradicts, weight, and the value: the excess over the range of right poses, in units
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
