#pragma once
// Declares moving points of a cloud, in the type that their file has.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>

namespace scanloupe {

/// Coordinates of which those in the set are moved, rounded to what their type can hold.
/// @param motion in the file's frame
/// @throws EngineError when integer coordinates can't hold a place; Cancelled
Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop);

} // namespace scanloupe
