#pragma once
// Defines scenes of planes, boxes and upright cylinders, and casts rays into them, for both backends.
#include "kernels/synth/shapes.h"

#include <cstdint>
#include <vector>

namespace scanloupe::synth {

/// An infinite plane perpendicular to an axis, solid on one side.
struct Plane {
    int axis = 2;
    double at = 0;   ///< position along the axis, metres
    double side = 1; ///< side of free space along the axis, 1 or -1
    double albedo = 0.4;
};
HD inline double distance(const Plane& plane, Vec3d p) {
    return (p[plane.axis] - plane.at) * plane.side;
}
HD inline void cast(const Plane& plane, const Ray& ray, Hit& hit) {
    if (ray.direction[plane.axis] * plane.side < 0)
        hit.offer((plane.at - ray.origin[plane.axis]) * ray.inverse[plane.axis],
                  faceNormal(plane.axis, ray.direction), plane.albedo);
}

/// A box that is rotated about z.
struct TurnedBox {
    Vec3d middle, half; ///< centre and half extents, metres
    double cosine = 1, sine = 0;
    double albedo = 0.5;

    HD Vec3d toLocal(Vec3d v) const { return {cosine * v.x + sine * v.y, cosine * v.y - sine * v.x, v.z}; }
    HD Vec3d fromLocal(Vec3d v) const { return {cosine * v.x - sine * v.y, cosine * v.y + sine * v.x, v.z}; }
};
HD inline double distance(const TurnedBox& box, Vec3d p) {
    return distance(Box{-box.half, box.half}, box.toLocal(p - box.middle));
}
HD inline void cast(const TurnedBox& box, const Ray& ray, Hit& hit) {
    // most rays miss the circumscribed sphere of the box
    const Vec3d offset = box.middle - ray.origin;
    const double along = dot(offset, ray.direction), radius = squaredNorm(box.half) * (1 + 1e-9);
    if (squaredNorm(offset) - along * along > radius || (along < 0 && along * along > radius))
        return;
    const Ray local = makeRay(box.toLocal(-offset), box.toLocal(ray.direction));
    const Slab s = slab(local, -box.half, box.half);
    if (s.hit() && s.enter < hit.range)
        hit.offer(s.enter, box.fromLocal(faceNormal(s.enterAxis, local.direction)), box.albedo);
}

/// Pointers to the solids of a scene; trivially copyable, so that the view can be copied to a device.
struct SolidView {
    const Plane* planes;       // [planeCount]
    const TurnedBox* boxes;    // [boxCount]
    const Cylinder* cylinders; // [cylinderCount]
    int planeCount, boxCount, cylinderCount;
    double period; ///< see SolidScene::period

    /// Returns the equivalent position in the period around x = 0.
    HD Vec3d folded(Vec3d p) const {
        if (period > 0)
            p.x -= period * std::floor(p.x / period + 0.5);
        return p;
    }
};

struct SolidScene {
    std::vector<Plane> planes;
    std::vector<TurnedBox> boxes;
    std::vector<Cylinder> cylinders;
    /// Period along x of a scene that is infinitely repeated, metres; 0: not repeated. The solids are those
    /// within half a period of x = 0.
    double period = 0;

    SolidView view() const {
        return {planes.data(),
                boxes.data(),
                cylinders.data(),
                static_cast<int>(planes.size()),
                static_cast<int>(boxes.size()),
                static_cast<int>(cylinders.size()),
                period};
    }
};

/// Returns the signed distance from the nearest solid, metres.
HD inline double distance(const SolidView& scene, Vec3d p) {
    p = scene.folded(p);
    double nearest = kNoHit;
    for (int i = 0; i < scene.planeCount; ++i)
        nearest = lesser(nearest, distance(scene.planes[i], p));
    for (int i = 0; i < scene.boxCount; ++i)
        nearest = lesser(nearest, distance(scene.boxes[i], p));
    for (int i = 0; i < scene.cylinderCount; ++i)
        nearest = lesser(nearest, distance(scene.cylinders[i], p));
    return nearest;
}

/// Returns the first hit of a ray from `origin`. @param direction of any length
HD inline Hit castSolids(const SolidView& scene, Vec3d origin, Vec3d direction) {
    const Ray ray = makeRay(scene.folded(origin), direction);
    Hit hit;
    for (int i = 0; i < scene.planeCount; ++i)
        cast(scene.planes[i], ray, hit);
    for (int i = 0; i < scene.boxCount; ++i)
        cast(scene.boxes[i], ray, hit);
    for (int i = 0; i < scene.cylinderCount; ++i)
        cast(scene.cylinders[i], ray, hit);
    return hit;
}

/// Types of places. All have flat floors, and registration is known to fail in them.
enum class Place : std::uint8_t {
    street,    ///< flat road along x between facades, with parked cars and poles
    corridor,  ///< infinite bare corridor along x, 2.4 x 2.8 m: all positions along it look the same
    cluttered, ///< the same corridor, with cupboards and boxes along its walls
    racks,     ///< infinite hall along x, with racks on both sides: it looks the same every 4 m
    room,      ///< furnished room
    field,     ///< open flat ground with few objects
};

/// Builds a place. The sensor has free space around x = 0, y = 0, and, except in the room, for moving along
/// x.
SolidScene makePlace(Place place, std::uint64_t seed);
/// Returns the usual height of a sensor above the floor of a place, metres.
double usualHeight(Place place);

} // namespace scanloupe::synth
