#pragma once
// Declares a random sample of a cloud's points, from which the sizes of results are forecast.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Points drawn without replacement, in random order, so that the first n of them are a random sample, too.
struct PointSample {
    std::vector<Vec3f> positions; ///< metres, relative to the cloud's origin; finite ones only
    double share = 1;             ///< fraction of the cloud's points in the sample
    std::uint64_t points = 0;     ///< points of the cloud

    bool isWhole() const { return share >= 1; }
};

/// Draws points; the same ones on every machine. 100 M points take as long as 1 M. @throws Cancelled
PointSample samplePoints(const PointCloud& cloud, const std::stop_token& stop);

} // namespace scanloupe
