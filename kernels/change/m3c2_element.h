#pragma once
// Computes the change at one place, for both backends.
#include "kernels/change/m3c2.h"
#include "kernels/change/student_quantile.h"
#include "kernels/core/symmetric_eigen.h"

#include <cmath>

namespace scanloupe {

/// Returns the unit normal of the plane fitted to the points within `radius` metres of a place, flipped to
/// the side of `towards`; zero if there are fewer than three points.
HD inline Vec3d normalAround(const TreePoints& scan, Vec3f place, double radius, Vec3d towards) {
    const double squaredRadius = radius * radius;
    const auto limit = static_cast<float>(squaredRadius * 1.000001);
    double count = 0;
    Vec3d sum;
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    const Vec3d at = place.as<double>();
    forPointsIn(
        scan, [&](const Box3f& box) { return squaredDistanceLowerBound(box, place) <= limit; },
        [&](Vec3f point) {
            const Vec3d d = point.as<double>() - at;
            if (!(squaredNorm(d) <= squaredRadius))
                return;
            count += 1;
            sum = sum + d;
            xx += d.x * d.x;
            xy += d.x * d.y;
            xz += d.x * d.z;
            yy += d.y * d.y;
            yz += d.y * d.z;
            zz += d.z * d.z;
        });
    if (count < 3)
        return {};
    const Vec3d mean = sum / count;
    double covariance[3][3] = {
        {xx / count - mean.x * mean.x, xy / count - mean.x * mean.y, xz / count - mean.x * mean.z},
        {xy / count - mean.x * mean.y, yy / count - mean.y * mean.y, yz / count - mean.y * mean.z},
        {xz / count - mean.x * mean.z, yz / count - mean.y * mean.z, zz / count - mean.z * mean.z}};
    double axes[3][3];
    jacobiEigen(covariance, axes);
    const Vec3d normal{axes[0][0], axes[0][1], axes[0][2]};
    return dot(normal, towards) < 0 ? -normal : normal;
}

/// Statistics of a scan's points in a cylinder: their number, and the mean and variance of their positions
/// along the axis, relative to the cylinder's centre.
struct InCylinder {
    std::uint32_t count = 0;
    double mean = 0, variance = 0; ///< metres, square metres; 0 for too few points
};
HD inline InCylinder inCylinder(const TreePoints& scan, Vec3f place, Vec3d axis, double radius,
                                double depth) {
    // half extent of the cylinder's bounding box along an axis, enlarged by the rounding error of single
    // precision
    const auto reach = [&](double along) {
        const double across = 1 - along * along;
        return static_cast<float>(1.000001 *
                                  (depth * std::fabs(along) + radius * std::sqrt(across > 0 ? across : 0.0)));
    };
    const Vec3f half{reach(axis.x), reach(axis.y), reach(axis.z)};
    const Vec3f slack{std::fabs(place.x) * 1e-6f, std::fabs(place.y) * 1e-6f, std::fabs(place.z) * 1e-6f};
    const Vec3f low = place - half - slack, high = place + half + slack;
    const Vec3d at = place.as<double>();
    const double squaredRadius = radius * radius;
    double count = 0, sum = 0, squares = 0;
    forPointsIn(
        scan,
        [&](const Box3f& box) {
            return box.low.x <= high.x && box.high.x >= low.x && box.low.y <= high.y && box.high.y >= low.y &&
                   box.low.z <= high.z && box.high.z >= low.z;
        },
        [&](Vec3f point) {
            const Vec3d d = point.as<double>() - at;
            const double along = dot(d, axis);
            const Vec3d across = d - axis * along;
            if (!(along >= -depth && along <= depth && squaredNorm(across) <= squaredRadius))
                return;
            count += 1;
            sum += along;
            squares += along * along;
        });
    InCylinder found;
    found.count = static_cast<std::uint32_t>(count);
    if (count < 1)
        return found;
    found.mean = sum / count;
    const double spread = squares - sum * found.mean;
    found.variance = count < 2 ? 0.0 : (spread > 0 ? spread : 0.0) / (count - 1);
    return found;
}

HD inline M3c2Change m3c2At(Vec3f place, const TreePoints& first, const TreePoints& second,
                            const M3c2Params& params, float none) {
    constexpr double quantile = 1.96; // two-sided 95 % quantile of the normal distribution
    M3c2Change change{none, none, none, none, 0, 0};
    if (!isFinite(place))
        return change;
    const Vec3d normal = normalAround(first, place, params.normalScale / 2, params.towards);
    if (!(squaredNorm(normal) > 0))
        return change;
    const InCylinder one = inCylinder(first, place, normal, params.diameter / 2, params.depth),
                     other = inCylinder(second, place, normal, params.diameter / 2, params.depth);
    change.count1 = one.count;
    change.count2 = other.count;
    if (one.count > 0 && other.count > 0)
        change.distance = static_cast<float>(other.mean - one.mean);
    if (one.count > 1)
        change.spread1 = static_cast<float>(std::sqrt(one.variance));
    if (other.count > 1)
        change.spread2 = static_cast<float>(std::sqrt(other.variance));
    if (one.count > 1 && other.count > 1) {
        const double part1 = one.variance / one.count, part2 = other.variance / other.count;
        const double both = part1 + part2;
        // degrees of freedom (Welch 1947): variances estimated from few points are uncertain
        const double freedom =
            both > 0 ? both * both / (part1 * part1 / (one.count - 1) + part2 * part2 / (other.count - 1))
                     : 1;
        change.detection = static_cast<float>(studentQuantile95(freedom) * std::sqrt(both) +
                                              quantile * params.registrationError);
    }
    return change;
}

} // namespace scanloupe
