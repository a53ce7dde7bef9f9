#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. All data is in the memory of that
// backend.
#include "kernels/change/cloud_distance.h"
#include "kernels/change/m3c2.h"
#include "kernels/core/execution.h"

namespace scanloupe {

/// Computes the change between two scans at given places, see cpu::m3c2.
inline Buffer<M3c2Change> m3c2(const Buffer<Vec3f>& places, const TreePoints& first, const TreePoints& second,
                               const M3c2Params& params, const Execution& on) {
    return on.onDevice() ? cuda::m3c2(places, first, second, params, on.stop, *on.device)
                         : cpu::m3c2(places.span(), first, second, params, on.stop);
}

/// Computes distances of points to another scan, see cpu::cloudDistances; the result is on the host.
inline SignedDistances cloudDistances(const Buffer<Vec3f>& points, const ReferencePoints& reference,
                                      const CloudDistanceParams& params, const Execution& on) {
    return on.onDevice() ? cuda::cloudDistances(points, reference, params, on.stop, *on.device)
                         : cpu::cloudDistances(points.span(), reference, params, on.stop);
}

} // namespace scanloupe
