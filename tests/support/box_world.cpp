// Builds the worlds and casts rays into them.
#include "tests/support/box_world.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe::test {

namespace {

double between(double low, double high, std::mt19937& random) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

/// Distances at which a ray enters and leaves a box around the origin.
std::pair<double, double> slab(Vec3d origin, Vec3d direction, Vec3d half) {
    double enter = -1e30, leave = 1e30;
    for (int axis = 0; axis < 3; ++axis) {
        const double along = std::abs(direction[axis]) < 1e-12 ? 1e-12 : direction[axis];
        const double a = (-half[axis] - origin[axis]) / along, b = (half[axis] - origin[axis]) / along;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
    }
    return {enter, leave};
}

} // namespace

const char* nameOf(WorldKind kind) {
    constexpr const char* names[] = {"street", "campus", "room", "corridor", "hall"};
    return names[int(kind)];
}

void BoxWorld::add(Vec3d middle, Vec3d half, double yaw) {
    m_boxes.push_back({middle, half, std::cos(yaw), std::sin(yaw)});
}

BoxWorld::BoxWorld(WorldKind kind, std::uint32_t seed) {
    std::mt19937 random(seed * 7919 + unsigned(kind));
    const auto at = [&](double low, double high) { return between(low, high, random); };
    const auto clutter = [&](int count, double x, double y, double largest) {
        for (int i = 0; i < count; ++i) {
            const Vec3d half{at(0.2, largest), at(0.2, largest), at(0.2, largest)};
            add({at(-x, x), at(-y, y), half.z}, half, at(0, 3));
        }
    };
    switch (kind) {
    case WorldKind::street:
        for (const double side : {-1.0, 1.0})
            for (double x = -90; x < 90;) {
                const double width = at(4, 9), height = at(2.5, 6), back = at(0, 2.5);
                add({x + width, side * (9 + back + 5), height}, {width, 5, height}, at(-0.03, 0.03));
                x += 2 * width + (at(0, 1) < 0.4 ? at(1, 8) : 0.1);
            }
        for (int i = 0; i < 30; ++i) {
            const double side = i % 2 ? 1 : -1;
            if (i % 3 == 0)
                add({at(-80, 80), side * at(5, 7), 3}, {0.12, 0.12, 3});
            else
                add({at(-80, 80), side * at(3.4, 4), 0.75}, {2.1, 0.9, 0.75}, at(-0.1, 0.1));
        }
        for (int i = 0; i < 14; ++i)
            m_bushes.push_back({{at(-70, 70), (i % 2 ? 1 : -1) * at(6, 9), at(1, 4)}, at(0.6, 2)});
        break;
    case WorldKind::campus:
        for (int i = 0; i < 16; ++i) {
            const double angle = at(0, 2 * std::numbers::pi), far = at(14, 60);
            const Vec3d half{at(3, 10), at(3, 10), at(2, 8)};
            const Vec3d middle{far * std::cos(angle), far * std::sin(angle), half.z};
            if (std::abs(middle.y) > 14 + half.y / 2 || std::abs(middle.x) > 28)
                add(middle, half, at(0, 3));
        }
        for (int i = 0; i < 30; ++i)
            m_bushes.push_back({{at(-50, 50), (i % 2 ? 1 : -1) * at(5, 40), at(0.8, 4)}, at(0.7, 2.5)});
        for (int i = 0; i < 12; ++i)
            add({at(-30, 30), (i % 2 ? 1 : -1) * at(5, 20), 0.75}, {2.1, 0.9, 0.75}, at(0, 3));
        m_length = 16;
        break;
    case WorldKind::room:
        m_room = {at(2.5, 6), at(2.5, 5), at(1.25, 1.7)};
        clutter(int(at(5, 14)), m_room.x - 0.5, m_room.y - 0.5, 0.8);
        m_length = m_room.x * 0.5;
        break;
    case WorldKind::corridor:
        m_room = {at(20, 40), at(1, 1.6), at(1.25, 1.5)};
        for (int i = 0; i < 4; ++i)
            add({at(-18, 18), (i % 2 ? 1 : -1) * (m_room.y - 0.1), 1}, {at(0.4, 0.9), at(0.15, 0.4), 1});
        m_length = 10;
        break;
    case WorldKind::hall: {
        m_room = {at(18, 30), at(10, 18), at(2.5, 4)};
        const double pitch = at(4, 7);
        for (double x = -m_room.x + 3; x < m_room.x - 2; x += pitch)
            for (const double y : {-6.0, 6.0})
                add({x, y, m_room.z}, {0.3, 0.3, m_room.z});
        clutter(int(at(4, 16)), m_room.x - 1, m_room.y - 1, 1.2);
        m_length = 14;
        break;
    }
    }
    m_indoors = m_room.x > 0;
    if (m_indoors) {
        m_height = 1.2;
        std::erase_if(m_boxes, [](const Box& box) { // keeps the positions of the sensors free of boxes
            return std::abs(box.middle.y) - norm(box.half) < 0.4 && box.half.z < 1.2 && norm(box.half) < 2.1;
        });
    }
}

RigidTransform BoxWorld::sensorPose(double along, std::mt19937& random) const {
    const double side = m_indoors ? 0.3 : 1;
    const Vec3d angles{between(-0.02, 0.02, random), between(-0.02, 0.02, random),
                       between(-3.1, 3.1, random)};
    return fromRollPitchYaw(angles,
                            {along, between(-side, side, random), m_height + between(-0.05, 0.05, random)});
}

double BoxWorld::range(Vec3d origin, Vec3d direction, std::mt19937& random) const {
    double nearest = m_reach;
    if (m_indoors)
        nearest = std::min(nearest, slab(origin - Vec3d{0, 0, m_room.z}, direction, m_room).second);
    else if (direction.z < 0)
        nearest = std::min(nearest, -origin.z / direction.z);
    for (const Box& box : m_boxes) {
        const Vec3d off = origin - box.middle;
        const auto turned = [&](Vec3d v) {
            return Vec3d{box.cosine * v.x + box.sine * v.y, box.cosine * v.y - box.sine * v.x, v.z};
        };
        const auto [enter, leave] = slab(turned(off), turned(direction), box.half);
        if (enter <= leave && enter > 0.1)
            nearest = std::min(nearest, enter);
    }
    for (const Bush& bush : m_bushes) {
        const Vec3d off = bush.middle - origin;
        const double along = dot(off, direction), square = dot(off, off) - along * along;
        if (along < 0 || square > bush.radius * bush.radius)
            continue;
        const double half = std::sqrt(bush.radius * bush.radius - square);
        const double hit = along - half + std::exponential_distribution<double>(1.5)(random);
        if (hit < along + half && hit > 0.5)
            nearest = std::min(nearest, hit);
    }
    return nearest;
}

std::vector<Vec3f> BoxWorld::scan(const RigidTransform& pose, int rings, int columns, double noise,
                                  std::mt19937& random) const {
    const double low = m_indoors ? -0.7 : -0.42, high = m_indoors ? 0.7 : 0.2;
    std::normal_distribution<double> gaussian(0, 1);
    std::vector<Vec3f> points;
    for (int column = 0; column < columns; ++column)
        for (int ring = 0; ring < rings; ++ring) {
            const double azimuth = 2 * std::numbers::pi * (column + 0.3 * ring / rings) / columns;
            const double height = low + (high - low) * ring / (rings - 1);
            const Vec3d ray{std::cos(height) * std::cos(azimuth), std::cos(height) * std::sin(azimuth),
                            std::sin(height)};
            const double far = range(pose.translation, pose.rotate(ray), random);
            if (far < m_reach)
                points.push_back((ray * (far + noise * gaussian(random))).as<float>());
        }
    return points;
}

synth::SolidScene BoxWorld::solids() const {
    synth::SolidScene scene;
    scene.planes.push_back({2, 0, 1});
    if (m_indoors) {
        scene.planes.push_back({2, 2 * m_room.z, -1});
        for (const int axis : {0, 1})
            for (const double side : {-1.0, 1.0})
                scene.planes.push_back({axis, -side * m_room[axis], side});
    }
    for (const Box& box : m_boxes)
        scene.boxes.push_back({box.middle, box.half, box.cosine, box.sine});
    for (const Bush& bush : m_bushes)
        scene.cylinders.push_back({bush.middle.x, bush.middle.y, 0.7 * bush.radius,
                                   bush.middle.z - bush.radius, bush.middle.z + bush.radius});
    return scene;
}

} // namespace scanloupe::test
