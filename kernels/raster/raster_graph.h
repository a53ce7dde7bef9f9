#pragma once
// Draws and shades one scene repeatedly, from the second frame on with a CUDA graph, for moving cameras.
#include "kernels/raster/core/raster_scene.h"
#include "kernels/raster/raster_tuning.h"

#include <cstdint>
#include <memory>

namespace scanloupe::cuda {

/// Draws and shades frames of one scene. Each launch queues a whole frame, without allocations and without
/// reading back. The second launch records the graph: most scenes are drawn only once (while a slider moves
/// or a sequence plays), and for those recording would take longer than it saves. Camera and shading are
/// arguments of the launch, so changing them needs no new recording. A frame stays on the device until the
/// next launch.
class RasterGraph {
public:
    /// The last stage of a frame.
    enum class Output : std::uint8_t {
        visibility, ///< only the visibility buffer
        image,      ///< the visibility buffer and the shaded image
    };

    /// @param scene on the device. Its content must outlive this object; it may change between launches,
    /// except its sizes, its colour maps, points that have batches and a mesh that has clusters
    /// @param stream later launches must be on this stream, or on a stream that waits for it
    /// @throws KernelError as cpu::rasterize
    RasterGraph(const RasterScene& scene, int width, int height, Output output, const RasterTuning& tuning,
                StreamView stream);
    ~RasterGraph();
    RasterGraph(const RasterGraph&) = delete;
    RasterGraph& operator=(const RasterGraph&) = delete;

    /// Queues a frame. All launches must be on one stream, since frames share their workspace. Asynchronous.
    /// @throws KernelError for a projection of another size, or as cpu::resolve
    void launch(const Projection& projection, const Shading& shading, StreamView stream);

    /// Returns the result of the last launch, which is valid once its stream has completed the launch.
    const VisibilityBuffer& visibility() const;
    const Image& image() const; ///< Same as above for the image; empty without Output::image.

    /// Returns the counts of the last frame; `drawnPixels` is set only with Output::image. @note
    /// Synchronizes. @throws KernelError if a triangle has a missing vertex
    RasterStats stats(StreamView stream) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::cuda
