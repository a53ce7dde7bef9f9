// Judges poses by a logistic model of what their evidence speaks against them.
//
// Each figure has a range in which those of right poses lie. What lies outside is a penalty, so that good
// figures make up for no bad one: surfaces of a corridor agree wherever one stands in it. Ranges and weights
// come from alignments of known truth: of generated streets, squares, rooms, corridors and halls, and of
// KITTI, nuScenes, HDL-32 and a living room. `scanloupe-bench verdict` writes the penalties,
// tests/support/fit_verdict.py fits the weights and validates them on other seeds and on groups of scenes
// that were left out. The weights are of seeds 1 to 7 (1,165 alignments, 2026-11-25), the ranges were chosen
// with seeds 401 to 728 in view, too; resources/manual/performance.md has how they hold, also on others.
#include "engine/align/pose_verdict.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr double kBias = 6.59;         // without any penalty: 99.9 %
constexpr double kRightChance = 0.995; // no wrong pose of the validation had that much
constexpr double kWrongChance = 0.1;   // by penalties that contradict the pose
constexpr double kMostPenalty = 3;

double penalty(double excess, double unit) {
    return std::clamp(excess / unit, 0.0, kMostPenalty);
}

double chanceOf(double penalties) {
    return 1 / (1 + std::exp(penalties - kBias));
}

constexpr double kAgreementWeight = 4.39, kDistanceWeight = 4.01, kScoreWeight = 4.00, kSeenWeight = 6.14;

struct Contradictions {
    double agreement, distance, score, seen;
    double weighted() const {
        return kAgreementWeight * agreement + kDistanceWeight * distance + kScoreWeight * score +
               kSeenWeight * seen;
    }
};
Contradictions contradictions(const PoseFit& fit, double resolution) {
    return {penalty(0.75 - fit.agreement, 0.2), penalty(fit.distance / resolution - 0.045, 0.02),
            penalty(0.67 - fit.scoreRatio, 0.2), penalty(fit.seenThrough - 0.008, 0.015)};
}

/// Another pose speaks against this one if it fits about as well and nothing tells that it is worse. What the
/// scans saw through tells poses apart that score alike: the one chair of a room that is turned.
struct RivalPenalty {
    double value;
    bool isBetter; ///< the rival contradicts the pose
};
RivalPenalty rivalPenalty(const PoseEvidence& e, double resolution) {
    const PoseFit& rival = e.rival.fit;
    if (e.rival.ratio < PoseRival::leastRatio ||
        contradictions(rival, resolution).weighted() - contradictions(e, resolution).weighted() > 2)
        return {0, false};
    const double seesWorse = rival.seenThrough - e.seenThrough; // share of some 4,000 points
    if (seesWorse < -0.002)
        return {kMostPenalty, true};
    return {penalty(e.rival.ratio - 0.92, 0.05) * std::clamp((0.0035 - seesWorse) / 0.002, 0.0, 1.0), false};
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

std::array<PosePenalty, kPosePenalties> posePenalties(const PoseEvidence& e, double resolution) {
    // a slide that another pose about a cell away bears out is believed earlier
    const double mostSlide = e.slideRatio > 0.88 ? 0.6 : 1.4;
    // name, reason, contradicts, weight, and the value: how far beyond the range of right poses, by a unit
    const auto [agreement, distance, score, seen] = contradictions(e, resolution);
    const RivalPenalty rival = rivalPenalty(e, resolution);
    return {{
        {"agreement", PoseReason::surfacesDiffer, true, kAgreementWeight, agreement},
        {"distance", PoseReason::surfacesDiffer, true, kDistanceWeight, distance},
        {"score_ratio", PoseReason::lowScore, true, kScoreWeight, score},
        {"seen_through", PoseReason::seenThrough, true, kSeenWeight, seen},
        {"slide", PoseReason::weakDirections, false, 3.20,
         penalty(std::log(std::max(e.slide(resolution), 1e-9) / mostSlide), 0.35)},
        {"rival", PoseReason::rival, rival.isBetter, 3.81, rival.value},
        {"overlap", PoseReason::littleOverlap, false, 4.00, penalty(0.4 - e.overlap, 0.2)},
    }};
}

PoseVerdict judgePose(const PoseEvidence& evidence, double resolution) {
    double all = 0, contradicting = 0, most = 0;
    PoseVerdict verdict;
    verdict.reason = PoseReason::none;
    for (const PosePenalty& p : posePenalties(evidence, resolution)) {
        const double against = p.weight * p.value;
        all += against;
        contradicting += p.contradicts ? against : 0;
        if (against > most) {
            most = against;
            verdict.reason = p.reason;
        }
    }
    verdict.chance = chanceOf(all);
    if (chanceOf(contradicting) < kWrongChance) {
        verdict.word = PoseWord::wrong;
    } else if (!evidence.converged) {
        verdict.word = PoseWord::doubtful;
        verdict.reason = PoseReason::notConverged;
    } else if (verdict.chance < kRightChance) {
        verdict.word = PoseWord::doubtful;
    } else if (evidence.weakDirections > 0) {
        verdict.word = PoseWord::doubtful;
        verdict.reason = PoseReason::weakDirections;
    } else {
        verdict.word = PoseWord::right;
        verdict.reason = PoseReason::none;
    }
    return verdict;
}

} // namespace scanloupe
