#pragma once
// Declares the points that are compared with a reference.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <stop_token>

namespace scanloupe {

struct Snapshot;

/// Returns the positions of the points that the topmost comparing layer selects, [N] relative to the cloud's
/// origin; kCutAway at the rows of all other points. @param snapshot complete, with a comparing layer
Buffer<Vec3f> comparedPoints(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
