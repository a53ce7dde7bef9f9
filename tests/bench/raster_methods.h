#pragma once
// Declares the baselines of the raster benchmark: raster_methods.cu, or raster_unavailable.cpp in a build
// without nvcc.
#include "kernels/raster/core/raster_scene.h"
#include "kernels/raster/raster_tuning.h"

#include <memory>

namespace scanloupe::bench {

enum class RasterWay : std::uint8_t {
    stream,      ///< the operator's kernels, queued one by one instead of as a graph
    cooperative, ///< one cooperative kernel with grid-wide synchronization between the stages
};

/// One variant of the operator, drawing one scene again and again.
class RasterVariant {
public:
    /// @param scene on the device, which outlives this. @throws KernelError
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

/// The published demo's scheme, reimplemented from its description: a block of 128 threads a triangle, each
/// with its share of the box's pixels; depth over colour in one 64-bit atomic minimum. As in the demo, both
/// faces are drawn and each pixel is lit before its visibility is known; pixels' corners are sampled, edges
/// belong to both sides, depth is interpolated affinely, triangles that extend behind the eye are dropped.
/// Unlike in the demo, no triangle is cut off after 10,000 pixels a thread.
class DemoRaster {
public:
    /// @param mesh on the device, which outlives this. @throws KernelError
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
