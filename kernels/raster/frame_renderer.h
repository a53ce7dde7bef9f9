#pragma once
// Renders frames of one scene on the device, for moving cameras.
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/points/point_batches.h"
#include "kernels/raster/raster_graph.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// One frame in device memory.
struct DeviceFrame {
    VisibilityBuffer visibility;
    Image image;
    RasterStats stats;
};

/// Renders frames of a scene through a recorded graph. At the second frame it builds acceleration structures
/// (point batches, triangle clusters) if they pay off and fit into memory, since many more frames are likely
/// to follow. They do not change a bit of the pictures.
class FrameRenderer {
public:
    /// @param scene in device memory; its content must outlive this object. @param on the stream of all work
    /// of this object
    FrameRenderer(const RasterScene& scene, StreamView on) : m_scene(scene), m_on(on) {}

    /// Renders a frame into new buffers, which are complete on return. Thread-safe.
    /// @throws DeviceMemoryShort, KernelError, Cancelled
    DeviceFrame draw(const Projection& projection, const Shading& shading, const std::stop_token& stop);
    /// Returns the device memory of the acceleration structures in bytes; 0 if there are none. Thread-safe.
    std::uint64_t preparedBytes() const;

private:
    void prepareToDrawAgain();
    void batchPoints();
    void clusterMesh();
    void drawWithoutPreparation();
    /// Renders a frame in buffers that all frames share, and copies the result.
    DeviceFrame drawFrame(const Projection& projection, const Shading& shading);

    RasterScene m_scene;
    StreamView m_on;
    std::optional<PointBatches> m_batches;
    std::optional<TriangleClusters> m_clusters;
    mutable std::mutex m_mutex; ///< guards the frames' shared workspace, batches and clusters
    int m_drawn = 0;            ///< number of frames drawn
    std::unique_ptr<cuda::RasterGraph> m_frames;
};

} // namespace scanloupe
