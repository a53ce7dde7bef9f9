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
    /// Allocates the memory for a scene. @param scene on the device @param pixels number of pixels to shade;
    /// 0: no shading
    /// @throws KernelError as cpu::rasterize; Fault if the scene is on the host
    RasterSpace(const RasterScene& scene, std::size_t pixels, const RasterTuning& tuning, StreamView stream);

    /// Returns the arguments of the kernels for a frame. @param image [height, width]; null without shading
    RasterWork work(const RasterScene& scene, const Projection& projection, const Shading& shading,
                    std::uint64_t* pixels, std::uint32_t* image) const;
    /// Returns the counts of the last frame on `stream`. @note Synchronizes. @throws KernelError if a
    /// triangle has a missing vertex, or a pixel has an id that does not exist in the scene
    RasterStats stats(StreamView stream) const;

private:
    /// Allocates memory without queues for triangles and voxels.
    RasterSpace(const RasterScene& scene, std::size_t pixels, StreamView stream);

    RasterTuning m_tuning;
    std::uint64_t m_notFiniteVoxels = 0; // number of voxels of a grid whose position is not finite, in which
                                         // case all its voxels are rejected
    const PointBatches* m_batches = nullptr; // batches of the scene's points; null: draw without batches
    Buffer<RasterCounts> m_counts;
    Buffer<std::uint32_t> m_maps; // [3, 256] colour maps of points, voxels, mesh
    Buffer<ScreenPosition> m_screenPositions;
    Buffer<std::uint32_t> m_multiPixel, m_mediumVoxels, m_largeVoxels;
    Buffer<QueuedTriangle> m_medium, m_large;
    Buffer<std::uint32_t> m_batchOrder, m_hizKeys;
    Buffer<PointSums> m_sums;
};

/// Queues all kernels that draw a scene. @throws KernelError
void queueDrawing(const RasterWork& work, StreamView stream);

} // namespace scanloupe::cuda
