// Builds the places in which sweeps are generated.
#include "kernels/core/error.h"
#include "kernels/synth/hash.h"
#include "kernels/synth/solid_scene.h"

namespace scanloupe::synth {
namespace {

/// The rows of objects extend from -kPlaceEnd to kPlaceEnd along x, metres: beyond every range limit.
constexpr double kPlaceEnd = 160;

/// Random numbers of a place, identical on every machine.
class PlaceDice {
public:
    explicit PlaceDice(std::uint64_t seed) : m_seed(seed) {}
    double between(double low, double high) {
        return low + (high - low) * uniform(randomBits(m_seed, kStream, m_count++));
    }
    bool isBelow(double share) { return between(0, 1) < share; }

private:
    static constexpr std::uint64_t kStream = 0x706c616365; // differs from the streams of the rays
    std::uint64_t m_seed, m_count = 0;
};

/// Adds a box that stands at height `bottom` and is rotated about its vertical axis.
void addSolid(SolidScene& scene, double x, double y, double bottom, Vec3d half, double yaw, double albedo) {
    const SinCos turn = sinCos(yaw);
    scene.boxes.push_back({{x, y, bottom + half.z}, half, turn.cosine, turn.sine, albedo});
}

void addFloor(SolidScene& scene, double albedo) {
    scene.planes.push_back({2, 0, 1, albedo});
}
/// Adds walls at both ends of an axis, seen from inside.
void addWalls(SolidScene& scene, int axis, double half) {
    scene.planes.push_back({axis, -half, 1, 0.6});
    scene.planes.push_back({axis, half, -1, 0.6});
}
void addCeiling(SolidScene& scene, double height) {
    scene.planes.push_back({2, height, -1, 0.8});
}

void addCar(SolidScene& scene, PlaceDice& dice, double x, double y, double maxYaw) {
    const double yaw = dice.between(-maxYaw, maxYaw), albedo = dice.between(0.15, 0.9);
    addSolid(scene, x, y, 0.25, {2.15, 0.88, 0.32}, yaw, albedo);
    addSolid(scene, x, y, 0.89, {1.15, 0.78, 0.28}, yaw, 0.2);
}

/// Adds a pole or a trunk.
void addPole(SolidScene& scene, PlaceDice& dice, double x, double y, double maxRadius) {
    const double radius = dice.between(maxRadius / 3, maxRadius), height = dice.between(4, 8);
    scene.cylinders.push_back({x, y, radius, -0.5, height, 0.35});
}

/// Adds houses with setbacks, gaps and bays on one side.
void addFacades(SolidScene& scene, PlaceDice& dice, double side) {
    for (double x = -kPlaceEnd; x < kPlaceEnd;) {
        const double half = dice.between(3, 7), front = dice.between(8, 10.5);
        const double height = dice.between(6, 14), albedo = dice.between(0.35, 0.75);
        addSolid(scene, x + half, side * (front + 4), 0, {half, 4, height / 2}, 0, albedo);
        if (dice.isBelow(0.5)) {
            const double bay = x + half * dice.between(0.5, 1.5), halfHeight = dice.between(1.2, 2.8);
            addSolid(scene, bay, side * front, 0, {1, 0.5, halfHeight}, 0, albedo);
        }
        x += 2 * half + (dice.isBelow(0.3) ? dice.between(1, 5) : 0);
    }
}

/// Makes a street with about 25 cars and 20 poles within 120 m, counting both sides.
SolidScene makeFlatStreet(PlaceDice& dice) {
    SolidScene scene;
    addFloor(scene, 0.2);
    for (const double side : {-1.0, 1.0}) {
        addFacades(scene, dice, side);
        for (double x = -kPlaceEnd; x < kPlaceEnd; x += dice.between(5, 14.2))
            addCar(scene, dice, x, side * dice.between(4, 4.4), 0.05);
        for (double x = -kPlaceEnd; x < kPlaceEnd; x += dice.between(9, 15))
            addPole(scene, dice, x, side * 6.2, 0.2);
    }
    return scene;
}

SolidScene makeCorridor() {
    SolidScene scene;
    addFloor(scene, 0.35);
    addWalls(scene, 1, 1.2);
    addCeiling(scene, 2.8);
    return scene;
}

SolidScene makeClutteredCorridor(PlaceDice& dice) {
    SolidScene scene = makeCorridor();
    for (double x = -kPlaceEnd; x < kPlaceEnd; x += dice.between(1.2, 3.5)) {
        const double side = dice.isBelow(0.5) ? 1 : -1;
        const Vec3d half{dice.between(0.15, 0.6), dice.between(0.08, 0.25), dice.between(0.2, 1.05)};
        const double albedo = dice.between(0.2, 0.8);
        addSolid(scene, x, side * (1.2 - half.y), 0, half, 0, albedo);
    }
    return scene;
}

SolidScene makeRacks() {
    constexpr double pitch = 4;
    SolidScene scene;
    scene.period = pitch;
    addFloor(scene, 0.35);
    addCeiling(scene, 6);
    // The two sides differ, so that the hall does not look the same after half a turn.
    for (int i = -40; i <= 40; ++i)
        for (const double side : {-1.0, 1.0}) {
            const double half = side > 0 ? 1.2 : 0.9;
            addSolid(scene, i * pitch, side * 4.8, 0, {0.5, 3.1, half}, 0, 0.5);
            // uprights of the racks
            addSolid(scene, i * pitch, side * 1.65, 0, {0.55, 0.05, half + 0.3}, 0, 0.3);
            addSolid(scene, i * pitch, side * 7.95, 0, {0.55, 0.05, half + 0.3}, 0, 0.3);
        }
    scene.planes.push_back({1, -8.2, 1, 0.6});
    scene.planes.push_back({1, 9.5, -1, 0.6});
    return scene;
}

/// Adds a table: a plate on four legs.
void addTableAt(SolidScene& scene, double x, double y, Vec3d half, double yaw) {
    addSolid(scene, x, y, half.z * 2 - 0.04, {half.x, half.y, 0.02}, yaw, 0.5);
    const SinCos turn = sinCos(yaw);
    for (const double sx : {-1.0, 1.0})
        for (const double sy : {-1.0, 1.0}) {
            const double dx = sx * (half.x - 0.05), dy = sy * (half.y - 0.05);
            scene.cylinders.push_back({x + turn.cosine * dx - turn.sine * dy,
                                       y + turn.sine * dx + turn.cosine * dy, 0.025, 0, half.z * 2 - 0.04,
                                       0.4});
        }
}

void addChairAt(SolidScene& scene, double x, double y, double yaw) {
    addTableAt(scene, x, y, {0.21, 0.21, 0.225}, yaw);
    const SinCos turn = sinCos(yaw);
    addSolid(scene, x - 0.19 * turn.cosine, y - 0.19 * turn.sine, 0.45, {0.02, 0.21, 0.23}, yaw, 0.4);
}

SolidScene makeFurnishedRoom(PlaceDice& dice) {
    SolidScene scene;
    const double halfX = dice.between(2.7, 4.5), halfY = dice.between(2.4, 3.5);
    addFloor(scene, 0.45);
    addWalls(scene, 0, halfX);
    addWalls(scene, 1, halfY);
    addCeiling(scene, dice.between(2.5, 3));
    for (const double side : {-1.0, 1.0}) { // cupboards along the walls
        for (double x = -halfX + 0.7; x < halfX - 0.7; x += dice.between(1.4, 2.6)) {
            const Vec3d half{dice.between(0.3, 0.65), dice.between(0.15, 0.3), dice.between(0.35, 1.05)};
            addSolid(scene, x, side * (halfY - half.y), 0, half, 0, 0.55);
        }
        const Vec3d half{dice.between(0.15, 0.3), dice.between(0.4, 0.8), dice.between(0.35, 1.05)};
        addSolid(scene, side * (halfX - half.x), dice.between(-0.5, 0.5) * halfY, 0, half, 0, 0.5);
    }
    const double side = dice.isBelow(0.5) ? 1 : -1, yaw = dice.between(-0.6, 0.6);
    const double x = side * dice.between(1.55, 1.75), y = dice.between(-0.5, 0.5);
    addTableAt(scene, x, y, {0.4, 0.7, 0.37}, yaw);
    addChairAt(scene, x, y + 1.2, yaw + kPi / 2);
    const double otherY = dice.between(-0.8, 0.8), otherYaw = dice.between(0, 6);
    addChairAt(scene, -x, otherY, otherYaw);
    scene.cylinders.push_back(
        {-x, dice.isBelow(0.5) ? 1.6 : -1.6, dice.between(0.1, 0.2), 0, 5, 0.7}); // a column
    return scene;
}

SolidScene makeField(PlaceDice& dice) {
    SolidScene scene;
    addFloor(scene, 0.3);
    for (int i = 0; i < 14; ++i) {
        const double x = dice.between(-60, 60), y = (i % 2 == 0 ? 1 : -1) * dice.between(4, 45);
        if (i < 8) {
            addPole(scene, dice, x, y, 0.4);
        } else if (i < 12) {
            const Vec3d half{dice.between(0.4, 3), dice.between(0.4, 2), dice.between(0.4, 1.6)};
            const double yaw = dice.between(0, 3);
            addSolid(scene, x, y + (y > 0 ? 3 : -3), 0, half, yaw, 0.5);
        } else {
            addCar(scene, dice, x, y, 0.3);
        }
    }
    return scene;
}

} // namespace

SolidScene makePlace(Place place, std::uint64_t seed) {
    PlaceDice dice(seed);
    switch (place) {
    case Place::street:
        return makeFlatStreet(dice);
    case Place::corridor:
        return makeCorridor();
    case Place::cluttered:
        return makeClutteredCorridor(dice);
    case Place::racks:
        return makeRacks();
    case Place::room:
        return makeFurnishedRoom(dice);
    case Place::field:
        return makeField(dice);
    }
    throw Fault("there is no such place");
}

double usualHeight(Place place) {
    return place == Place::street || place == Place::field ? 1.8 : 1.2;
}

} // namespace scanloupe::synth
