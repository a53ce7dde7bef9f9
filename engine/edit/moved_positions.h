#pragma once
// Declares moving points of a cloud, in the coordinate type of their file if its precision suffices.
#include "engine/cloud/positions.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>

namespace scanloupe {

struct Bounds;

/// Returns the coordinates with those of the points in the set moved, rounded to the precision of their type.
/// Map coordinates in single precision become double, because their rounding is coarser than the distance of
/// points; integers may get another offset.
Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop);

/// The box of a moved box.
Bounds boxAfter(const RigidTransform& motion, const Bounds& box);

} // namespace scanloupe
