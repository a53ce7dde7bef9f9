#pragma once
// The operator of this folder, with the choice of its backend.
#include "kernels/core/execution.h"
#include "kernels/cut/cut_points.h"

namespace scanloupe {

/// Moves away the points that a cut does not keep; the points lie where it computes, see cpu::cutPoints.
inline Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const Execution& on) {
    return on.onDevice() ? cuda::cutPoints(points, cut, *on.device) : cpu::cutPoints(points, cut, on.stop);
}

} // namespace scanloupe
