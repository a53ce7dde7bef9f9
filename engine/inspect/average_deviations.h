#pragma once
// Declares the averaging of deviations over neighbours, which reduces the scanner's noise.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <span>
#include <stop_token>

namespace scanloupe {

/// Returns the mean deviation around each point, [N]. The mean is taken over 3 x 3 x 3 cells around the
/// point's cell, with an edge of `window` / 3 each. Walls should be thicker than the window, because points
/// of both sides are averaged.
/// @param distances [N] NaN is ignored, and stays NaN
/// @param window > 0
Buffer<float> averagedDeviations(std::span<const Vec3f> points, std::span<const float> distances,
                                 double window, const std::stop_token& stop);

} // namespace scanloupe
