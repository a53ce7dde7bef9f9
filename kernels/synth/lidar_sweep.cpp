// Casts the rays of sweeps on the CPU, and validates their parameters.
#include "kernels/synth/lidar_sweep.h"

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
        throw KernelError("a lidar of " + std::to_string(lidar.columns) + " columns a turn was asked for",
                          "Take between 1 and " + std::to_string(kMaxColumns) + " columns.");
    if (!(sweep.rangeNoise >= 0) || !std::isfinite(sweep.rangeNoise))
        throw KernelError("the range noise of a sweep is negative or not a number",
                          "Take a noise of 0 m or more.");
    if (!(lost.random >= 0 && lost.random <= 1 && lost.grazing >= 0 && lost.grazing <= kPi / 2 &&
          lost.fading >= 0 && lost.fading <= 1))
        throw KernelError("the share of rays that a sweep loses is no number from 0 to 1",
                          "Take a share from 0 to 1.");
    if (!(lidar.nearest >= 0 && lidar.farthest > lidar.nearest && lidar.farthest < kNoHit &&
          lidar.turnSeconds > 0 && std::isfinite(lidar.turnSeconds)))
        throw KernelError("the range limit of a lidar is not above its blind zone, or its turn takes no time",
                          "Take positive numbers.");
    // Limits the rotation, since sinCos() is valid up to 10^4 radians.
    if (!isFinite(sweep.pose) || !isFinite(sweep.twist.linear) ||
        !(norm(sweep.twist.angular) * lidar.turnSeconds < 1e3))
        throw KernelError("the pose or the motion of a lidar is no number, or turns too fast",
                          "Take finite numbers.");
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
