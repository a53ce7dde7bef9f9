#pragma once
// Owns the device memory of a frame.
#include "kernels/core/buffer.h"
#include "kernels/raster/core/cuda_raster.cuh"
#include "kernels/raster/points/point_average.h"
#include "kernels/raster/points/point_batches.h"
#include "kernels/raster/raster_tuning.h"
#include "kernels/raster/triangles/queued_triangle.cuh"
#include "kernels/raster/triangles/triangle_coverage.h"

namespace scanloupe::cuda {

/// Working memory of the kernels, apart from the scene: queues, counters, colour maps.
class RasterSpace {
public:
    /// @param pixels that are shaded; 0: none. @param scene on the device. @throws KernelError as
    /// cpu::rasterize, Fault for one on the host
    RasterSpace(const RasterScene& scene, std::size_t pixels, const RasterTuning& tuning, StreamView stream);

    /// Arguments of the kernels. @param image [height, width], or null where nothing is shaded
    RasterWork work(const RasterScene& scene, const Projection& projection, const Shading& shading,
                    std::uint64_t* pixels, std::uint32_t* image) const;
    /// What the last frame on `stream` counted. @note Synchronizes. @throws KernelError when a triangle named
    /// a vertex that is not there, or a pixel showed something that the scene does not hold
    RasterStats stats(StreamView stream) const;

private:
    /// Without queues for triangles and voxels.
    RasterSpace(const RasterScene& scene, std::size_t pixels, StreamView stream);

    RasterTuning m_tuning;
    std::uint64_t m_notFiniteVoxels = 0;     // all voxels of a grid whose position is not finite
    const PointBatches* m_batches = nullptr; // that points are drawn by; null for none
    Buffer<RasterCounts> m_counts;
    Buffer<std::uint32_t> m_maps; // [3, 256] of points, voxels, mesh
    Buffer<ScreenPosition> m_screenPositions;
    Buffer<std::uint32_t> m_multiPixel, m_mediumVoxels, m_largeVoxels;
    Buffer<QueuedTriangle> m_medium, m_large;
    Buffer<std::uint32_t> m_batchOrder, m_hizKeys;
    Buffer<PointSums> m_sums;
};

/// Queues all that a scene needs to be drawn. @throws KernelError
void queueDrawing(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
