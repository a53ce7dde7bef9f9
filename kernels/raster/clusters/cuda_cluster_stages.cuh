#pragma once
// Declares the stage of a frame that draws a mesh by its clusters.
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

/// Draws the triangles of all clusters, or queues them for a warp or for the tiles. @throws KernelError
void queueClusters(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
