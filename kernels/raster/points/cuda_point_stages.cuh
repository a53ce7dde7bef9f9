#pragma once
// Declares the stages of a frame that draw and average points. Each function queues the kernels of a stage,
// for scenes that contain points. @throws KernelError
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

void queuePoints(const RasterWork& work, StreamView stream);
void queueBatches(const RasterWork& work, StreamView stream); ///< draws all points, batch by batch
/// Draws points of one pixel each with hierarchical depth, for frames that have tiles.
void queueManyPoints(const RasterWork& work, StreamView stream);
/// Sums the colours of the points in each pixel, for frames that average points.
void queueAverages(const RasterWork& work, StreamView stream);

/// minimum number of points of a scene for hierarchical depth
inline constexpr std::size_t kHizPoints = std::size_t{1} << 22;
inline constexpr std::size_t kMaxHizTiles = 50000; ///< maximum number of keys that fit into 227 KiB of shared
                                                   ///< memory together with the lists of the warps
/// Chooses the smallest tiles whose keys fit into the shared memory of a multiprocessor. The result has no
/// tiles if there are too few points. @throws KernelError
HizWork hizTiles(std::size_t points, const RasterView& view);

} // namespace scanloupe::cuda
