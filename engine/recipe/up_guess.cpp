// Estimates the up axis from the view of a depth camera or the base of an object.
#include "engine/recipe/up_guess.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kFewest = 200;         // minimum number of points for an estimate
constexpr std::size_t kBasePoints = 200'000; // number of points that suffices to find a base
constexpr double kLargestObject = 5;         // maximum length of the longest edge of an object, metres

/// Whether the pose is the identity, which PCD files also contain if the pose is unknown.
bool isIdentity(const SensorPose& sensor) {
    return sensor == SensorPose{};
}

/// Whether the sensor is at the origin and the points are in a cone in front of it along z, as in the view of
/// a depth camera, whose frame has x to the right and y downwards.
bool isBeforeDepthCamera(const PointCloud& cloud, std::span<const Vec3d> points) {
    constexpr double widest = 0.75, narrowest = 0.05; // tangents of half the angle of view
    // the rotation of the sensor is ignored, because OpenNI files contain a rotation by half a turn
    if (!cloud.sensor || !(cloud.sensor->position == Vec3d{}))
        return false;
    std::size_t wide = 0, outside = 0;
    for (const Vec3d& p : points) {
        const double across = std::max(std::abs(p.x), std::abs(p.y));
        outside += !(across < widest * p.z);
        wide += across > narrowest * p.z;
    }
    return 100 * outside <= points.size() && 100 * wide >= points.size();
}

bool isSurvey(const PointCloud& cloud, const Bounds& range) {
    constexpr std::array ofSurveys = {
        "time", "ring", "classification", "return_number", "number_of_returns", "sensor_x", "scan_angle"};
    const Vec3d extent = range.max - range.min;
    return std::max({extent.x, extent.y, extent.z}) > kLargestObject ||
           (cloud.sensor && !isIdentity(*cloud.sensor)) || !(cloud.origin() == Vec3d{}) ||
           !cloud.coordinateSystem.empty() ||
           std::any_of(ofSurveys.begin(), ofSurveys.end(),
                       [&](const char* name) { return cloud.attribute(name); });
}

/// Returns the q-quantile of `values`, and reorders them.
double quantile(std::vector<double>& values, double q) {
    const auto at = values.begin() + std::llround(q * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Returns one share per candidate up axis, in the order of UpAxis: the share of the object's footprint
/// (width times depth) that its lowest 2 % cover. It is large for a base, and small if the lowest part is
/// round or was not scanned.
std::array<double, 6> baseShares(std::span<const Vec3d> points) {
    constexpr double stray = 0.001, slab = 0.02, rim = 0.05;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kBasePoints);
    Vec3d low, high;
    std::vector<double> values;
    for (int axis = 0; axis < 3; ++axis) {
        values.clear();
        for (std::size_t i = 0; i < points.size(); i += stride)
            values.push_back(points[i][axis]);
        low[axis] = quantile(values, stray);
        high[axis] = quantile(values, 1 - stray);
    }
    const Vec3d extent = high - low;
    const double thickness = slab * std::max({extent.x, extent.y, extent.z});
    std::array<double, 6> shares{};
    for (std::size_t up = 0; up < shares.size(); ++up) {
        const int axis = int(up / 2);
        double share = 1;
        for (const int across : {(axis + 1) % 3, (axis + 2) % 3}) {
            values.clear();
            for (std::size_t i = 0; i < points.size(); i += stride) {
                const double height =
                    up % 2 == 0 ? points[i][axis] - low[axis] : high[axis] - points[i][axis];
                if (height < thickness)
                    values.push_back(points[i][across]);
            }
            share *= values.size() < 3 || !(extent[across] > 0)
                         ? 0
                         : (quantile(values, 1 - rim) - quantile(values, rim)) / extent[across];
        }
        shares[up] = share;
    }
    return shares;
}

} // namespace

UpGuess guessUp(const PointCloud& cloud, std::span<const Vec3d> points, const Bounds& range) {
    // chosen by measurements on Stanford's bunny (whole and partial scans), the cow Spot, a fuze bottle, a
    // bathtub, a street lamp and a milk carton, 2026-11-23
    constexpr double broad = 0.15, clearly = 1.5;
    if (points.size() < kFewest)
        return {};
    if (isBeforeDepthCamera(cloud, points))
        return {UpAxis::minusY, UpGuess::Reason::depthCamera};
    if (isSurvey(cloud, range))
        return {};
    const auto shares = baseShares(points);
    const auto best = std::max_element(shares.begin(), shares.end());
    const bool clear = std::all_of(shares.begin(), shares.end(), [&](const double& share) {
        return &share == &*best || *best >= clearly * share;
    });
    if (!clear || *best < broad)
        return {};
    return {UpAxis(best - shares.begin()), UpGuess::Reason::base};
}

UpAxis turnedAxis(UpAxis up, const RigidTransform& motion) {
    Vec3d unit;
    unit[int(up) / 2] = int(up) % 2 == 0 ? 1 : -1;
    const Vec3d turned = motion.rotate(unit);
    int longest = int(up) / 2; // unchanged if another axis is equally near
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(turned[axis]) > std::abs(turned[longest]) * (1 + 1e-9))
            longest = axis;
    return UpAxis(2 * longest + (turned[longest] < 0 ? 1 : 0));
}

} // namespace scanloupe
