#pragma once
// Declares the closing of loops: a drive that returns to a place is aligned to its earlier scans there, and
// the drift between is distributed by a pose graph.
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

/// The result for a loop that was tried.
enum class LoopState : std::uint8_t {
    closed,       ///< it is an edge of the pose graph
    unsure,       ///< the verdict on its pose is not right
    alone,        ///< no other loop nearby confirms it
    contradicted, ///< the other motions contradict it
};
/// "closed", "unsure", "alone" or "contradicted".
const char* describe(LoopState state);

/// A scan that was aligned to an earlier one at the same place.
struct LoopEdge {
    std::size_t from = 0, to = 0; ///< numbers of the scans, the earlier one first
    RigidTransform motion = {};   ///< T_from_to
    PoseVerdict verdict = {};
    LoopState state = LoopState::unsure;
    double correction = 0; ///< difference between the motion and that of the poses before, metres
};

/// Two scans of a drive near the same place.
struct Revisit {
    std::size_t from = 0, to = 0; ///< the earlier one first
    double path = 0;              ///< metres driven between them
    double distance = 0;          ///< between their positions, metres
    bool operator==(const Revisit&) const = default;
};
/// Where a drive returns, evenly along it. @param positions of the sensor, metres
/// @param usable [positions] whether a position is known
/// @param resolution edge of the map's cells, which lengths are multiples of
std::vector<Revisit> findRevisits(std::span<const Vec3d> positions, const std::vector<bool>& usable,
                                  double resolution);

/// Aligns scans where the drive returns, and moves all poses but the first to the optimum for these loops and
/// the motions from scan to scan. A loop only counts if its pose is right, and if another one confirms it.
/// Scans are read again by AlignJob::read unless the outcome has them; memory does not grow with the drive. A
/// scan that can't be read again closes no loop. @throws KernelError; Cancelled.
void closeLoops(const AlignJob& job, AlignOutcome& outcome, const std::stop_token& stop);

} // namespace scanloupe
