#pragma once
// The quick look with the device's own reciprocal.
#include "kernels/raster/cuda_raster.cuh"
#include "kernels/raster/fast_cell.h"

namespace scanloupe::cuda {

struct QuickReciprocal {
    __device__ float operator()(float v) const {
        float inverse;
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(v)); // to one unit in the last place
        return inverse;
    }
};

} // namespace scanloupe::cuda
