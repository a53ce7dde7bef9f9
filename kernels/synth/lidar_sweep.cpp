// Casts the rays of sweeps on the CPU, and validates their parameters.
#include "kernels/synth/lidar_sweep.h"
#include "kernels/core/number_text.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/synth/lidar_sweep_element.h"

#include <cmath>
#include <type_traits>

namespace scanloupe::synth {
namespace {

constexpr std::size_t kSweepGrain = 256; // number of rays per chunk: takes at most some milliseconds
constexpr int kMaxColumns = 100'000;

void checkSweep(const LidarSweep& sweep) {
    const LidarModel& lidar = sweep.lidar;
    const DropOuts& lost = sweep.dropOuts;
    if (lidar.columns < 1 || lidar.columns > kMaxColumns || lidar.rings() < 1 || lidar.rings() > 65'535)
        throw KernelError("a lidar needs 1 to " + std::to_string(kMaxColumns) +
                              " columns per turn and 1 to 65535 rings (got " + std::to_string(lidar.columns) +
                              " and " + std::to_string(lidar.rings()) + ")",
                          "Choose numbers in these ranges.");
    if (!(sweep.rangeNoise >= 0) || !std::isfinite(sweep.rangeNoise))
        throw KernelError("the range noise of a sweep must be 0 m or more (got " +
                              shortNumber(sweep.rangeNoise) + ")",
                          "Set a noise of 0 m or more.");
    if (!(lost.random >= 0 && lost.random <= 1 && lost.grazing >= 0 && lost.grazing <= kPi / 2 &&
          lost.fading >= 0 && lost.fading <= 1))
        throw KernelError("the losses of a sweep must be between 0 and 1, and the grazing angle between 0 "
                          "and 90 degrees (got " +
                              shortNumber(lost.random) + ", " + shortNumber(lost.fading) + " and " +
                              shortNumber(lost.grazing * 180 / kPi) + ")",
                          "Set values in these ranges.");
    if (!(lidar.nearest >= 0 && lidar.farthest > lidar.nearest && lidar.farthest < kNoHit &&
          lidar.turnSeconds > 0 && std::isfinite(lidar.turnSeconds)))
        throw KernelError("a lidar needs an increasing pair of range limits and a positive turn time (got " +
                              shortNumber(lidar.nearest) + " m, " + shortNumber(lidar.farthest) + " m and " +
                              shortNumber(lidar.turnSeconds) + " s)",
                          "Set values in these ranges.");
    // Limits the rotation, since sinCos() is valid up to 10^4 radians.
    if (!isFinite(sweep.pose) || !isFinite(sweep.twist.linear) ||
        !(norm(sweep.twist.angular) * lidar.turnSeconds < 1e3))
        throw KernelError("the pose or the motion of a lidar is not finite, or it rotates by 1000 rad or "
                          "more during a turn (got " +
                              shortNumber(norm(sweep.twist.angular)) + " rad/s and turns of " +
                              shortNumber(lidar.turnSeconds) + " s)",
                          "Set a finite pose and motion, and a slower rotation.");
}

} // namespace

static_assert(std::is_trivially_copyable_v<LidarSweep> && std::is_trivially_copyable_v<SolidView>);

std::vector<ScanPoint> generateSweep(const LidarSweep& sweep, const SolidScene& scene,
                                     const std::stop_token& stop) {
    checkSweep(sweep);
    const SolidView solids = scene.view();
    std::vector<ScanPoint> points(sweep.lidar.rays());
    std::vector<std::uint8_t> returned(points.size());
    parallelFor(points.size(), kSweepGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            returned[i] = castSweepRay(sweep, solids, i, points[i]) ? 1 : 0;
    });
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (returned[i] != 0)
            points[count++] = points[i];
    points.resize(count);
    return points;
}

} // namespace scanloupe::synth
