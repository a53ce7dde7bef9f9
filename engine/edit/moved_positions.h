#pragma once
// Declares moving points of a cloud, in the type that their file has where it can hold them.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>

namespace scanloupe {

/// Coordinates of which those in the set are moved, rounded to what their type can hold. In map coordinates,
/// where single precision is coarser than the points are, they become doubles, and integers count from
/// another offset.
/// @param motion in the file's frame
/// @throws EngineError when no offset of integer coordinates can hold all places; Cancelled
Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop);

/// The box of a moved box.
Bounds boxAfter(const RigidTransform& motion, const Bounds& box);

} // namespace scanloupe
