#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. All data is in the memory of that
// backend.
#include "kernels/change/cloud_distance.h"
#include "kernels/change/m3c2.h"
#include "kernels/core/execution.h"

namespace scanloupe {

/// Distances of points to another scan, see cpu::cloudDistances; on the host.
inline SignedDistances cloudDistances(const Buffer<Vec3f>& points, const ReferencePoints& reference,
                                      const CloudDistanceParams& params, const Execution& on) {
    return on.onDevice() ? cuda::cloudDistances(points, reference, params, on.stop, *on.device)
                         : cpu::cloudDistances(points.span(), reference, params, on.stop);
}

} // namespace scanloupe
