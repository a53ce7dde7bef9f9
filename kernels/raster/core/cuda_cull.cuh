#pragma once
// Provides conservative culling with the device's approximate reciprocal and wide loads.
#include "kernels/raster/core/conservative_cull.h"
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

struct ApproximateReciprocal {
    __device__ float operator()(float v) const {
        float inverse;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(v)); // accurate to one unit in the last place
        return inverse;
    }
};

inline constexpr int kLoadedAtOnce = 4; ///< positions per thread: 48 bytes, three wide loads

__device__ inline bool canLoadWide(const Vec3f* positions) {
    return reinterpret_cast<std::uintptr_t>(positions) % sizeof(float4) == 0;
}
/// Loads the positions from index 4 * `group` on. @param wide whether the positions are aligned for wide
/// loads
__device__ inline void loadAtOnce(const Vec3f* positions, std::uint32_t count, std::uint32_t group, bool wide,
                                  Vec3f (&p)[kLoadedAtOnce]) {
    const std::size_t first = std::size_t{group} * kLoadedAtOnce;
    if (wide && first + kLoadedAtOnce <= count) {
        const auto* from = reinterpret_cast<const float4*>(positions + first);
        const float4 a = __ldcs(from), b = __ldcs(from + 1), c = __ldcs(from + 2);
        p[0] = {a.x, a.y, a.z}, p[1] = {a.w, b.x, b.y}, p[2] = {b.z, b.w, c.x}, p[3] = {c.y, c.z, c.w};
        return;
    }
#pragma unroll
    for (std::size_t k = 0; k < kLoadedAtOnce; ++k)
        p[k] = first + k < count ? positions[first + k] : Vec3f{};
}

} // namespace scanloupe::cuda
