#pragma once
// Fits planes and quadrics to the neighbourhoods of points and computes distances to them, for both backends.
#include "kernels/change/local_model.h"
#include "kernels/change/tree_points.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/core/vec3.h"

#include <cmath>
#include <cstdint>

namespace scanloupe {

/// A surface fitted to the neighbours of a point; coordinates are relative to that point. Its height over a
/// plane is c0 + c1 s + c2 t + c3 s^2 + c4 s t + c5 t^2, where s and t are coordinates in the plane in units
/// of `radius`.
struct LocalSurface {
    bool exists = false;   ///< false if there are fewer than three points, or all are collinear
    bool isCurved = false; ///< true: quadric; false: plane only
    Vec3d middle;          ///< mean of the neighbours
    Vec3d axes[3];         ///< unit vectors: two in the plane, and its normal
    double heights[6] = {};
    double radius = 0; ///< metres; largest distance of a neighbour; the surface is valid within this radius
                       ///< only
    double squaredTilt = 0; ///< variance of the normal's direction caused by the noise of the neighbours,
                            ///< radians squared
};

namespace detail {

/// Solves a x = b for a symmetric positive definite matrix by Cholesky decomposition; `b` receives x. Returns
/// false if the matrix is not positive definite within rounding.
template <int N>
HD bool solveSymmetric(double (&a)[N][N], double (&b)[N]) {
    double largest = 0;
    for (int i = 0; i < N; ++i)
        largest = a[i][i] > largest ? a[i][i] : largest;
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (int k = 0; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            if (i == j) {
                if (!(sum > 1e-10 * largest))
                    return false;
                a[i][i] = std::sqrt(sum);
            } else {
                a[i][j] = sum / a[j][j];
            }
        }
    }
    for (int i = 0; i < N; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = N; i-- > 0;) {
        for (int k = i + 1; k < N; ++k)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

/// Fits the least-squares quadric over the plane of `surface`; keeps the plane if the neighbours do not
/// determine a quadric.
HD inline void fitQuadric(const Vec3f* points, const Neighbours& near, Vec3d origin, LocalSurface& surface) {
    constexpr int terms = 6;
    double matrix[terms][terms] = {}, right[terms] = {};
    for (int i = 0; i < near.count; ++i) {
        const Vec3d d = points[near.items[i].item].as<double>() - origin - surface.middle;
        const double s = dot(d, surface.axes[0]) / surface.radius,
                     t = dot(d, surface.axes[1]) / surface.radius, height = dot(d, surface.axes[2]);
        const double row[terms] = {1, s, t, s * s, s * t, t * t};
        for (int r = 0; r < terms; ++r) {
            for (int c = 0; c <= r; ++c)
                matrix[r][c] += row[r] * row[c];
            right[r] += row[r] * height;
        }
    }
    if (!solveSymmetric(matrix, right))
        return;
    surface.isCurved = true;
    for (int i = 0; i < terms; ++i)
        surface.heights[i] = right[i];
}

} // namespace detail

/// Returns the surface fitted to the nearest points of a scan point. @param near the nearest points of point
/// `item`, including the point itself
HD inline LocalSurface localSurface(const Vec3f* points, std::uint32_t item, const Neighbours& near,
                                    LocalModel model) {
    LocalSurface surface;
    if (model == LocalModel::none || near.count < 3)
        return surface;
    const Vec3d origin = points[item].as<double>();
    const auto at = [&](int i) { return points[near.items[i].item].as<double>() - origin; };
    for (int i = 0; i < near.count; ++i)
        surface.middle = surface.middle + at(i);
    surface.middle = surface.middle / near.count;
    double spread[3][3] = {}, axes[3][3];
    for (int i = 0; i < near.count; ++i) {
        const Vec3d d = at(i) - surface.middle;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                spread[r][c] += d[r] * d[c];
    }
    jacobiEigen(spread, axes);
    surface.radius = std::sqrt(near.items[near.count - 1].squaredDistance);
    surface.exists = spread[1][1] > 1e-9 * spread[2][2];
    if (!surface.exists)
        return surface;
    surface.squaredTilt = spread[0][0] / (spread[1][1] * (near.count > 4 ? near.count - 3 : 1));
    for (int i = 0; i < 3; ++i)
        surface.axes[i] = {axes[2 - i][0], axes[2 - i][1], axes[2 - i][2]};
    if (model == LocalModel::quadric)
        detail::fitQuadric(points, near, origin, surface);
    return surface;
}

/// The distance from a place to a local surface, metres, positive on the side of the surface's normal.
struct LocalDistance {
    double value = 0;
    /// true if the closest surface point is within the neighbours' radius, where the surface is valid
    bool isNear = false;
};

/// Computes the distance from a place to a local surface. @param place relative to the point the surface was
/// fitted around, metres
HD inline LocalDistance distanceToLocalSurface(const LocalSurface& surface, Vec3d place) {
    const Vec3d d = place - surface.middle;
    const double s = dot(d, surface.axes[0]), t = dot(d, surface.axes[1]), height = dot(d, surface.axes[2]);
    const auto isNear = [&](double u, double v, double w) {
        const Vec3d foot = surface.middle + surface.axes[0] * u + surface.axes[1] * v + surface.axes[2] * w;
        return squaredNorm(foot) <= surface.radius * surface.radius * (1 + 1e-9);
    };
    if (surface.isCurved) { // find the closest point with Newton's method, starting at the projection onto
                            // the plane
        constexpr int maxSteps = 12;
        const double scale = surface.radius;
        const double* c = surface.heights;
        double u = s, v = t;
        for (int step = 0; step < maxSteps; ++step) {
            const double a = u / scale, b = v / scale;
            const double off =
                c[0] + c[1] * a + c[2] * b + c[3] * a * a + c[4] * a * b + c[5] * b * b - height;
            const double hu = (c[1] + 2 * c[3] * a + c[4] * b) / scale,
                         hv = (c[2] + c[4] * a + 2 * c[5] * b) / scale;
            const double inverse = 1 / (scale * scale);
            const double huu = 2 * c[3] * inverse, huv = c[4] * inverse, hvv = 2 * c[5] * inverse;
            const double gu = u - s + off * hu, gv = v - t + off * hv;
            double uu = 1 + hu * hu + off * huu, uv = hu * hv + off * huv, vv = 1 + hv * hv + off * hvv;
            if (!(uu > 0 && uu * vv - uv * uv > 0)) { // fall back to a Gauss-Newton step
                uu = 1 + hu * hu;
                uv = hu * hv;
                vv = 1 + hv * hv;
            }
            const double area = uu * vv - uv * uv;
            const double du = (vv * gu - uv * gv) / area, dv = (uu * gv - uv * gu) / area;
            u -= du;
            v -= dv;
            if (du * du + dv * dv <= 1e-24 * scale * scale)
                break;
        }
        const double a = u / scale, b = v / scale;
        const double w = c[0] + c[1] * a + c[2] * b + c[3] * a * a + c[4] * a * b + c[5] * b * b;
        const double length = std::sqrt((u - s) * (u - s) + (v - t) * (v - t) + (w - height) * (w - height));
        return {height < w ? -length : length, isNear(u, v, w)};
    }
    return {height, isNear(s, t, 0)};
}

} // namespace scanloupe
