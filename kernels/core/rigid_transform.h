#pragma once
// Declares rigid transforms and their conversion to and from roll, pitch and yaw, for both backends.
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// A rotation and a translation. `T_target_source` maps coordinates of the source's frame to the target's:
/// x_target = rotation * x_source + translation.
struct RigidTransform {
    Vec3d rows[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< rows of the rotation matrix
    Vec3d translation;                                 ///< metres

    HD Vec3d rotate(Vec3d v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
    HD Vec3d rotateBack(Vec3d v) const { return rows[0] * v.x + rows[1] * v.y + rows[2] * v.z; }
    HD Vec3d operator()(Vec3d p) const { return rotate(p) + translation; }
    HD RigidTransform inverse() const {
        RigidTransform back;
        for (int i = 0; i < 3; ++i)
            back.rows[i] = {rows[0][i], rows[1][i], rows[2][i]};
        back.translation = -back.rotate(translation);
        return back;
    }
    /// Returns the transform that applies `b` first, then `a`: T_c_b * T_b_a = T_c_a.
    HD friend RigidTransform operator*(const RigidTransform& a, const RigidTransform& b) {
        RigidTransform both;
        for (int i = 0; i < 3; ++i)
            both.rows[i] = b.rotateBack(a.rows[i]);
        both.translation = a(b.translation);
        return both;
    }
    bool operator==(const RigidTransform&) const = default;
};

/// Returns whether all numbers of the transform are finite.
inline bool isFinite(const RigidTransform& pose) {
    return isFinite(pose.rows[0]) && isFinite(pose.rows[1]) && isFinite(pose.rows[2]) &&
           isFinite(pose.translation);
}

/// Returns the rotation of fromRollPitchYaw(), given the sines `s` and cosines `c` of the three angles.
HD inline RigidTransform fromSinesCosines(Vec3d s, Vec3d c) {
    return {{{c.y * c.z, -c.y * s.z, s.y},
             {c.x * s.z + s.x * s.y * c.z, c.x * c.z - s.x * s.y * s.z, -s.x * c.y},
             {s.x * s.z - c.x * s.y * c.z, s.x * c.z + c.x * s.y * s.z, c.x * c.y}},
            {}};
}
/// Returns the transform with the rotation R = Rx(roll) Ry(pitch) Rz(yaw), angles in radians, in the order of
/// Magnusson (2009), equation 6.12.
HD inline RigidTransform fromRollPitchYaw(Vec3d angles, Vec3d translation) {
    RigidTransform pose = fromSinesCosines({std::sin(angles.x), std::sin(angles.y), std::sin(angles.z)},
                                           {std::cos(angles.x), std::cos(angles.y), std::cos(angles.z)});
    pose.translation = translation;
    return pose;
}

/// Returns the angles (roll, pitch, yaw) of a rotation, the inverse of fromRollPitchYaw(). Pitch is within
/// +-pi/2; at +-pi/2, roll is 0.
inline Vec3d rollPitchYaw(const RigidTransform& pose) {
    const double sy = pose.rows[0].z < -1 ? -1 : pose.rows[0].z > 1 ? 1 : pose.rows[0].z;
    const double pitch = std::asin(sy);
    if (std::abs(sy) > 1 - 1e-14) // gimbal lock: roll and yaw turn about the same axis
        return {0, pitch, std::atan2(pose.rows[1].x, pose.rows[1].y)};
    return {std::atan2(-pose.rows[1].z, pose.rows[2].z), pitch, std::atan2(-pose.rows[0].y, pose.rows[0].x)};
}

/// Returns the angle of the rotation, 0 to pi radians.
inline double rotationAngle(const RigidTransform& pose) {
    const Vec3d axis{pose.rows[2].y - pose.rows[1].z, pose.rows[0].z - pose.rows[2].x,
                     pose.rows[1].x - pose.rows[0].y};
    return std::atan2(norm(axis), pose.rows[0].x + pose.rows[1].y + pose.rows[2].z - 1);
}

} // namespace scanloupe
