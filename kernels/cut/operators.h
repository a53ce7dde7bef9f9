#pragma once
// The operator of this folder, which dispatches to the backend of an Execution.
#include "kernels/core/execution.h"
#include "kernels/cut/cut_points.h"

namespace scanloupe {

/// Moves points that a cut removes to kCutAway, see cpu::cutPoints. The points are in the memory of the
/// backend.
inline Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const Execution& on) {
    return on.onDevice() ? cuda::cutPoints(points, cut, *on.device) : cpu::cutPoints(points, cut, on.stop);
}

} // namespace scanloupe
