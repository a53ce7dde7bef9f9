#pragma once
// Generates one point of a simulated scan, for both backends.
#include "kernels/synth/hash.h"
#include "kernels/synth/scan_generator.h"
#include "kernels/synth/scene_bumpy.h"
#include "kernels/synth/scene_room.h"
#include "kernels/synth/scene_street.h"

namespace scanloupe::synth {

inline constexpr std::uint64_t kRings = 64;

/// Geometry of all scenes; trivially copyable, so that it can be copied to a device.
struct SceneGeometry {
    StreetLayout street;
    RoomLayout room;
};
/// Returns the geometry of all scenes, which is built on first use.
const SceneGeometry& sceneGeometry();

/// Position of a point in the sweep of the lidar.
struct ScanIndex {
    std::uint64_t ring, revolution;
    double turn; ///< fraction of the revolution, [0, 1)
};

/// Returns the position of point i in the sweep. The rings of a column have consecutive indices. A revolution
/// has 1024 columns; 2048 in scans of more than 4 M points, and 4096 above 32 M; small scans make at least
/// two revolutions. Successive revolutions are offset by fractions of a column, so that long scans fill the
/// gaps.
HD inline ScanIndex scanIndex(const ScanParams& params, std::uint64_t i) {
    const std::uint64_t columns = (params.points + kRings - 1) / kRings;
    const std::uint64_t whole = columns <= 62'500 ? 1024 : columns <= 500'000 ? 2048 : 4096;
    // The bumpy sphere is scanned through a cone, for which half of the columns suffice.
    const std::uint64_t full = params.scene == Scene::bumpy ? whole / 2 : whole;
    const std::uint64_t perTurn = params.pointsPerRevolution > 0
                                      ? params.pointsPerRevolution / kRings
                                      : lesser(greater(columns / 2, std::uint64_t{1}), full);
    const std::uint64_t column = i / kRings, revolution = column / perTurn;
    const double offset = fraction(static_cast<double>(revolution) * 0.5698402909980532);
    return {i % kRings, revolution,
            (static_cast<double>(column % perTurn) + offset) / static_cast<double>(perTurn)};
}

/// Returns the height of a ring, from 0 at the lowest to 1 at the highest. With `dither`, it changes a little
/// with each revolution, like a nodding hand-held scanner, so that a sensor at rest fills the gaps between
/// rings.
HD inline double ringHeight(const ScanIndex& index, bool dither) {
    const double offset = dither ? fraction(static_cast<double>(index.revolution) * 0.7548776662466927) : 0.5;
    return (static_cast<double>(index.ring) + offset) / static_cast<double>(kRings);
}

HD constexpr double scanSeconds(Scene scene) {
    return scene == Scene::street ? 5.0 : scene == Scene::room ? 8.0 : 12.0;
}

HD inline double scanTime(const ScanParams& params, std::uint64_t i) {
    return static_cast<double>(i) / static_cast<double>(params.points) * scanSeconds(params.scene);
}

/// Returns the sensor's pose at the fraction `share` of the scan's duration.
HD inline SensorPose scanPose(Scene scene, double share) {
    const SinCos sway = sinCos(2 * kPi * share), twice = sinCos(4 * kPi * share);
    switch (scene) {
    case Scene::street:
        return {{26 * share, -1.3 + 0.3 * sway.sine, 1.8 + 0.02 * twice.sine}, 0.07 * sway.cosine};
    case Scene::room:
        return {{0.6 + 0.55 * sway.cosine, -0.75 + 0.35 * sway.sine, 1.45 + 0.12 * twice.sine},
                2 * kPi * share};
    default:
        break;
    }
    // five turns around the sphere, from low to high
    const double around = 10 * kPi * share;
    const SinCos azimuth = sinCos(around), elevation = sinCos(1.1 * (2 * share - 1));
    return {Vec3d{azimuth.cosine * elevation.cosine, azimuth.sine * elevation.cosine, elevation.sine} * 3.0,
            around + kPi};
}

/// Returns the direction of a ray in the scene's frame. @param turn fraction of a revolution, from the
/// sensor's x axis, which points forward
HD inline Vec3d sweepDirection(const SensorPose& pose, double turn, double sineElevation) {
    const SinCos azimuth = sinCos(pose.yaw + 2 * kPi * turn);
    const double level = std::sqrt(1 - sineElevation * sineElevation);
    return {level * azimuth.cosine, level * azimuth.sine, sineElevation};
}

/// Returns a direction in the cone in which all rays hit the bumpy sphere.
HD inline Vec3d coneDirection(const SensorPose& pose, double turn, double height) {
    const Vec3d forward = normalized(-pose.position);
    const Vec3d right = normalized(Vec3d{forward.y, -forward.x, 0});
    const Vec3d up = cross(right, forward);
    const double inner = 1 - kBumpHeight;
    const double tangent = 0.995 * inner / std::sqrt(squaredNorm(pose.position) - inner * inner);
    const double y = 2 * height - 1, x = (2 * turn - 1) * std::sqrt(1 - y * y);
    return forward + tangent * (x * right + y * up);
}

/// Casts the ray of a point into its scene. Rays into the sky of the street are redirected downwards: first
/// in a random direction, then to the ground.
HD inline Hit castScan(const ScanParams& params, const SceneGeometry& scenes, std::uint64_t i,
                       const SensorPose& pose, Ray& ray) {
    const ScanIndex index = scanIndex(params, i);
    if (params.scene == Scene::bumpy) {
        ray = makeRay(pose.position, coneDirection(pose, index.turn, ringHeight(index, true)));
        return castBumpy(ray);
    }
    if (params.scene == Scene::room) {
        ray = makeRay(pose.position,
                      sweepDirection(pose, index.turn, 0.98 * (2 * ringHeight(index, true) - 1)));
        return castRoom(scenes.room, ray);
    }
    // elevations from 25 degrees below to 33 degrees above the horizon
    double sineElevation = sinCos((-25 + 58 * ringHeight(index, false)) * (kPi / 180)).sine;
    for (std::uint64_t attempt = 0;; ++attempt) {
        ray = makeRay(pose.position, sweepDirection(pose, index.turn, sineElevation));
        const Hit hit = castStreet(scenes.street, ray);
        if (hit.range < kNoHit || attempt > 2)
            return hit;
        const double random = uniform(randomBits(params.seed, 2 + attempt, i));
        sineElevation = attempt == 2 ? -0.1 : -0.42 + (0.42 + lesser(sineElevation, 0.3)) * random;
    }
}

/// Returns the intensity of a return, from albedo, angle of incidence and distance, with 3 % of speckle.
HD inline double returnIntensity(const ScanParams& params, std::uint64_t i, const Hit& hit, const Ray& ray) {
    const double incidence = absolute(dot(hit.normal, ray.direction));
    const double fading = 1 / (1 + hit.range * hit.range / (40.0 * 40.0));
    const double speckle = 1 + 0.06 * (uniform(randomBits(params.seed, 1, i)) - 0.5);
    return clamped(hit.albedo * (0.3 + 0.7 * incidence) * fading * speckle, 0, 1);
}

/// Generates point i of a scan.
HD inline ScanPoint makeScanPoint(const ScanParams& params, const SceneGeometry& scenes, std::uint64_t i) {
    const double time = scanTime(params, i);
    const SensorPose pose = scanPose(params.scene, time / scanSeconds(params.scene));
    Ray ray;
    const Hit hit = castScan(params, scenes, i, pose, ray);
    const std::uint64_t bits = randomBits(params.seed, 0, i);
    const double noise = static_cast<double>(params.rangeNoise) * gaussian(bits, mixBits(~bits));
    ScanPoint point;
    point.position = ray.at(hit.range + noise).as<float>();
    point.intensity = static_cast<float>(returnIntensity(params, i, hit, ray));
    point.time = static_cast<float>(time);
    point.ring = static_cast<std::uint16_t>(i % kRings);
    point.sensor = pose.position.as<float>();
    point.normal = hit.normal.as<float>();
    return point;
}

HD inline double sceneDistance(const SceneGeometry& scenes, Scene scene, Vec3d p) {
    switch (scene) {
    case Scene::street:
        return streetDistance(scenes.street, p);
    case Scene::room:
        return roomDistance(scenes.room, p);
    default:
        return bumpyDistance(p);
    }
}

} // namespace scanloupe::synth
