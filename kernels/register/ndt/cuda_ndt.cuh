#pragma once
// Declares the job and result structs, and the warp and block limits, that all NDT alignment kernels share.
#include "kernels/register/ndt/cuda_grid_sums.cuh"
#include "kernels/register/ndt/ndt_device.h"
#include "kernels/register/ndt/ndt_newton_state.h"

namespace scanloupe::cuda {

static_assert(kNdtTerms == kLanes); // lane t of a warp holds the sum of term t

/// Input of one alignment.
struct NdtDeviceJob {
    const Vec3f* points = nullptr; // [count] metres, relative to the scan's origin
    std::uint32_t count = 0;
    Vec3d middle;         ///< see NdtSpread::middle
    double arc = 1;       ///< see NdtNewtonParams::arc
    RigidTransform start; ///< start pose in the local frame, see NdtFrame
};
/// The result of an alignment.
struct NdtDeviceEnd {
    RigidTransform pose;
    NdtTotals totals, wide; ///< totals at `pose`: with the neighbours of NdtParams, and with all 27
    int iterations = 0;
    NdtEnd end = NdtEnd::noPoints;
};

} // namespace scanloupe::cuda
