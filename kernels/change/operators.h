#pragma once
// The operators of this folder, with the choice of their backend. All data lies where it is computed.
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
