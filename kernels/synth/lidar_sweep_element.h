#pragma once
// Casts one ray of a sweep, for both backends.
#include "kernels/synth/hash.h"
#include "kernels/synth/lidar_sweep.h"

namespace scanloupe::synth {

/// Returns T_start_end of a sensor that has moved with a constant twist: the exponential map of SE(3).
HD inline RigidTransform motionAfter(const Twist& twist, double seconds) {
    const Vec3d turn = twist.angular * seconds, shift = twist.linear * seconds;
    const double square = squaredNorm(turn);
    // series expansions for small angles
    double a = 1 - square / 6, b = 0.5 - square / 24, c = 1.0 / 6 - square / 120;
    if (square > 1e-6) {
        const double angle = std::sqrt(square);
        const SinCos s = sinCos(angle);
        a = s.sine / angle;
        b = (1 - s.cosine) / square;
        c = (1 - a) / square;
    }
    RigidTransform motion;
    for (int axis = 0; axis < 3; ++axis) { // each row of the rotation is a column of its inverse
        Vec3d unit;
        unit[axis] = 1;
        motion.rows[axis] = unit - a * cross(turn, unit) + b * cross(turn, cross(turn, unit));
    }
    motion.translation = shift + b * cross(turn, shift) + c * cross(turn, cross(turn, shift));
    return motion;
}

/// Returns the time at which a column is fired, seconds from the start of the turn.
HD inline double columnTime(const LidarModel& lidar, std::uint64_t column) {
    return (static_cast<double>(column) + 0.5) / lidar.columns * lidar.turnSeconds;
}

/// Returns the direction of a ray in the sensor's frame. Turns begin and end behind the sensor, and proceed
/// to the left.
HD inline Vec3d rayDirection(const LidarModel& lidar, std::uint64_t column, int ring) {
    const SinCos azimuth = sinCos(2 * kPi * ((static_cast<double>(column) + 0.5) / lidar.columns) - kPi);
    const SinCos elevation = sinCos(lidar.elevation(ring));
    return {elevation.cosine * azimuth.cosine, elevation.cosine * azimuth.sine, elevation.sine};
}

/// Returns the probability that a ray returns. @param sine sine of the angle between ray and surface
/// @param share ratio of the range to the range limit
HD inline double returnProbability(const DropOuts& dropOuts, double sine, double share) {
    const double grazing = sinCos(dropOuts.grazing).sine;
    const double angle = sine < grazing ? sine / grazing : 1;
    const double range = share > dropOuts.fading ? greater(1 - share, 0.0) / (1 - dropOuts.fading) : 1;
    return (1 - dropOuts.random) * angle * range;
}

/// Casts ray i of a sweep; the rings of a column have consecutive indices. @returns whether the ray gives a
/// point
HD inline bool castSweepRay(const LidarSweep& sweep, const SolidView& scene, std::uint64_t i,
                            ScanPoint& point) {
    const LidarModel& lidar = sweep.lidar;
    const auto rings = static_cast<std::uint64_t>(lidar.rings());
    const std::uint64_t column = i / rings;
    const int ring = static_cast<int>(i % rings);
    const double time = columnTime(lidar, column);
    const RigidTransform moved = motionAfter(sweep.twist, time - 0.5 * lidar.turnSeconds);
    const RigidTransform pose = sweep.pose * moved;
    const Vec3d direction = rayDirection(lidar, column, ring), inScene = pose.rotate(direction);
    const Hit hit = castSolids(scene, pose.translation, inScene);
    if (hit.range >= kNoHit)
        return false;

    const std::uint64_t counter = (sweep.frame << 32) + i;
    const std::uint64_t bits = randomBits(sweep.seed, 0, counter);
    const double range = hit.range + static_cast<double>(sweep.rangeNoise) * gaussian(bits, mixBits(~bits));
    const double sine = absolute(dot(hit.normal, inScene));
    if (range < lidar.nearest || range > lidar.farthest ||
        uniform(randomBits(sweep.seed, 1, counter)) >=
            returnProbability(sweep.dropOuts, sine, range / lidar.farthest))
        return false;

    const double fading = 1 / (1 + hit.range * hit.range / (40.0 * 40.0));
    const double speckle = 1 + 0.06 * (uniform(randomBits(sweep.seed, 2, counter)) - 0.5);
    const Vec3d measured = range * direction, normal = pose.rotateBack(hit.normal);
    point.position = (sweep.isDeskewed ? moved(measured) : measured).as<float>();
    point.normal = (sweep.isDeskewed ? moved.rotate(normal) : normal).as<float>();
    point.sensor = sweep.isDeskewed ? moved.translation.as<float>() : Vec3f{};
    point.intensity = static_cast<float>(clamped(hit.albedo * (0.3 + 0.7 * sine) * fading * speckle, 0, 1));
    point.time = static_cast<float>(time);
    point.ring = static_cast<std::uint16_t>(ring);
    return true;
}

} // namespace scanloupe::synth
