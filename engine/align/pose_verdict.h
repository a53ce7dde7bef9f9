#pragma once
// Declares the verdict on a pose: the chance that it is right, from its evidence.
#include "engine/align/pose_evidence.h"

#include <array>

namespace scanloupe {

/// A pose is right if it is within 10 cm, or a tenth of a cell where that is less, and 1 degree of the truth.
enum class PoseWord : std::uint8_t {
    right,
    doubtful, ///< it may be right, and nothing tells for sure
    wrong,    ///< something contradicts it
};
/// "right", "doubtful" or "wrong".
const char* describe(PoseWord word);

/// What speaks most against a pose.
enum class PoseReason : std::uint8_t {
    none,           ///< nothing
    isReference,    ///< it is the first scan's, which defines the frame
    isGiven,        ///< it was read from a file, and not judged
    noPose,         ///< NDT gave none
    notConverged,   ///< it ran out of iterations
    littleOverlap,  ///< few of its surfaces lie by any of the target
    surfacesDiffer, ///< surfaces lie apart, or their normals differ
    lowScore,       ///< its points score much less than in cells of their own
    seenThrough,    ///< points of one scan float where the other saw farther
    weakDirections, ///< hardly anything holds it in some directions
    rival,          ///< the search found another pose that fits about as well
};

struct PoseVerdict {
    PoseWord word = PoseWord::wrong;
    double chance = 0; ///< that it is right, 0 to 1
    PoseReason reason = PoseReason::noPose;
    bool operator==(const PoseVerdict&) const = default;
};

/// What a figure speaks against a pose: 0 where it is as in poses that are right, and about 1 where it alone
/// makes the pose doubtful.
struct PosePenalty {
    const char* name; ///< of the figure, as in files
    PoseReason reason;
    bool contradicts; ///< it contradicts the pose; else it leaves it open
    double weight;    ///< of the logistic model
    double value;     ///< 0 to 3
};
inline constexpr std::size_t kPosePenalties = 7;
/// @param resolution edge of the target's cells, metres
std::array<PosePenalty, kPosePenalties> posePenalties(const PoseEvidence& evidence, double resolution);

/// @param resolution edge of the target's cells, metres
PoseVerdict judgePose(const PoseEvidence& evidence, double resolution);

} // namespace scanloupe
