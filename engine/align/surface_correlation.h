#pragma once
// Declares the cross-correlation of two scans' surfaces: the shifts and turns at which they may fit as well.
#include "engine/align/surface_match.h"

#include <vector>

namespace scanloupe {

/// A pose that a peak of the correlation suggests.
struct CorrelatedPose {
    RigidTransform pose; ///< T_target_scan
    float height = 0;    ///< share of the pairs of walls that meet there, of those at the pose itself
};

/// Poses at which steep surfaces of the scan meet surfaces of the target with the same normals: the peaks of
/// a two-dimensional histogram of the shifts between all such pairs, which is their cross-correlation, for
/// the pose itself and for it turned by quarters. Walls that face either of two horizontal ways have a
/// histogram each, which are multiplied. Poses about the pose itself are left out. @param pose T_target_scan
std::vector<CorrelatedPose> correlatedPoses(const SurfaceComparison& comparison, const RigidTransform& pose,
                                            const std::stop_token& stop);

} // namespace scanloupe
