#pragma once
// Computes the plane through the neighbours of a point, for both backends.
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt/ndt_cell.h"

#include <cstddef>
#include <cstdint>

namespace scanloupe {

inline constexpr double kWiden = 3; ///< ratio of the edges of two successive samplings, see findPointShapes()
inline constexpr std::size_t kSamplings = 3;
/// Minimum ratio of the variance across a line of neighbours to the variance along it for which they
/// determine a plane. Two parallel rings reach this ratio if their distance is half the radius of the
/// neighbourhood.
inline constexpr double kSpansPlane = 0.1;
inline constexpr std::uint32_t kFewestNeighbours = 5;

struct NeighbourPlane {
    Vec3f normal;
    float planarity = 0, thickness = 0; ///< see PointShapes
    bool spansPlane = false;
};

/// Returns the plane through the neighbours. @param sums sums over the neighbours, relative to a place among
/// them
HD inline NeighbourPlane planeThrough(const NdtSums& sums) {
    NeighbourPlane plane;
    if (sums.count < kFewestNeighbours)
        return plane;
    const double n = sums.count;
    const Vec3d mean = sums.sum / n;
    double a[3][3], axes[3][3];
    for (int r = 0, k = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c, ++k)
            a[r][c] = a[c][r] = sums.squares[k] / n - mean[r] * mean[c];
    jacobiEigen(a, axes);
    const double least = a[0][0] > 0 ? a[0][0] : 0, most = a[2][2];
    if (!(most > 0))
        return plane;
    plane.normal = Vec3d{axes[0][0], axes[0][1], axes[0][2]}.as<float>();
    plane.planarity = float((a[1][1] - least) / most);
    plane.thickness = float(squareRoot(least * n / (n - 3)));
    plane.spansPlane = a[1][1] > kSpansPlane * most;
    return plane;
}

/// Returns the normal, flipped to the side of `viewpoint`; unchanged if `viewpoint` is null.
HD inline Vec3f normalTowards(Vec3f normal, Vec3f point, const Vec3d* viewpoint) {
    const bool isAway = viewpoint && dot(normal.as<double>(), *viewpoint - point.as<double>()) < 0;
    return isAway ? -normal : normal;
}

} // namespace scanloupe
