#pragma once
// Declares a random sample of a cloud's points, for forecasting the sizes of results.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Points drawn without replacement, in random order, so that the first n points are also a random sample.
struct PointSample {
    std::vector<Vec3f> positions; ///< metres, relative to the cloud's origin; only finite positions
    double share = 1;             ///< fraction of the cloud's points in the sample
    std::uint64_t points = 0;     ///< number of points of the cloud

    bool isWhole() const { return share >= 1; }
};

/// Draws a sample of points, the same on every machine. The time does not depend on the size of the cloud.
/// @throws Cancelled
PointSample samplePoints(const PointCloud& cloud, const std::stop_token& stop);

} // namespace scanloupe
