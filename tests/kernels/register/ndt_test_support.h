#pragma once
// Scenes with an exact truth for registration, and ways to compare poses.
#include "kernels/register/ndt/ndt.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <random>
#include <vector>

namespace scanloupe::test {

/// A parallelogram.
struct Patch {
    Vec3d corner, u, v;
};

/// Points spread evenly over patches, moved by normal noise along all axes.
inline std::vector<Vec3d> sample(const std::vector<Patch>& patches, std::size_t count, double noise,
                                 std::mt19937_64& random) {
    std::vector<double> areas;
    for (const Patch& patch : patches)
        areas.push_back(norm(cross(patch.u, patch.v)));
    std::discrete_distribution<std::size_t> which(areas.begin(), areas.end());
    std::uniform_real_distribution<double> along(0, 1);
    std::normal_distribution<double> normal(0, 1);
    std::vector<Vec3d> points;
    for (std::size_t i = 0; i < count; ++i) {
        const Patch& patch = patches[which(random)];
        Vec3d p = patch.corner + patch.u * along(random) + patch.v * along(random);
        p += Vec3d{normal(random), normal(random), normal(random)} * noise;
        points.push_back(p);
    }
    return points;
}

/// A yard of 40 m with walls in several directions, posts and a slope: it constrains all six degrees of
/// freedom.
inline std::vector<Patch> yard() {
    std::vector<Patch> patches{
        {{-20, -20, 0}, {40, 0, 0}, {0, 40, 0.8}}, {{-18, 12, -1}, {14, 2, 0}, {0, 0, 7}},
        {{8, -17, -1}, {3, 13, 0}, {0, 0, 6}},     {{-15, -16, -1}, {12, -1, 0}, {0, 0, 5}},
        {{2, 6, -1}, {8, 9, 0}, {0, 0, 8}},        {{-12, -6, 0.5}, {4, 3, 0}, {-1, 2, 3}},
        {{-4, -2, 3}, {3, 0, 1}, {0, 3, 0.5}}};
    for (int i = 0; i < 9; ++i) {
        const Vec3d at{-17 + 4.1 * i, 9.0 * std::sin(2.3 * i), -0.5};
        patches.push_back({at, {0.4, 0, 0}, {0, 0, 4}});
        patches.push_back({at, {0, 0.4, 0}, {0, 0, 4}});
    }
    return patches;
}
/// Two long walls, a floor and a ceiling: the position along x is unconstrained.
inline std::vector<Patch> corridor() {
    return {{{-60, -2, 0}, {120, 0, 0}, {0, 4, 0}},
            {{-60, -2, 3}, {120, 0, 0}, {0, 4, 0}},
            {{-60, -2, 0}, {120, 0, 0}, {0, 0, 3}},
            {{-60, 2, 0}, {120, 0, 0}, {0, 0, 3}}};
}
/// A floor: x, y and the rotation about z are unconstrained.
inline std::vector<Patch> floorOnly() {
    return {{{-60, -60, 0.7}, {120, 0, 0}, {0, 120, 0}}};
}

inline std::vector<Vec3f> toFloat(const std::vector<Vec3d>& points, Vec3d origin = {}) {
    std::vector<Vec3f> result;
    for (const Vec3d p : points)
        result.push_back((p - origin).as<float>());
    return result;
}
/// The points within `reach` of the sensor at this pose, in the sensor's frame.
inline std::vector<Vec3f> seenFrom(const RigidTransform& pose, const std::vector<Vec3d>& points,
                                   double reach) {
    const RigidTransform back = pose.inverse();
    std::vector<Vec3f> seen;
    for (const Vec3d p : points)
        if (norm(p - pose.translation) < reach)
            seen.push_back(back(p).as<float>());
    return seen;
}
inline RigidTransform randomPose(std::mt19937_64& random, double shift, double angle) {
    std::uniform_real_distribution<double> along(-1, 1);
    const auto three = [&] { return Vec3d{along(random), along(random), along(random)}; };
    const Vec3d angles = three() * angle;
    return fromRollPitchYaw(angles, three() * shift);
}

struct PoseError {
    double metres, degrees;
};
inline PoseError errorOf(const RigidTransform& found, const RigidTransform& truth) {
    return {norm(found.translation - truth.translation),
            rotationAngle(found.inverse() * truth) * 180 / 3.14159265358979323846};
}
inline std::string text(const PoseError& error) {
    return std::to_string(error.metres * 1000) + " mm, " + std::to_string(error.degrees) + " degrees";
}

inline NdtMap mapOf(const std::vector<Vec3f>& points, const NdtMapParams& params = {}, Vec3d origin = {}) {
    NdtMap map(params);
    map.add(points, origin, {}, {});
    return map;
}

inline bool sameBits(const NdtResult& a, const NdtResult& b) {
    bool same = a.pose == b.pose && a.end == b.end && a.iterations == b.iterations && a.score == b.score &&
                a.nvtl == b.nvtl && a.pointsWithCell == b.pointsWithCell &&
                a.geometry.hessian == b.geometry.hessian && a.geometry.gradient == b.geometry.gradient &&
                a.trace.size() == b.trace.size() && a.pointCells.size() == b.pointCells.size();
    for (std::size_t i = 0; same && i < a.trace.size(); ++i)
        same = a.trace[i].pose == b.trace[i].pose && a.trace[i].score == b.trace[i].score;
    for (std::size_t i = 0; same && i < a.pointCells.size(); ++i)
        same = a.pointCells[i] == b.pointCells[i] &&
               (a.pointScores[i] == b.pointScores[i] ||
                (std::isnan(a.pointScores[i]) && std::isnan(b.pointScores[i])));
    return same;
}

} // namespace scanloupe::test

/// Fails unless the pose is accurate to `millimetres` and `maxDegrees`.
#define VERIFY_POSE(found, truth, millimetres, maxDegrees)                                                   \
    do {                                                                                                     \
        const auto error = scanloupe::test::errorOf(found, truth);                                           \
        QVERIFY2(error.metres * 1000 <= (millimetres) && error.degrees <= (maxDegrees),                      \
                 scanloupe::test::text(error).c_str());                                                      \
    } while (false)
