#pragma once
// Defines the signed distance and the ray cast of a parked car, for both backends. Body and cabin are rounded
// extrusions of convex side profiles; the wheels are discs.
#include "kernels/synth/shapes.h"

namespace scanloupe::synth {

/// A convex polygon in the xz plane, counter-clockwise.
struct Profile {
    static constexpr int kMaxCorners = 8;
    int corners = 0;
    double x[kMaxCorners] = {}, z[kMaxCorners] = {};   ///< coordinates of the corners, metres
    double ex[kMaxCorners] = {}, ez[kMaxCorners] = {}; ///< vector from each corner to the next one, metres
    double inverseLength[kMaxCorners] = {};            ///< inverse length of each of these edges, 1 / metre
};

/// Returns the signed distance from a profile, metres; negative inside.
HD inline double distance(const Profile& profile, double x, double z) {
    double inside = -1e30, outside = 1e30;
    for (int i = 0; i < profile.corners; ++i) {
        const double ex = profile.ex[i], ez = profile.ez[i], scale = profile.inverseLength[i];
        const double wx = x - profile.x[i], wz = z - profile.z[i];
        inside = greater(inside, (wx * ez - wz * ex) * scale);
        const double along = clamped((wx * ex + wz * ez) * scale * scale, 0, 1);
        const double bx = wx - ex * along, bz = wz - ez * along;
        outside = lesser(outside, bx * bx + bz * bz);
    }
    return inside < 0 ? inside : std::sqrt(outside);
}

struct CarShape {
    Profile body, cabin;                               ///< side profiles before rounding
    double bodyHalfWidth = 0.8, bodyRounding = 0.07;   ///< metres
    double cabinHalfWidth = 0.62, cabinRounding = 0.1; ///< metres
    double wheelX = 1.3, wheelRadius = 0.31;           ///< metres
    Vec3d half; ///< half the length, half the width and the full height, metres
};

struct Car {
    int shape = 0;               ///< index of the car's CarShape
    double x = 0, y = 0;         ///< position on the road, metres
    double cosine = 1, sine = 0; ///< cosine and sine of its heading
    double albedo = 0.5;
};

/// Rotates a direction into the car's frame: x forward, y left; the road is at z = 0.
HD inline Vec3d rotateToCar(const Car& car, Vec3d v) {
    return {car.cosine * v.x + car.sine * v.y, car.cosine * v.y - car.sine * v.x, v.z};
}
HD inline Vec3d rotateFromCar(const Car& car, Vec3d v) {
    return {car.cosine * v.x - car.sine * v.y, car.cosine * v.y + car.sine * v.x, v.z};
}
HD inline Vec3d toCar(const Car& car, Vec3d p) {
    return rotateToCar(car, {p.x - car.x, p.y - car.y, p.z});
}

/// Signed distances from the parts of a car, metres.
struct CarParts {
    double body, cabin, wheel;

    HD double nearest() const { return lesser(body, lesser(cabin, wheel)); }
};
HD inline CarParts carParts(const CarShape& shape, Vec3d p) {
    const double y = absolute(p.y);
    CarParts parts;
    parts.body =
        extrudedDistance(distance(shape.body, p.x, p.z), y - shape.bodyHalfWidth) - shape.bodyRounding;
    parts.cabin =
        extrudedDistance(distance(shape.cabin, p.x, p.z), y - shape.cabinHalfWidth) - shape.cabinRounding;
    const double wx = absolute(p.x) - shape.wheelX, wz = p.z - shape.wheelRadius;
    const double outer = shape.half.y - 0.02; // outer end of the wheel's axis, before the rim is rounded by 2
                                              // cm
    parts.wheel = extrudedDistance(std::sqrt(wx * wx + wz * wz) - shape.wheelRadius + 0.02,
                                   absolute(y - outer + 0.1) - 0.1) -
                  0.02;
    return parts;
}

/// Returns the distance from the bounding box of a car, which is a lower bound of the distance from the car.
HD inline double boxDistance(const CarShape& shape, Vec3d p) {
    return distance(Box{{-shape.half.x, -shape.half.y, 0}, shape.half}, p);
}

HD inline double carAlbedo(const Car& car, const CarParts& parts, Vec3d normal) {
    if (parts.wheel <= parts.body && parts.wheel <= parts.cabin)
        return 0.08;
    const bool glass = parts.cabin < parts.body && normal.z < 0.9;
    return glass ? 0.15 : car.albedo;
}

/// Casts a ray by sphere tracing (Hart, 1996) inside the car's box. No step passes the surface, since the
/// signed distance is a lower bound.
HD inline void cast(const Car& car, const CarShape& shape, const Ray& world, Hit& hit) {
    // most rays miss the circumscribed circle of the car, seen from above
    const double ox = world.origin.x - car.x, oy = world.origin.y - car.y;
    const double dx = world.direction.x, dy = world.direction.y;
    const double reach = shape.half.x * shape.half.x + shape.half.y * shape.half.y;
    const double past = ox * dy - oy * dx;
    if (past * past > reach * (dx * dx + dy * dy))
        return;
    if (ox * dx + oy * dy > 0 && ox * ox + oy * oy > reach)
        return;
    const Vec3d origin = toCar(car, world.origin), direction = rotateToCar(car, world.direction);
    const Ray ray = makeRay(origin, direction);
    const Slab s = slab(ray, {-shape.half.x, -shape.half.y, 0}, shape.half);
    if (!s.hit() || s.enter >= hit.range || s.leave < 0)
        return;
    double range = greater(s.enter, 0.0);
    const double end = lesser(s.leave, hit.range);
    for (int step = 0; step < 128 && range < end; ++step) {
        const Vec3d p = ray.at(range);
        const CarParts parts = carParts(shape, p);
        const double d = parts.nearest();
        if (d < 1e-6) {
            const double e = 1e-6;
            const auto at = [&](double x, double y, double z) {
                return carParts(shape, p + Vec3d{x, y, z}).nearest();
            };
            const Vec3d normal = normalized(
                Vec3d{at(e, 0, 0) - at(-e, 0, 0), at(0, e, 0) - at(0, -e, 0), at(0, 0, e) - at(0, 0, -e)});
            hit.offer(range, rotateFromCar(car, normal), carAlbedo(car, parts, normal));
            return;
        }
        range += d;
    }
}

} // namespace scanloupe::synth
