#pragma once
// Defines signed distances and ray casts of simple solids, for both backends; distances are positive outside
// the solid.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/synth/poly_math.h"

#include <cmath>

namespace scanloupe::synth {

inline constexpr double kNoHit = 1e30; ///< range of a ray that hits nothing, metres

struct Ray {
    Vec3d origin;    ///< metres
    Vec3d direction; ///< unit vector; no component is zero
    Vec3d inverse;   ///< 1 / direction, component-wise

    HD Vec3d at(double range) const { return origin + range * direction; }
};

/// The nearest hit along a ray so far.
struct Hit {
    double range = kNoHit; ///< metres
    Vec3d normal;          ///< unit normal, pointing out of the solid
    double albedo = 0;     ///< 0 to 1

    HD void offer(double newRange, Vec3d newNormal, double newAlbedo) {
        if (newRange <= 0 || newRange >= range)
            return;
        range = newRange;
        normal = newNormal;
        albedo = newAlbedo;
    }
};

/// Makes a ray. @param direction of any length; components near zero are replaced by 1e-12, so that slab
/// tests never divide by zero
HD inline Ray makeRay(Vec3d origin, Vec3d direction) {
    Vec3d unit = normalized(direction);
    for (int axis = 0; axis < 3; ++axis)
        if (absolute(unit[axis]) < 1e-12)
            unit[axis] = 1e-12;
    return {origin, unit, Vec3d{1, 1, 1} / unit};
}

/// Returns the unit vector along `axis` that points against `direction`.
HD inline Vec3d faceNormal(int axis, Vec3d direction) {
    Vec3d normal;
    normal[axis] = direction[axis] > 0 ? -1 : 1;
    return normal;
}

/// Interval of a ray's line in an axis-aligned box (slab test, Kay and Kajiya, 1986); a miss if enter >
/// leave.
struct Slab {
    double enter, leave;
    int enterAxis, leaveAxis;

    HD bool hit() const { return enter <= leave; }
};
HD inline Slab slab(const Ray& ray, Vec3d low, Vec3d high) {
    const Vec3d a = (low - ray.origin) * ray.inverse, b = (high - ray.origin) * ray.inverse;
    const Vec3d in = min(a, b), out = max(a, b);
    Slab s{in.x, out.x, 0, 0};
    if (in.y > s.enter)
        s.enter = in.y, s.enterAxis = 1;
    if (in.z > s.enter)
        s.enter = in.z, s.enterAxis = 2;
    if (out.y < s.leave)
        s.leave = out.y, s.leaveAxis = 1;
    if (out.z < s.leave)
        s.leave = out.z, s.leaveAxis = 2;
    return s;
}

struct Box {
    Vec3d low, high; ///< corners of the box, metres
    double albedo = 0.5;
};
HD inline double distance(const Box& box, Vec3d p) {
    const Vec3d q = max(box.low - p, p - box.high);
    const Vec3d out = max(q, Vec3d{});
    return norm(out) + lesser(greater(q.x, greater(q.y, q.z)), 0.0);
}
HD inline void cast(const Box& box, const Ray& ray, Hit& hit) {
    const Slab s = slab(ray, box.low, box.high);
    if (s.hit() && s.enter < hit.range)
        hit.offer(s.enter, faceNormal(s.enterAxis, ray.direction), box.albedo);
}

struct Sphere {
    Vec3d centre;
    double radius = 1;
    double albedo = 0.5;
};
HD inline double distance(const Sphere& sphere, Vec3d p) {
    return norm(p - sphere.centre) - sphere.radius;
}
HD inline void cast(const Sphere& sphere, const Ray& ray, Hit& hit) {
    const Vec3d o = ray.origin - sphere.centre;
    const double b = dot(o, ray.direction);
    const double discriminant = b * b - squaredNorm(o) + sphere.radius * sphere.radius;
    if (discriminant < 0)
        return;
    const double range = -b - std::sqrt(discriminant);
    if (range <= 0 || range >= hit.range)
        return;
    hit.offer(range, (o + range * ray.direction) / sphere.radius, sphere.albedo);
}

/// Returns the signed distance of the extrusion {a <= 0 and b <= 0}. @param a signed distance to its profile
/// @param b signed distance along its axis
HD inline double extrudedDistance(double a, double b) {
    const double outA = greater(a, 0.0), outB = greater(b, 0.0);
    return std::sqrt(outA * outA + outB * outB) + lesser(greater(a, b), 0.0);
}

/// An upright cylinder with flat ends.
struct Cylinder {
    double x = 0, y = 0, radius = 0.1;
    double bottom = 0, top = 1;
    double albedo = 0.5;
};
HD inline double distance(const Cylinder& c, Vec3d p) {
    const double dx = p.x - c.x, dy = p.y - c.y;
    return extrudedDistance(std::sqrt(dx * dx + dy * dy) - c.radius, greater(c.bottom - p.z, p.z - c.top));
}
HD inline void cast(const Cylinder& c, const Ray& ray, Hit& hit) {
    const double ox = ray.origin.x - c.x, oy = ray.origin.y - c.y;
    const double dx = ray.direction.x, dy = ray.direction.y;
    const double a = dx * dx + dy * dy, b = ox * dx + oy * dy;
    const double discriminant = b * b - a * (ox * ox + oy * oy - c.radius * c.radius);
    if (discriminant < 0)
        return;
    const double root = std::sqrt(discriminant);
    const double side = (-b - root) / a;
    const double height = ray.origin.z + side * ray.direction.z;
    if (height >= c.bottom && height <= c.top) {
        hit.offer(side, {(ox + side * dx) / c.radius, (oy + side * dy) / c.radius, 0}, c.albedo);
        return;
    }
    const double level = height > c.top ? c.top : c.bottom;
    const double cap = (level - ray.origin.z) * ray.inverse.z;
    if (cap > side && cap < (-b + root) / a)
        hit.offer(cap, faceNormal(2, ray.direction), c.albedo);
}

} // namespace scanloupe::synth
