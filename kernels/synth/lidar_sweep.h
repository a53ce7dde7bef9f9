#pragma once
// Declares sweeps of a spinning lidar as sensors make them: rays that return nothing leave no point.
#include "kernels/core/rigid_transform.h"
#include "kernels/synth/lidar_model.h"
#include "kernels/synth/scan_generator.h"
#include "kernels/synth/solid_scene.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe::synth {

/// Motion of a sensor, constant in its own frame.
struct Twist {
    Vec3d linear;  ///< metres a second
    Vec3d angular; ///< radians a second
};

/// Which rays return nothing, beside those that hit nothing within range.
struct DropOuts {
    double random = 0.01; ///< share of all rays, 0 to 1
    /// Rays that meet a surface at a smaller angle return with a probability that falls with its sine, to
    /// none along the surface. Radians
    double grazing = 3 * kPi / 180;
    /// Share of the range limit from which on fewer and fewer rays return, to none at the limit; 1: none is
    /// lost before it.
    double fading = 0.8;
};

struct LidarSweep {
    LidarModel lidar = kLidarModels[0];
    RigidTransform pose; ///< T_scene_sensor in the middle of the turn
    Twist twist;         ///< during the turn
    /// Points are where they lie at the middle of the turn; else in the sensor's frame at their own time, as
    /// though it had stood still.
    bool isDeskewed = true;
    float rangeNoise = 0.01f; ///< standard deviation along the ray, metres
    DropOuts dropOuts;
    std::uint64_t seed = 1;  ///< of noise and drop-outs
    std::uint64_t frame = 0; ///< sweeps of other numbers have other noise and drop-outs
};

/// Casts all rays of a sweep on all cores. Returns the points in the sensor's frame at `pose`, in the order
/// in which they are fired; time is from the start of the turn, sensor where it was then. Each ray is a
/// function of the parameters and its index alone. @throws KernelError for parameters out of range; Cancelled
std::vector<ScanPoint> generateSweep(const LidarSweep& sweep, const SolidScene& scene,
                                     const std::stop_token& stop);

} // namespace scanloupe::synth
