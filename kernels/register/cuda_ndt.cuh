#pragma once
// Declares the job and result structs, and the warp and block limits, that all NDT alignment kernels share.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt_device.h"
#include "kernels/register/ndt_newton_state.h"

namespace scanloupe::cuda {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kAllOfWarp = 0xffffffffU;
inline constexpr unsigned kMostWarps = 8;   ///< of a block
inline constexpr unsigned kMostBlocks = 16; ///< of a cluster
static_assert(kNdtTerms == kLanes);         // lane t of a warp has term t

/// One alignment.
struct NdtDeviceJob {
    const Vec3f* points = nullptr; // [count] metres, relative to the scan's origin
    std::uint32_t count = 0;
    Vec3d middle;         ///< NdtSpread::middle
    double arc = 1;       ///< NdtNewtonParams::arc
    RigidTransform start; ///< the local pose, see NdtFrame
};
/// Where it ended.
struct NdtDeviceEnd {
    RigidTransform pose;
    NdtTotals totals, wide;
    int iterations = 0;
    NdtEnd end = NdtEnd::noPoints;
};

} // namespace scanloupe::cuda
