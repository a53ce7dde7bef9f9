#pragma once
// Declares sweeps of a spinning lidar, including the losses of real sensors: a ray without a return gives no
// point.
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/lidar_model.h"
#include "kernels/synth/scan_generator.h"
#include "kernels/synth/solid_scene.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::synth {

/// Constant motion of a sensor, in the sensor's frame.
struct Twist {
    Vec3d linear;  ///< velocity, metres per second
    Vec3d angular; ///< angular velocity, radians per second
};

/// Which rays return nothing, in addition to those that hit nothing within the range limits.
struct DropOuts {
    double random = 0.01; ///< share of all rays that return nothing, 0 to 1
    /// Angle to the surface, radians, below which a ray returns with a lower probability: it decreases with
    /// the sine of the angle, to 0 along the surface.
    double grazing = 3 * kPi / 180;
    /// Share of the range limit beyond which the probability of a return decreases, to 0 at the limit; 1: no
    /// loss.
    double fading = 0.8;
};

struct LidarSweep {
    LidarModel lidar = kLidarModels[0];
    RigidTransform pose; ///< T_scene_sensor at the middle of the turn
    Twist twist;         ///< motion of the sensor during the turn
    /// True: points are in the sensor's frame at the middle of the turn. False: each point is in the sensor's
    /// frame at its own time, as if the sensor had not moved.
    bool isDeskewed = true;
    float rangeNoise = 0.01f; ///< standard deviation of the noise along the ray, metres
    DropOuts dropOuts;
    std::uint64_t seed = 1;  ///< random seed of noise and drop-outs
    std::uint64_t frame = 0; ///< number of the sweep; sweeps with different numbers have different noise and
                             ///< drop-outs
};

/// Casts all rays of a sweep on all cores. Each ray depends only on the parameters and its index.
/// @returns the points in the order of firing, in the frame that `isDeskewed` determines; `time` is relative
/// to the start of the turn, and `sensor` is the position at that time
/// @throws KernelError for parameters out of range; Cancelled
std::vector<ScanPoint> generateSweep(const LidarSweep& sweep, const SolidScene& scene,
                                     const std::stop_token& stop);

} // namespace scanloupe::synth
