#pragma once
// Declares the stage of a frame that shades the picture.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

/// Shades the picture, and counts the drawn pixels. @throws KernelError
void queueResolve(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
