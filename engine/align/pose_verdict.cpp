// Judges poses by a logistic model of what their evidence speaks against them.
//
// Each figure has a range in which those of right poses lie. What lies outside is a penalty, so that good
// figures make up for no bad one: surfaces of a corridor agree wherever one stands in it. Ranges and weights
// come from 1,165 alignments of known truth (2026-11-25): of generated streets, squares, rooms, corridors and
// halls, and of KITTI, nuScenes, HDL-32 and a living room. `scanloupe-bench verdict` writes the penalties,
// tests/support/fit_verdict.py fits the weights and validates them on other seeds and on groups of scenes
// that were left out.
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
    // how far the pose may slide, in cells, by how much the score minds that: either alone misjudges
    // corridors
    const double slide = e.slack / (resolution * std::max(e.leastCurvature, 1e-6));
    // name, reason, contradicts, weight, and the value: how far beyond the range of right poses, by a unit
    return {{
        {"agreement", PoseReason::surfacesDiffer, true, 4.39, penalty(0.75 - e.agreement, 0.2)},
        {"distance", PoseReason::surfacesDiffer, true, 4.01, penalty(e.distance / resolution - 0.045, 0.02)},
        {"score_ratio", PoseReason::lowScore, true, 4.00, penalty(0.67 - e.scoreRatio, 0.2)},
        {"seen_through", PoseReason::seenThrough, true, 6.14, penalty(e.seenThrough - 0.008, 0.015)},
        {"slide", PoseReason::weakDirections, false, 3.20,
         penalty(std::log(std::max(slide, 1e-9) / 1.1), 0.35)},
        {"rival_ratio", PoseReason::rival, false, 3.81, penalty(e.rivalRatio - 0.92, 0.05)},
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
