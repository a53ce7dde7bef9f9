#pragma once
// Defines the signed distance and the ray cast of a street along x, for both backends: a road between curbs,
// houses, parked cars, lamp posts, trees and bollards.
#include "kernels/synth/car_shape.h"
#include "kernels/synth/house_shape.h"

namespace scanloupe::synth {

inline constexpr double kRoadHalfWidth = 5.0; ///< half the width of the road, metres; the curbs are at y = -5
                                              ///< and 5
inline constexpr double kCurbHeight = 0.14;   ///< metres

/// Geometry of the street; trivially copyable, so that it can be copied to a device.
struct StreetLayout {
    static constexpr int kMaxHouses = 20, kMaxCars = 20, kMaxCylinders = 40, kMaxSpheres = 24, kShapes = 3;
    int houseCount = 0, carCount = 0, cylinderCount = 0, sphereCount = 0;
    House houses[kMaxHouses];
    Car cars[kMaxCars];
    CarShape shapes[kShapes];
    Cylinder cylinders[kMaxCylinders];
    Sphere spheres[kMaxSpheres];
};
StreetLayout makeStreetLayout();

/// Returns the signed distance from road and pavements, metres.
HD inline double groundDistance(Vec3d p) {
    const double across = absolute(p.y) - kRoadHalfWidth, above = p.z - kCurbHeight;
    const double outX = greater(-across, 0.0), outZ = greater(above, 0.0);
    const bool free = above > 0 || (across < 0 && p.z > 0);
    if (free)
        return lesser(p.z, std::sqrt(outX * outX + outZ * outZ));
    const double inX = greater(across, 0.0), inZ = greater(-p.z, 0.0);
    return -lesser(-above, std::sqrt(inX * inX + inZ * inZ));
}

/// Returns the albedo of road and pavements, with dashed lines along the middle of the road and slabs on the
/// pavements.
HD inline double groundAlbedo(double x, double y) {
    const double across = absolute(y);
    if (across > kRoadHalfWidth)
        return 0.42 + 0.08 * (fraction((x + 100) / 0.8) < 0.5 ? 1 : 0);
    const bool dash = across < 0.08 && fraction((x + 100) / 4) < 0.5;
    const bool parkingLine = absolute(across - 2.75) < 0.06;
    return dash || parkingLine ? 0.9 : 0.2;
}

/// Casts a ray that starts above the road.
HD inline void castGround(const Ray& ray, Hit& hit) {
    if (ray.direction.z >= 0)
        return;
    const double onCurb = (kCurbHeight - ray.origin.z) * ray.inverse.z;
    const Vec3d upper = ray.at(onCurb);
    if (absolute(upper.y) >= kRoadHalfWidth)
        return hit.offer(onCurb, {0, 0, 1}, groundAlbedo(upper.x, upper.y));
    const double onRoad = -ray.origin.z * ray.inverse.z;
    const Vec3d lower = ray.at(onRoad);
    if (absolute(lower.y) < kRoadHalfWidth)
        return hit.offer(onRoad, {0, 0, 1}, groundAlbedo(lower.x, lower.y));
    const double side = ray.direction.y > 0 ? kRoadHalfWidth : -kRoadHalfWidth;
    hit.offer((side - ray.origin.y) * ray.inverse.y, faceNormal(1, ray.direction), 0.6);
}

HD inline double streetDistance(const StreetLayout& street, Vec3d p) {
    double nearest = groundDistance(p);
    for (int i = 0; i < street.houseCount; ++i)
        if (const House& house = street.houses[i]; distance(house.block(), house.toLocal(p)) < nearest)
            nearest = lesser(nearest, distance(house, p));
    for (int i = 0; i < street.cylinderCount; ++i)
        nearest = lesser(nearest, distance(street.cylinders[i], p));
    for (int i = 0; i < street.sphereCount; ++i)
        nearest = lesser(nearest, distance(street.spheres[i], p));
    for (int i = 0; i < street.carCount; ++i) {
        const CarShape& shape = street.shapes[street.cars[i].shape];
        const Vec3d local = toCar(street.cars[i], p);
        if (boxDistance(shape, local) < nearest)
            nearest = lesser(nearest, carParts(shape, local).nearest());
    }
    return nearest;
}

HD inline Hit castStreet(const StreetLayout& street, const Ray& ray) {
    Hit hit;
    castGround(ray, hit);
    for (int i = 0; i < street.houseCount; ++i)
        cast(street.houses[i], ray, hit);
    for (int i = 0; i < street.cylinderCount; ++i)
        cast(street.cylinders[i], ray, hit);
    for (int i = 0; i < street.sphereCount; ++i)
        cast(street.spheres[i], ray, hit);
    for (int i = 0; i < street.carCount; ++i)
        cast(street.cars[i], street.shapes[street.cars[i].shape], ray, hit);
    return hit;
}

} // namespace scanloupe::synth
