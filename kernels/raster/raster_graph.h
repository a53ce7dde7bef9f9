#pragma once
// Draws and shades one scene repeatedly, from the second frame on with a CUDA graph, for moving cameras.
#include "kernels/raster/core/raster_scene.h"
#include "kernels/raster/raster_tuning.h"

#include <cstdint>
#include <memory>

namespace scanloupe::cuda {

/// Each launch queues a whole frame, without allocations and without reading back. Most scenes are drawn
/// once, while a slider moves or a sequence plays, and recording would take longer than it saves: the second
/// launch records. Camera and shading are arguments of the launch: changing them needs no new recording. A
/// frame stays on the device until the next launch.
class RasterGraph {
public:
    /// The last stage of a frame.
    enum class Output : std::uint8_t {
        visibility, ///< the visibility buffer
        image,      ///< shaded, too
    };

    /// @param scene on the device. Its content must outlive this object; it may change between launches,
    /// except its sizes, its colour maps, points that have batches and a mesh that has clusters
    /// @param stream launches follow on this one, or on one that waits for it
    /// @throws KernelError as cpu::rasterize
    RasterGraph(const RasterScene& scene, int width, int height, Output output, const RasterTuning& tuning,
                StreamView stream);
    ~RasterGraph();
    RasterGraph(const RasterGraph&) = delete;
    RasterGraph& operator=(const RasterGraph&) = delete;

    /// Queues a frame. Frames share their workspace: launch them on one stream. Asynchronous. @throws
    /// KernelError for a projection of another size, or as cpu::resolve
    void launch(const Projection& projection, const Shading& shading, StreamView stream);

    /// The result of the last launch, valid once its stream has reached that point.
    const VisibilityBuffer& visibility() const;
    const Image& image() const; ///< empty without Output::image

    /// The counts of the last frame; `drawnPixels` only with Output::image. @note Synchronizes. @throws
    /// KernelError if a triangle has a missing vertex
    RasterStats stats(StreamView stream) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::cuda
