#pragma once
// Declares the pose of a sensor, and conversions between quaternions and rotation matrices.
#include "kernels/core/rigid_transform.h"

namespace scanloupe {

struct Quaternion {
    double x = 0, y = 0, z = 0, w = 1;
    bool operator==(const Quaternion&) const = default;
};

/// The pose of a sensor, T_file_sensor.
struct SensorPose {
    Vec3d position;      ///< in the file's frame and unit
    Quaternion rotation; ///< unit quaternion, up to rounding in the file; identity if unknown
    bool operator==(const SensorPose&) const = default;
};

/// Returns the transform with a rotation by a unit quaternion and a translation.
RigidTransform poseOf(const Quaternion& unit, Vec3d translation);

/// Returns the unit quaternion of a rotation matrix, with w >= 0. After S. W. Shepperd, "Quaternion from
/// rotation matrix" (1978): divides by the largest of the four components, for accuracy.
Quaternion quaternionOf(const RigidTransform& pose);

/// Returns the maximum deviation of the matrix rows from a right-handed orthonormal basis.
double distanceFromRotation(const RigidTransform& pose);

/// Tolerance for quaternions and matrices that were written with few digits.
inline constexpr double kRotationTolerance = 1e-2;

} // namespace scanloupe
