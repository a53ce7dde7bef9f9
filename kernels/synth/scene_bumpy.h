#pragma once
// Defines the signed distance and the ray cast of a bumpy sphere of radius about 1 m around the origin, for
// both backends.
#include "kernels/synth/shapes.h"

namespace scanloupe::synth {

/// Maximum distance of the surface from the unit sphere, metres.
inline constexpr double kBumpHeight = 0.062;
/// Negative lower bound of the second derivative of the field along any line, 1 / metre.
inline constexpr double kSecondDerivativeBound = 10;

/// Distance of the surface from the origin along a unit vector, and the gradient of this distance with
/// respect to the vector.
struct BumpyRadius {
    double radius;
    Vec3d gradient;
};
HD inline BumpyRadius bumpyRadius(Vec3d q) {
    const SinCos a = sinCos(9 * q.x), b = sinCos(8 * q.y + 1), c = sinCos(7 * q.z + 2);
    const SinCos u = sinCos(13 * q.x + 5 * q.y), v = sinCos(11 * q.z + 4 * q.y);
    return {1 + 0.05 * a.sine * b.sine * c.sine + 0.012 * u.sine * v.sine,
            {0.45 * a.cosine * b.sine * c.sine + 0.156 * u.cosine * v.sine,
             0.40 * a.sine * b.cosine * c.sine + 0.060 * u.cosine * v.sine + 0.048 * u.sine * v.cosine,
             0.35 * a.sine * b.sine * c.cosine + 0.132 * u.sine * v.cosine}};
}

/// Implicit function |p| - radius(p / |p|) and its gradient: zero on the surface, positive outside.
struct BumpyField {
    double value;
    Vec3d gradient;
};
HD inline BumpyField bumpyField(Vec3d p) {
    const double length = greater(norm(p), 1e-9);
    const Vec3d q = p / length;
    const BumpyRadius r = bumpyRadius(q);
    return {length - r.radius, q - (r.gradient - dot(r.gradient, q) * q) / length};
}

/// Returns the signed distance to the surface: exact up to rounding within some centimetres of the surface, a
/// close estimate further away. The foot point is found iteratively: by a step along the tangent plane, then
/// projection back onto the surface.
HD inline double bumpyDistance(Vec3d p) {
    const double outside = bumpyField(p).value;
    const double length = norm(p);
    if (length < 0.5)
        return outside; // the surface is far away
    Vec3d foot = p * ((length - outside) / length);
    // A full step would overshoot where the surface bends away from p; its curvature is below 8 per metre.
    const double slide = 1 / (1 + 8 * absolute(outside));
    for (int step = 0; step < 12; ++step) {
        const Vec3d normal = normalized(bumpyField(foot).gradient);
        const Vec3d offset = p - foot;
        foot += (offset - dot(offset, normal) * normal) * slide;
        const double footLength = norm(foot);
        foot *= bumpyRadius(foot / footLength).radius / footLength;
    }
    const double reach = norm(p - foot);
    return outside < 0 ? -reach : reach;
}

HD inline Hit castBumpy(const Ray& ray) {
    Hit hit;
    const double b = dot(ray.origin, ray.direction);
    const double outer = 1 + kBumpHeight;
    const double discriminant = b * b - squaredNorm(ray.origin) + outer * outer;
    if (discriminant < 0)
        return hit;
    double range = -b - std::sqrt(discriminant);
    const double end = -b + std::sqrt(discriminant);
    for (int step = 0; step < 100 && range < end; ++step) {
        const Vec3d p = ray.at(range);
        const BumpyField field = bumpyField(p);
        if (field.value < 1e-9) {
            hit.offer(range, normalized(field.gradient), 0.55 + 4 * (norm(p) - 1));
            return hit;
        }
        // Along the ray, the field is above a parabola, so a step to the parabola's root never passes the
        // surface.
        const double slope = dot(field.gradient, ray.direction);
        range += (slope + std::sqrt(slope * slope + 2 * kSecondDerivativeBound * field.value)) /
                 kSecondDerivativeBound;
    }
    return hit;
}

} // namespace scanloupe::synth
