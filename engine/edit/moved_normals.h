#pragma once
// Declares turning the normals of points that are moved.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

/// normal_x, normal_y and normal_z of a cloud, of which those in the set are turned, in single precision;
/// empty where it has none. @param motion in the file's frame @throws EngineError when they can't be read;
/// Cancelled
std::vector<Attribute> movedNormals(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop);

} // namespace scanloupe
