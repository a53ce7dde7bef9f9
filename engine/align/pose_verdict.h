#pragma once
// Declares the verdict on a pose: the probability that it is right, given its evidence.
#include "engine/align/pose_evidence.h"

#include <array>

namespace scanloupe {

/// A pose is right if its position error is at most 10 cm (or a tenth of a cell, if that is less) and its
/// rotation error at most 1 degree.
enum class PoseWord : std::uint8_t {
    right,
    doubtful, ///< the pose may be right, but the evidence is inconclusive
    wrong,    ///< the evidence contradicts the pose
};
/// Returns "right", "doubtful" or "wrong".
const char* describe(PoseWord word);

/// The strongest evidence against a pose.
enum class PoseReason : std::uint8_t {
    none,           ///< no evidence against the pose
    isReference,    ///< pose of the first scan, which defines the frame
    isGiven,        ///< pose from a file, not judged
    noPose,         ///< the registration found no pose
    notConverged,   ///< the registration reached its maximum number of iterations
    littleOverlap,  ///< few surfaces of the scan are near surfaces of the target
    surfacesDiffer, ///< surfaces are apart, or their normals differ
    lowScore,       ///< the score of the points is low; only in projects of earlier versions
    seenThrough,    ///< points of one scan float in front of the other's surface
    weakDirections, ///< the pose is hardly constrained in some directions
    rival,          ///< another pose fits about as well
    unsettled,      ///< the surfaces fit better at some distance from the pose
};

struct PoseVerdict {
    PoseWord word = PoseWord::wrong;
    double chance = 0; ///< probability that the pose is right, 0 to 1
    PoseReason reason = PoseReason::noPose;
    bool operator==(const PoseVerdict&) const = default;
};

/// A quantity that speaks against a pose. Its value is 0 for typical right poses, and about 1 if it alone
/// makes the pose doubtful.
struct PosePenalty {
    const char* name; ///< name of the quantity in output files
    PoseReason reason;
    bool contradicts; ///< true: evidence that the pose is wrong; false: evidence that it is uncertain
    double weight;    ///< weight in the logistic model
    double value;     ///< 0 to 3
};
inline constexpr std::size_t kPosePenalties = 6;
/// Returns all penalties of a pose. @param resolution edge length of the target's cells, metres
std::array<PosePenalty, kPosePenalties> posePenalties(const PoseEvidence& evidence, double resolution);

/// Returns how much worse a rival fits than the pose itself, by surfaces and by lines of sight, as a fraction
/// of the compared surfels.
double lagOf(const PoseRival& rival, const PoseEvidence& evidence);
/// Whether a rival fits well enough to be evidence against the pose.
bool isAlternative(const PoseRival& rival, const PoseEvidence& evidence);

/// Computes the verdict on a pose. @param resolution edge length of the target's cells, metres
PoseVerdict judgePose(const PoseEvidence& evidence, double resolution);

} // namespace scanloupe
