// Converts between quaternions and rotation matrices.
#include "engine/cloud/sensor_pose.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe {

RigidTransform poseOf(const Quaternion& q, Vec3d translation) {
    return {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.z * q.w), 2 * (q.x * q.z + q.y * q.w)},
             {2 * (q.x * q.y + q.z * q.w), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.x * q.w)},
             {2 * (q.x * q.z - q.y * q.w), 2 * (q.y * q.z + q.x * q.w), 1 - 2 * (q.x * q.x + q.y * q.y)}},
            translation};
}

Quaternion quaternionOf(const RigidTransform& pose) {
    const Vec3d* r = pose.rows;
    const double trace = r[0].x + r[1].y + r[2].z;
    const std::array<double, 4> squares{1 + 2 * r[0].x - trace, 1 + 2 * r[1].y - trace,
                                        1 + 2 * r[2].z - trace, 1 + trace}; // 4 x^2, 4 y^2, 4 z^2, 4 w^2
    const auto largest = std::max_element(squares.begin(), squares.end());
    const double twice = std::sqrt(*largest), by = 1 / (2 * twice);
    Quaternion q{};
    switch (largest - squares.begin()) {
    case 0:
        q = {twice / 2, (r[0].y + r[1].x) * by, (r[0].z + r[2].x) * by, (r[2].y - r[1].z) * by};
        break;
    case 1:
        q = {(r[0].y + r[1].x) * by, twice / 2, (r[1].z + r[2].y) * by, (r[0].z - r[2].x) * by};
        break;
    case 2:
        q = {(r[0].z + r[2].x) * by, (r[1].z + r[2].y) * by, twice / 2, (r[1].x - r[0].y) * by};
        break;
    default:
        q = {(r[2].y - r[1].z) * by, (r[0].z - r[2].x) * by, (r[1].x - r[0].y) * by, twice / 2};
    }
    return q.w < 0 ? Quaternion{-q.x, -q.y, -q.z, -q.w} : q;
}

double distanceFromRotation(const RigidTransform& pose) {
    const Vec3d *r = pose.rows, handed = cross(r[0], r[1]) - r[2];
    return std::max({std::abs(squaredNorm(r[0]) - 1), std::abs(squaredNorm(r[1]) - 1),
                     std::abs(squaredNorm(r[2]) - 1), std::abs(dot(r[0], r[1])), norm(handed)});
}

} // namespace scanloupe
