#pragma once
// Declares the baselines of the raster benchmark. They are defined in raster_methods.cu, or in
// raster_unavailable.cpp in a build without nvcc.
#include "kernels/raster/core/raster_scene.h"
#include "kernels/raster/raster_tuning.h"

#include <memory>

namespace scanloupe::bench {

enum class RasterWay : std::uint8_t {
    stream,      ///< the operator's kernels, queued one by one instead of as a graph
    cooperative, ///< one cooperative kernel with grid-wide synchronization between the stages
};

/// One variant of the operator, prepared to draw the same scene repeatedly.
class RasterVariant {
public:
    /// @param scene on the device; must outlive this object. @throws KernelError
    RasterVariant(RasterWay way, const RasterScene& scene, const Projection& projection,
                  const cuda::RasterTuning& tuning, StreamView stream);
    ~RasterVariant();
    RasterVariant(const RasterVariant&) = delete;
    RasterVariant& operator=(const RasterVariant&) = delete;

    void run(StreamView stream);
    /// The picture of the last run, row by row, on the host. @note Synchronizes.
    VisibilityBuffer seen(StreamView stream) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The scheme of a published demo, reimplemented from its description: one block of 128 threads per triangle,
/// whose threads share the pixels of the triangle's bounding box; depth and colour are written by one 64-bit
/// atomic minimum. As in the demo, both faces are drawn, each pixel is lit before its visibility is known,
/// pixels are sampled at their corners, an edge belongs to both of its triangles, depth is interpolated
/// affinely, and triangles that extend behind the eye are dropped. Unlike in the demo, a thread does not stop
/// after 10,000 pixels of a triangle.
class DemoRaster {
public:
    /// @param mesh on the device; must outlive this object. @throws KernelError
    DemoRaster(const TriangleMesh& mesh, const Projection& projection, StreamView stream);
    ~DemoRaster();
    DemoRaster(const DemoRaster&) = delete;
    DemoRaster& operator=(const DemoRaster&) = delete;

    void run(StreamView stream);
    /// Pixels that the last run drew. @note Synchronizes.
    std::uint64_t drawnPixels(StreamView stream) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::bench
