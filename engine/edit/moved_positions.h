#pragma once
// Declares moving points of a cloud, in the type of their file where it suffices.
#include "engine/cloud/positions.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>

namespace scanloupe {

struct Bounds;

/// Coordinates with those in the set moved, rounded to the precision of their type. In map coordinates, where
/// single precision is coarser than the points are, they become doubles, and integers get another offset.
/// @param motion in the file's frame @throws EngineError when no offset of integer coordinates fits all
/// positions; Cancelled
Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop);

/// The box of a moved box.
Bounds boxAfter(const RigidTransform& motion, const Bounds& box);

} // namespace scanloupe
