#pragma once
// Declares sweeps of a spinning lidar with the losses of real sensors: rays without a return leave no point.
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/lidar_model.h"
#include "kernels/synth/scan_generator.h"
#include "kernels/synth/solid_scene.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::synth {

/// Motion of a sensor, constant in the sensor's frame.
struct Twist {
    Vec3d linear;  ///< metres a second
    Vec3d angular; ///< angular velocity, radians per second
};

/// Which rays return nothing, in addition to those that hit nothing within range.
struct DropOuts {
    double random = 0.01; ///< share of all rays, 0 to 1
    /// Radians; rays with a smaller angle to the surface return with a probability that falls with the sine,
    /// to 0 along the surface.
    double grazing = 3 * kPi / 180;
    /// Share of the range limit beyond which the probability of a return falls, to 0 at the limit; 1: no
    /// loss.
    double fading = 0.8;
};

struct LidarSweep {
    LidarModel lidar = kLidarModels[0];
    RigidTransform pose; ///< T_scene_sensor at the middle of the turn
    Twist twist;         ///< twist during the turn
    /// Whether points are in the sensor's frame at the middle of the turn; otherwise in its frame at their
    /// own time, as if it had not moved.
    bool isDeskewed = true;
    float rangeNoise = 0.01f; ///< standard deviation along the ray, metres
    DropOuts dropOuts;
    std::uint64_t seed = 1;  ///< random seed of noise and drop-outs
    std::uint64_t frame = 0; ///< sweeps with different numbers have different noise and drop-outs
};

/// Casts all rays of a sweep on all cores. Returns the points in the sensor's frame at `pose`, in the order
/// of firing; `time` counts from the start of the turn, and `sensor` is the position at that time. Each ray
/// depends only on the parameters and its index. @throws KernelError for parameters out of range; Cancelled
std::vector<ScanPoint> generateSweep(const LidarSweep& sweep, const SolidScene& scene,
                                     const std::stop_token& stop);

} // namespace scanloupe::synth
