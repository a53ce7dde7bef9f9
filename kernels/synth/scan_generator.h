#pragma once
// Declares a simulated spinning lidar in analytic scenes, which generates scans with ground truth.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::synth {

enum class Scene : std::uint8_t {
    street, ///< ground, house fronts, poles, parked cars and spheres; the sensor moves along x
    room,   ///< a furnished room, seen from inside
    bumpy,  ///< a bumpy sphere, seen from a sensor that circles it
};

struct ScanParams {
    Scene scene = Scene::street;
    std::uint64_t points = 1'000'000; ///< number of points, 10^3 to 10^9
    std::uint64_t seed = 1;
    float rangeNoise = 0.01f; ///< standard deviation of the noise along the ray, metres
    /// A multiple of 64; 0: chosen from the number of points.
    std::uint64_t pointsPerRevolution = 0;
    bool operator==(const ScanParams&) const = default;
};

/// A measured point with its ground truth.
struct ScanPoint {
    Vec3f position;         ///< in the scene's frame, with noise; metres
    float intensity = 0;    ///< 0 to 1
    float time = 0;         ///< seconds from the start of the scan
    std::uint16_t ring = 0; ///< 0 to 63, from the lowest up
    Vec3f sensor;           ///< position of the sensor, metres
    Vec3f normal;           ///< true unit normal of the hit surface, facing the sensor
};

/// Pose of the sensor at a time: position, and rotation about z; x points forward.
struct SensorPose {
    Vec3d position;
    double yaw = 0; ///< radians
};

SensorPose sensorPose(const ScanParams& params, double time);
/// Returns the duration of the scan, seconds.
double scanDuration(const ScanParams& params);

/// Generates the points `first`, `first` + 1, ... into `points` on all cores. Each point depends only on the
/// parameters and its index, so scans can be generated in pieces.
/// @throws KernelError for fewer than 10^3 or more than 10^9 points, noise that is negative or not finite, or
/// a piece that extends beyond the last point; Cancelled
void generate(const ScanParams& params, std::uint64_t first, std::span<ScanPoint> points,
              const std::stop_token& stop);

} // namespace scanloupe::synth
