#pragma once
// Declares the verdict on a pose: the chance that it is right, from its evidence.
#include "engine/align/pose_evidence.h"

#include <array>

namespace scanloupe {

/// A pose is right if it is within 10 cm, or a tenth of a cell where that is less, and 1 degree of the truth.
enum class PoseWord : std::uint8_t {
    right,
    doubtful, ///< it may be right, but the evidence is inconclusive
    wrong,    ///< something contradicts it
};
/// "right", "doubtful" or "wrong".
const char* describe(PoseWord word);

/// The strongest evidence against a pose.
enum class PoseReason : std::uint8_t {
    none,           ///< nothing
    isReference,    ///< it is the first scan's, which defines the frame
    isGiven,        ///< it was read from a file, and not judged
    noPose,         ///< NDT gave none
    notConverged,   ///< it ran out of iterations
    littleOverlap,  ///< few of its surfaces are near surfaces of the target
    surfacesDiffer, ///< surfaces are apart, or their normals differ
    lowScore,       ///< the score of its points is low; only in projects of earlier versions
    seenThrough,    ///< points of one scan float in front of the other's surface
    weakDirections, ///< it is hardly constrained in some directions
    rival,          ///< another pose fits about as well
    unsettled,      ///< the surfaces of both scans fit better at some distance
};

struct PoseVerdict {
    PoseWord word = PoseWord::wrong;
    double chance = 0; ///< probability that it is right, 0 to 1
    PoseReason reason = PoseReason::noPose;
    bool operator==(const PoseVerdict&) const = default;
};

/// The evidence of a figure against a pose: 0 for typical right poses, and about 1 where it alone makes the
/// pose doubtful.
struct PosePenalty {
    const char* name; ///< name of the figure in files
    PoseReason reason;
    bool contradicts; ///< it contradicts the pose; otherwise it is inconclusive
    double weight;    ///< weight in the logistic model
    double value;     ///< 0 to 3
};
inline constexpr std::size_t kPosePenalties = 6;
/// @param resolution edge of the target's cells, metres
std::array<PosePenalty, kPosePenalties> posePenalties(const PoseEvidence& evidence, double resolution);

/// How much worse a rival fits than the pose itself, by surfaces and by lines of sight: fractions of the
/// compared surfels.
double lagOf(const PoseRival& rival, const PoseEvidence& evidence);
/// Whether a rival fits well enough to be evidence against the pose.
bool isAlternative(const PoseRival& rival, const PoseEvidence& evidence);

/// @param resolution edge of the target's cells, metres
PoseVerdict judgePose(const PoseEvidence& evidence, double resolution);

} // namespace scanloupe
