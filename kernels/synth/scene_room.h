#pragma once
// Defines the signed distance and the ray cast of a furnished room of 6 x 5 x 2.8 m, seen from inside, for
// both backends.
#include "kernels/synth/shapes.h"

namespace scanloupe::synth {

/// Geometry of the room; trivially copyable, so that it can be copied to a device.
struct RoomLayout {
    static constexpr int kMaxGroups = 16, kMaxBoxes = 96, kMaxSpheres = 4;
    /// A group of boxes that are close together, with its bounding box.
    struct Group {
        Box around;
        int firstBox = 0, boxCount = 0;
    };
    Box walls; ///< the free space between floor, ceiling and walls
    int groupCount = 0, boxCount = 0, sphereCount = 0;
    Group groups[kMaxGroups];
    Box boxes[kMaxBoxes];
    Sphere spheres[kMaxSpheres];
    Cylinder column;
};
RoomLayout makeRoomLayout();

HD inline double roomDistance(const RoomLayout& room, Vec3d p) {
    double nearest = -distance(room.walls, p);
    for (int g = 0; g < room.groupCount; ++g) {
        const RoomLayout::Group& group = room.groups[g];
        if (distance(group.around, p) >= nearest)
            continue;
        for (int i = 0; i < group.boxCount; ++i)
            nearest = lesser(nearest, distance(room.boxes[group.firstBox + i], p));
    }
    for (int i = 0; i < room.sphereCount; ++i)
        nearest = lesser(nearest, distance(room.spheres[i], p));
    return lesser(nearest, distance(room.column, p));
}

/// Casts a ray that starts in the free space of the room.
HD inline Hit castRoom(const RoomLayout& room, const Ray& ray) {
    Hit hit;
    const Slab s = slab(ray, room.walls.low, room.walls.high);
    const Vec3d end = ray.at(s.leave);
    // Albedo of floorboards, of the pale ceiling, and of skirting boards along the walls.
    double albedo = 0.85;
    if (s.leaveAxis == 2 && ray.direction.z < 0)
        albedo = fraction((end.y + 10) / 0.14) < 0.06 ? 0.2 : 0.45;
    if (s.leaveAxis != 2)
        albedo = end.z < 0.1 ? 0.35 : 0.7;
    hit.offer(s.leave, faceNormal(s.leaveAxis, ray.direction), albedo);
    for (int g = 0; g < room.groupCount; ++g) {
        const RoomLayout::Group& group = room.groups[g];
        const Slab around = slab(ray, group.around.low, group.around.high);
        if (!around.hit() || around.enter >= hit.range || around.leave < 0)
            continue;
        for (int i = 0; i < group.boxCount; ++i)
            cast(room.boxes[group.firstBox + i], ray, hit);
    }
    for (int i = 0; i < room.sphereCount; ++i)
        cast(room.spheres[i], ray, hit);
    cast(room.column, ray, hit);
    return hit;
}

} // namespace scanloupe::synth
