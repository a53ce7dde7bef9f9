#pragma once
// Declares the stage of a frame that draws voxels.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

/// Queues the kernels that draw the voxels of a scene. @throws KernelError
void queueVoxels(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
