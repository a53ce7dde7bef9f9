#pragma once
// Declares the stage of a frame that draws voxels.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

/// For scenes with voxels. @throws KernelError
void queueVoxels(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
