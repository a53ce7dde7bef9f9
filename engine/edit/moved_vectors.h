#pragma once
// Declares moving the vectors that points carry along with them.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// The vectors of a cloud, of which those of the rows in the set are moved: normals turn, and sensors, from
/// which points were seen, move as points do. Normals in single precision, sensors in double; what the cloud
/// doesn't have is missing.
/// @param motion in the file's frame @throws EngineError when they can't be read; Cancelled
std::vector<Attribute> movedVectors(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop);

} // namespace scanloupe
