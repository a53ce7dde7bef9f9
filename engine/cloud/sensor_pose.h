#pragma once
// Where a sensor stood and how it was turned.
#include "kernels/core/rigid_transform.h"

namespace scanloupe {

struct Quaternion {
    double x = 0, y = 0, z = 0, w = 1;
    bool operator==(const Quaternion&) const = default;
};

/// T_file_sensor.
struct SensorPose {
    Vec3d position;      ///< in the file's frame and unit
    Quaternion rotation; ///< of unit length but for its file's rounding; none where nothing tells it
    bool operator==(const SensorPose&) const = default;
};

/// Of a unit quaternion.
RigidTransform poseOf(const Quaternion& unit, Vec3d translation);

/// S. W. Shepperd, "Quaternion from rotation matrix" (1978): divides by the largest of the four. w >= 0.
Quaternion quaternionOf(const RigidTransform& pose);

/// How far the rows are from a right-handed set of unit vectors at right angles.
double distanceFromRotation(const RigidTransform& pose);

/// Quaternions and matrices that were written with few digits are this far from a rotation at most.
inline constexpr double kRotationTolerance = 1e-2;

} // namespace scanloupe
