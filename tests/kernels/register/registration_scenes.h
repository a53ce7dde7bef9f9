#pragma once
// Pairs of scans with an exact truth for registration by surfaces: generated sweeps and a yard.
#include "kernels/register/registration.h"
#include "kernels/synth/lidar_sweep.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace scanloupe::test {

inline constexpr double kRegistrationDegree = 3.14159265358979323846 / 180;
inline constexpr RegistrationMethod kMethods[] = {RegistrationMethod::gicp, RegistrationMethod::vgicp,
                                                  RegistrationMethod::plane};

inline SurfacePyramid surfacesOf(const std::vector<Vec3f>& points, double edge, Vec3d origin = {},
                                 const RigidTransform& pose = {}) {
    SurfacePyramid surfaces(edge, 2, true);
    surfaces.add(cpu::findPointShapes(points, {.edge = edge, .neighbours = 0, .viewpoint = Vec3d{}}, {}),
                 origin, pose);
    return surfaces;
}

/// Two sweeps of a place by a real sensor, and an inaccurate start pose.
struct SweepPair {
    std::vector<Vec3f> target, source;
    RigidTransform truth, start; ///< T_target_source
    Vec3d along;                 ///< the place's x axis in the target's frame
};

inline std::vector<Vec3f> sweepFrom(const synth::SolidScene& scene, const RigidTransform& pose,
                                    std::size_t lidar, std::uint64_t seed, std::uint64_t frame) {
    synth::LidarSweep sweep;
    sweep.lidar = synth::kLidarModels[lidar];
    sweep.pose = pose;
    sweep.seed = seed;
    sweep.frame = frame;
    std::vector<Vec3f> points;
    for (const synth::ScanPoint& point : synth::generateSweep(sweep, scene, {}))
        points.push_back(point.position.as<float>());
    return points;
}

/// @param off maximum error of the start pose in metres, with 5 degrees for each metre
inline SweepPair makePair(synth::Place place, std::uint64_t seed, double off) {
    std::mt19937_64 random(seed * 7919 + unsigned(place));
    const auto at = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const synth::SolidScene scene = synth::makePlace(place, seed);
    const double height = synth::usualHeight(place), turn = kRegistrationDegree * 5 * off;
    const bool isRoom = place == synth::Place::room, isStreet = place == synth::Place::street;
    const double distance = isRoom ? at(0.2, 0.8) : at(0.3, 1.6),
                 heading = isRoom ? at(-3, 3) : at(-0.3, 0.3);
    const Vec3d from{isRoom ? at(-0.4, 0.4) : at(-20, 20), at(-0.3, 0.3) * (isStreet ? 3 : 1), height};
    const RigidTransform target = fromRollPitchYaw({at(-0.01, 0.01), at(-0.01, 0.01), at(-0.2, 0.2)}, from);
    const RigidTransform source = fromRollPitchYaw(
        {at(-0.01, 0.01), at(-0.01, 0.01), at(-0.3, 0.3)},
        from + Vec3d{distance * std::cos(heading), distance * std::sin(heading), at(-0.03, 0.03)});
    SweepPair pair;
    pair.target = sweepFrom(scene, target, seed % 4, seed, 0);
    pair.source = sweepFrom(scene, source, seed % 4, seed, 1);
    pair.truth = target.inverse() * source;
    pair.along = target.inverse().rotate({1, 0, 0});
    const double shift = off * std::sqrt(at(0, 1)), direction = at(-3.14, 3.14);
    pair.start = pair.truth * fromRollPitchYaw({at(-0.1, 0.1) * turn, at(-0.1, 0.1) * turn, at(-1, 1) * turn},
                                               {shift * std::cos(direction), shift * std::sin(direction), 0});
    return pair;
}

/// Points of the yard with the sensor in the middle, where all six directions are constrained.
struct YardPair {
    std::vector<Vec3f> target, source;
    RigidTransform truth;
};
inline YardPair yardPair(const char* where) {
    auto random = seededRandom(where);
    const RigidTransform sensor{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, -2, 1.8}};
    YardPair pair;
    pair.truth = fromRollPitchYaw({0.02, -0.03, 0.1}, {0.6, -0.4, 0.1});
    pair.target = seenFrom(sensor, sample(yard(), 60'000, 0.01, random), 25);
    pair.source = seenFrom(sensor * pair.truth, sample(yard(), 60'000, 0.01, random), 25);
    return pair;
}

inline bool sameResult(const RegistrationResult& a, const RegistrationResult& b) {
    return a.pose == b.pose && a.end == b.end && a.iterations == b.iterations && a.distance == b.distance &&
           a.matched == b.matched && a.geometry.eigenvalues == b.geometry.eigenvalues;
}

} // namespace scanloupe::test
