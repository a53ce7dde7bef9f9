#pragma once
// Defines the signed distance and the ray cast of a house, for both backends: a block with windows and a door
// recessed into its front.
#include "kernels/synth/shapes.h"

namespace scanloupe::synth {

/// A house. In its own frame, the front runs along the first axis at position `front` of the second axis, and
/// the house extends beyond it.
struct House {
    bool alongY = false;        ///< the front runs along y instead of x
    double side = 1;            ///< 1 or -1: the side of the street
    double start = 0, end = 10; ///< extent along the front, metres
    double front = 8;           ///< side of the street, 1 or -1
    int columns = 3, floors = 2, doorColumn = 0;
    double windowWidth = 1.2; ///< width of a window, metres
    double albedo = 0.6;

    HD Vec3d toLocal(Vec3d v) const {
        return alongY ? Vec3d{v.y, side * v.x, v.z} : Vec3d{v.x, side * v.y, v.z};
    }
    HD Vec3d fromLocal(Vec3d v) const {
        return alongY ? Vec3d{side * v.y, v.x, v.z} : Vec3d{v.x, side * v.y, v.z};
    }
    HD Box block() const { return {{start, front, -1}, {end, front + 6, 0.7 + 3.0 * floors}, albedo}; }
};

inline constexpr double kRecessDepth = 0.22; ///< depth of the recesses for windows and doors, metres

/// A window or a door: a box recessed into the front, in the house's own frame.
struct Opening {
    Box recess;
    bool door = false;
};

/// Returns the opening in the cell of the front's grid (columns and floors) that contains the position
/// (along, height).
HD inline Opening openingAt(const House& house, double along, double height) {
    const double width = (house.end - house.start) / house.columns;
    int column = static_cast<int>((along - house.start) / width);
    int floor = static_cast<int>((height - 0.14) / 3.0);
    column = lesser(greater(column, 0), house.columns - 1);
    floor = lesser(greater(floor, 0), house.floors - 1);
    const double middle = house.start + (column + 0.5) * width, level = 0.14 + 3.0 * floor;
    const bool door = floor == 0 && column == house.doorColumn;
    const double half = door ? 0.55 : 0.5 * house.windowWidth;
    return {{{middle - half, house.front, door ? -1.0 : level + 0.95},
             {middle + half, house.front + kRecessDepth, level + (door ? 2.15 : 2.4)},
             door ? 0.35 : 0.2},
            door};
}

HD inline double distance(const House& house, Vec3d world) {
    const Vec3d p = house.toLocal(world);
    const double block = distance(house.block(), p);
    const Opening opening = openingAt(house, p.x, p.z);
    const Box& recess = opening.recess;
    const double before = house.front - p.y; // distance in front of the wall, metres
    // Distance to the rim of the opening along the wall; positive inside the opening.
    const double rim = lesser(lesser(p.x - recess.low.x, recess.high.x - p.x),
                              lesser(p.z - recess.low.z, recess.high.z - p.z));
    if (rim > 0 && before >= 0)
        return lesser(std::sqrt(before * before + rim * rim), before + kRecessDepth);
    if (rim > 0 && before > -kRecessDepth)
        return lesser(rim, before + kRecessDepth);
    if (block > 0)
        return block;
    return greater(block, -distance(recess, p)); // inside the wall, the recess may be nearer than the front
}

HD inline void cast(const House& house, const Ray& world, Hit& hit) {
    const Ray ray{house.toLocal(world.origin), house.toLocal(world.direction), house.toLocal(world.inverse)};
    const Box block = house.block();
    const Slab s = slab(ray, block.low, block.high);
    if (!s.hit() || s.enter >= hit.range)
        return;
    if (s.enterAxis == 1) {
        const Vec3d entry = ray.at(s.enter);
        const Opening opening = openingAt(house, entry.x, entry.z);
        const Box& recess = opening.recess;
        if (entry.x > recess.low.x && entry.x < recess.high.x && entry.z > recess.low.z &&
            entry.z < recess.high.z) {
            const Slab inside = slab(ray, recess.low, recess.high);
            const double albedo = inside.leaveAxis == 1 ? recess.albedo : 0.8 * house.albedo;
            hit.offer(inside.leave, house.fromLocal(faceNormal(inside.leaveAxis, ray.direction)), albedo);
            return;
        }
    }
    hit.offer(s.enter, house.fromLocal(faceNormal(s.enterAxis, ray.direction)), house.albedo);
}

} // namespace scanloupe::synth
