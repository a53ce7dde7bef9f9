#pragma once
// A scene on the device, and the frames that are drawn of it.
#include "engine/pipeline/resident.h"
#include "kernels/raster/raster_graph.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>

namespace scanloupe {

/// One frame, on the device.
struct DeviceFrame {
    VisibilityBuffer visibility;
    Image image;
    RasterStats stats;
};

/// What lies on the device already is drawn as it is; the rest, and the colours, are copied there once. After
/// that a moved camera copies nothing.
class DeviceScene {
public:
    /// @param host the scene with its colours, on the host; @param mesh and @param voxels what it shows, or
    /// nothing
    /// @throws DeviceMemoryShort, KernelError
    DeviceScene(const RasterScene& host, const Resident<TriangleMesh>& mesh,
                const Resident<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream);

    /// A frame with buffers of its own, whole when this returns. From any thread.
    /// @throws DeviceMemoryShort, KernelError, Cancelled
    DeviceFrame draw(const Projection& projection, const Shading& shading, const std::stop_token& stop);

    const std::shared_ptr<const Stream>& stream() const { return m_stream; }

private:
    struct Colours {
        Buffer<float> values;
        Buffer<std::uint32_t> rgba;
    };
    Colours upload(Colouring& colouring, std::size_t count) const;

    std::shared_ptr<const Stream> m_stream; ///< outlives what is freed on it
    Resident<TriangleMesh> m_shownMesh;     ///< keeps what lies on the device
    Resident<VoxelGrid> m_shownVoxels;
    Buffer<Vec3f> m_points;
    TriangleMesh m_mesh;
    VoxelGrid m_voxels;
    Colours m_pointColours, m_voxelColours, m_meshColours;
    RasterScene m_scene;
    std::mutex m_mutex; ///< of the frames, which share their workspace
    std::unique_ptr<cuda::RasterGraph> m_frames;
};

} // namespace scanloupe
