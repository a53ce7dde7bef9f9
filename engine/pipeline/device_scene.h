#pragma once
// A scene on the device, and the frames that are drawn of it.
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/pipeline.h"
#include "kernels/raster/point_batches.h"
#include "kernels/raster/raster_graph.h"
#include "kernels/raster/triangle_clusters.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// One frame, on the device.
struct DeviceFrame {
    VisibilityBuffer visibility;
    Image image;
    RasterStats stats;
};

/// Where a scene may be drawn besides the host.
struct DevicePlace {
    std::shared_ptr<const Stream> stream;            ///< null: nowhere
    std::shared_ptr<const KernelPoints> points = {}; ///< the scan's, on the device; null: they are not there
};

/// Whether all that `look` shows of these results lies on the device, colours included.
bool liesOnDevice(const Snapshot& of, const Recipe& look, const DevicePlace& place);

/// What lies on the device already is drawn as it is; the rest, and its colours, are copied there once. After
/// that a moved camera copies nothing.
class DeviceScene {
public:
    /// A scene that lies on the device, see liesOnDevice(). `style`: a scene of nothing with its sizes.
    /// @throws EngineError as colourMesh; DeviceMemoryShort, KernelError; Cancelled
    DeviceScene(const Snapshot& of, const Recipe& look, const DevicePlace& place, const RasterScene& style,
                const std::stop_token& stop);
    /// @param host the scene with its colours, on the host; @param mesh and @param voxels what it shows, or
    /// nothing
    /// @throws DeviceMemoryShort, KernelError
    DeviceScene(const RasterScene& host, const Resident<TriangleMesh>& mesh,
                const Resident<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream);

    /// A frame with buffers of its own, whole when this returns. From any thread.
    /// @throws DeviceMemoryShort, KernelError, Cancelled
    DeviceFrame draw(const Projection& projection, const Shading& shading, const std::stop_token& stop);

    const std::shared_ptr<const Stream>& stream() const { return m_stream; }
    /// Of a scene that lies on the device.
    const ColourValues& colours() const { return m_colours; }
    /// Device memory that batches of points and clusters of triangles take; 0 without any. From any thread.
    std::uint64_t preparedBytes() const;

private:
    struct Colours {
        Buffer<float> values;
        Buffer<std::uint32_t> rgba;
    };
    Colours upload(Colouring& colouring, std::size_t count) const;
    /// What is drawn again will be many times more: makes what that is faster with, where it pays and there
    /// is memory for it. Pictures stay the same to the last bit.
    void prepareToDrawAgain(StreamView on);
    void batchPoints(StreamView on);
    void clusterMesh(StreamView on);
    void drawWithoutPreparation();
    /// Draws in the buffers that all frames share.
    DeviceFrame drawFrame(const Projection& projection, const Shading& shading);

    std::shared_ptr<const Stream> m_stream; ///< outlives what is freed on it
    Resident<TriangleMesh> m_shownMesh;     ///< keeps what lies on the device
    Resident<VoxelGrid> m_shownVoxels;
    Buffer<Vec3f> m_points;
    TriangleMesh m_mesh;
    VoxelGrid m_voxels;
    Colours m_pointColours, m_voxelColours, m_meshColours;
    ColourValues m_colours;                     ///< worked out on the device
    std::optional<PointBatches> m_batches;      ///< of points that are drawn again
    std::optional<TriangleClusters> m_clusters; ///< of a mesh that is
    RasterScene m_scene;
    mutable std::mutex m_mutex; ///< of the frames, which share their workspace, and of the batches
    int m_drawn = 0;            ///< frames
    std::unique_ptr<cuda::RasterGraph> m_frames;
};

} // namespace scanloupe
