#pragma once
// Declares the scale factors and offsets by which LAS quantizes coordinates to 32-bit integers.
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

/// Chooses the cloud's own scale and offset, where it holds integers. Else the scale is a power of ten, where
/// all coordinates are decimal numbers of at most nine digits after the decimal point; else 2^-20, or the
/// smallest power of two that the extent allows, where that is lossless. Else coordinates are rounded to
/// 0.0001, or to a finer power of ten for small objects and degrees. @throws Cancelled
LasFrame chooseLasFrame(const PointCloud& cloud, const std::stop_token& stop);

} // namespace scanloupe::detail
