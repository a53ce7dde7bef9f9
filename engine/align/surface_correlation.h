#pragma once
// Declares the cross-correlation of two scans' surfaces, which finds shifts and rotations at which the scans
// may fit as well.
#include "engine/align/surface_match.h"

#include <vector>

namespace scanloupe {

/// A pose that a peak of the correlation suggests.
struct CorrelatedPose {
    RigidTransform pose; ///< T_target_scan
    float height = 0;    ///< votes of matching walls, relative to those at the pose itself
};

/// Returns poses at which steep surfaces of the scan coincide with surfaces of the target that have the same
/// normals. They are the peaks of a two-dimensional histogram of the shifts between all such pairs (the
/// cross-correlation), for the pose itself and for rotations of it by multiples of 90 degrees. Walls of two
/// perpendicular orientations have separate histograms, which are multiplied. Poses close to the pose itself
/// are left out.
/// @param pose T_target_scan
std::vector<CorrelatedPose> correlatedPoses(const SurfaceComparison& comparison, const RigidTransform& pose,
                                            const std::stop_token& stop);

} // namespace scanloupe
