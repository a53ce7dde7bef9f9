#pragma once
// Declares the points that are compared with a reference.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// Where the points are that the uppermost layer that compares chooses, of [N] relative to the cloud's
/// origin; kCutAway where another point is. @param snapshot whole, with such a layer
Buffer<Vec3f> comparedPoints(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
