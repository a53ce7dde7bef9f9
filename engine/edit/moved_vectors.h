#pragma once
// Declares moving the vectors of points: normals and sensor positions.
#include "kernels/core/rigid_transform.h"
#include "kernels/select/point_set.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

class Attribute;
class PointCloud;

/// Returns the normals and sensor positions of a cloud, with the rows in the set moved: normals are rotated,
/// sensor positions are moved like points. Normals are in single precision, sensor positions in double;
/// attributes that the cloud lacks are omitted.
/// @param motion in the file's frame
/// @throws EngineError if the attributes can't be read; Cancelled
std::vector<Attribute> movedVectors(const PointCloud& cloud, const PointSet& rows,
                                    const RigidTransform& motion, const std::stop_token& stop);

} // namespace scanloupe
