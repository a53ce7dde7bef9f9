#pragma once
// Declares the scale factors and offsets with which LAS quantizes coordinates to 32-bit integers.
#include "kernels/core/vec3.h"

#include <stop_token>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::detail {

struct LasFrame {
    Vec3d scale{1, 1, 1}, offset;
    bool exact = true; ///< quantization is lossless

    /// Quantizes a finite position.
    Vec3i quantize(Vec3d position) const;
};

/// Chooses scale and offset for a cloud. If the cloud stores integers, its own are used. Otherwise lossless
/// scales are tried: a power of ten, if all coordinates have at most nine decimal places; 2^-20; the smallest
/// power of two that the extent allows. If none is lossless, coordinates are rounded to 0.0001, or to a finer
/// power of ten for small objects and degrees. @throws Cancelled
LasFrame chooseLasFrame(const PointCloud& cloud, const std::stop_token& stop);

} // namespace scanloupe::detail
