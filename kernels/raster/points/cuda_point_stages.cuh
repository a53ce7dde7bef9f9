#pragma once
// Declares the stages of a frame that draw and average points. Each queues its kernels, for scenes that hold
// points. @throws KernelError
#include "kernels/raster/core/cuda_raster.cuh"

namespace scanloupe::cuda {

void queuePoints(const RasterWork& work, StreamView stream);
void queueBatches(const RasterWork& work, StreamView stream); ///< all points, batch by batch
/// points of one pixel each, for frames with tiles
void queueManyPoints(const RasterWork& work, StreamView stream);
/// Sums the colours of the points in each pixel; for frames with sums.
void queueAverages(const RasterWork& work, StreamView stream);

inline constexpr std::size_t kHizPoints = std::size_t{1} << 22; ///< minimum number of points for tiles
inline constexpr std::size_t kMaxHizTiles = 50000; ///< keys that 227 KiB hold in addition to the warps' lists
/// Chooses the smallest tiles whose keys fit a multiprocessor's shared memory; none for too few points.
/// @throws KernelError
HizWork hizTiles(std::size_t points, const RasterView& view);

} // namespace scanloupe::cuda
