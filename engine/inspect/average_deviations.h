#pragma once
// Declares the averaging of deviations over neighbours, which reduces the scanner's noise.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <span>
#include <stop_token>

namespace scanloupe {

/// The mean deviation around each point, in cubes of three cells of `window` / 3 an edge about its cell.
/// Walls should be thicker than the window: it averages points of both sides.
/// @param distances [N] NaN stays NaN and does not count @param window > 0
/// @throws KernelError; Cancelled.
Buffer<float> averagedDeviations(std::span<const Vec3f> points, std::span<const float> distances,
                                 double window, const std::stop_token& stop);

} // namespace scanloupe
