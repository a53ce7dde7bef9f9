#pragma once
// Declares moving the vectors that points carry along with them.
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

class Attribute;
class PointCloud;

/// The vectors of a cloud, with those of the rows in the set moved: normals are rotated, and sensor positions
/// are moved like points. Normals in single precision, sensors in double; attributes that the cloud lacks are
/// missing. @param motion in the file's frame @throws EngineError when they can't be read; Cancelled
std::vector<Attribute> movedVectors(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop);

} // namespace scanloupe
