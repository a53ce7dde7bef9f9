// Generates simulated lidar scans on the CPU, and validates their parameters.
#include "kernels/synth/scan_generator.h"
#include "kernels/core/number_text.h"

#include "kernels/core/parallel.h"
#include "kernels/synth/scan_generator_element.h"

#include <cmath>
#include <string>
#include <type_traits>

namespace scanloupe::synth {
namespace {

constexpr std::uint64_t kMinPoints = 1'000, kMaxPoints = 1'000'000'000;
constexpr std::size_t kScanGeneratorGrain = 1024; // number of points per chunk: takes at most some
                                                  // milliseconds

void check(const ScanParams& params, std::uint64_t first, std::size_t count) {
    if (params.points < kMinPoints || params.points > kMaxPoints)
        throw KernelError(
            "the number of points of a generated scan must be between 1000 and 1000000000 (got " +
                std::to_string(params.points) + ")",
            "Choose a number in this range.");
    if (!(params.rangeNoise >= 0) || !std::isfinite(params.rangeNoise))
        throw KernelError("the range noise of a generated scan must be 0 m or more (got " +
                              shortNumber(params.rangeNoise) + ")",
                          "Set a noise of 0 m or more.");
    if (params.pointsPerRevolution % kRings != 0)
        throw Fault("a revolution of a generated scan is no whole number of columns");
    if (first > params.points || count > params.points - first)
        throw Fault("points past the end of a generated scan were asked for");
}

} // namespace

static_assert(std::is_trivially_copyable_v<SceneGeometry> && std::is_trivially_copyable_v<ScanPoint>);

const SceneGeometry& sceneGeometry() {
    static const SceneGeometry scenes{makeStreetLayout(), makeRoomLayout()};
    return scenes;
}

SensorPose sensorPose(const ScanParams& params, double time) {
    return scanPose(params.scene, time / scanSeconds(params.scene));
}

double scanDuration(const ScanParams& params) {
    return scanSeconds(params.scene);
}

void generate(const ScanParams& params, std::uint64_t first, std::span<ScanPoint> points,
              const std::stop_token& stop) {
    check(params, first, points.size());
    const SceneGeometry& scenes = sceneGeometry();
    parallelFor(points.size(), kScanGeneratorGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            points[i] = makeScanPoint(params, scenes, first + i);
    });
}

} // namespace scanloupe::synth
