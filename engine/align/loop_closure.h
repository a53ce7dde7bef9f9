#pragma once
// Declares loop closing: where a drive returns to a place, its scan is aligned to the earlier scans there,
// and a pose graph distributes the accumulated drift.
#include "engine/align/pose_verdict.h"
#include "kernels/core/rigid_transform.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct AlignJob;
struct AlignOutcome;

/// The result for a loop that was tested.
enum class LoopState : std::uint8_t {
    closed,       ///< the loop is an edge of the pose graph
    unsure,       ///< the verdict on the loop's pose is not right
    alone,        ///< no other loop nearby confirms this one
    contradicted, ///< the loop contradicts the drift limits or the other motions
};
/// Returns "closed", "unsure", "alone" or "contradicted".
const char* describe(LoopState state);

/// A scan that was aligned to an earlier one at the same place.
struct LoopEdge {
    std::size_t from = 0, to = 0; ///< indices of the scans, the earlier one first
    RigidTransform motion = {};   ///< T_from_to
    PoseVerdict verdict = {};
    LoopState state = LoopState::unsure;
    double correction = 0; ///< change of the motion relative to the poses before closing loops, metres
};

/// Two scans of a drive that are near the same place.
struct Revisit {
    std::size_t from = 0, to = 0; ///< indices of the scans, the earlier one first
    double path = 0;              ///< driven distance between them, metres
    double distance = 0;          ///< distance between their positions, metres
    bool operator==(const Revisit&) const = default;
};
/// Returns pairs of scans at which the drive returns to a place, evenly spaced along the drive.
/// @param positions of the sensor, metres
/// @param usable [positions] whether a position is known
/// @param resolution edge length of the map's cells, metres; thresholds are multiples of it
std::vector<Revisit> findRevisits(std::span<const Vec3d> positions, const std::vector<bool>& usable,
                                  double resolution);

/// Aligns scans where the drive returns to a place, and optimizes all poses except the first for these loops
/// and the motions between consecutive scans. A loop counts only if its pose is right and another loop
/// confirms it. Scans that are not in the outcome are read again with AlignJob::read, so that memory does not
/// grow with the drive; scans that can't be read again close no loop. @throws KernelError; Cancelled.
void closeLoops(const AlignJob& job, AlignOutcome& outcome, const std::stop_token& stop);

} // namespace scanloupe
