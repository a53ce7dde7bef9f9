#pragma once
// Declares the stages of a frame that draw triangles. Each function queues the kernels of a stage, for scenes
// with a mesh.
// @throws KernelError
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

/// Clears the picture, then draws a large mesh whose vertices are projected beforehand.
void queueLargeMesh(const RasterWork& work, StreamView stream);
/// Draws a mesh without projecting its vertices beforehand: each triangle projects its own.
void queueSmallMesh(const RasterWork& work, StreamView stream);
/// Draws the triangles that previous stages have queued for a warp or for the tiles.
void queueQueuedTriangles(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
