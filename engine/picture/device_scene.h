#pragma once
// Declares a scene in device memory, and the frames that are rendered from it.
#include "engine/compute/device_or_host.h"
#include "engine/picture/colouring.h"
#include "kernels/raster/frame_renderer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>

namespace scanloupe {

struct KernelPoints;
struct Recipe;
struct Snapshot;
class SyclDevice;

/// The device that a scene may be rendered on.
struct DevicePlace {
    std::shared_ptr<const Stream> stream;            ///< null: no device
    std::shared_ptr<const KernelPoints> points = {}; ///< the scan's points on the device; null if they are on
                                                     ///< the host
    std::shared_ptr<const SyclDevice> sycl = {};     ///< device that renders a scene on the host; null: the
                                                     ///< CPU renders it
};

/// Whether all results that `look` shows, and the inputs of their colours, are on the device.
bool liesOnDevice(const Snapshot& of, const Recipe& look, const DevicePlace& place);

/// A scene in device memory. Results that are already on the device are used in place; other results and
/// their colours are copied once. Moving the camera copies nothing.
class DeviceScene {
public:
    /// Creates a scene of results that are on the device, see liesOnDevice().
    /// @param style an empty scene with the sizes to draw with
    /// @throws EngineError as colourMesh(); DeviceMemoryShort, KernelError; Cancelled
    DeviceScene(const Snapshot& of, const Recipe& look, const DevicePlace& place, const RasterScene& style,
                const std::stop_token& stop);
    /// Creates a scene by copying a scene from the host.
    /// @param host the scene with its colours
    /// @param mesh, voxels the shown results, or null
    DeviceScene(const RasterScene& host, const DeviceOrHost<TriangleMesh>& mesh,
                const DeviceOrHost<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream);

    /// Renders a frame, see FrameRenderer::draw().
    DeviceFrame draw(const Projection& projection, const Shading& shading, const std::stop_token& stop) const;

    const std::shared_ptr<const Stream>& stream() const { return m_stream; }
    /// Returns the colours of the scene, which were computed on the device.
    const ColourValues& colours() const { return m_colours; }
    /// Returns the device memory of the acceleration structures, bytes; see FrameRenderer.
    std::uint64_t preparedBytes() const { return m_renderer->preparedBytes(); }

private:
    struct Colours {
        Buffer<float> values;
        Buffer<std::uint32_t> rgba;
    };
    Colours upload(Colouring& colouring, std::size_t count) const;

    std::shared_ptr<const Stream> m_stream; ///< outlives the buffers that are freed on it
    DeviceOrHost<TriangleMesh> m_shownMesh; ///< keeps the device memory of the mesh alive
    DeviceOrHost<VoxelGrid> m_shownVoxels;
    Buffer<Vec3f> m_points;
    TriangleMesh m_mesh;
    VoxelGrid m_voxels;
    Colours m_pointColours, m_voxelColours, m_meshColours;
    ColourValues m_colours; ///< colours that were computed on the device
    RasterScene m_scene;
    std::unique_ptr<FrameRenderer> m_renderer;
};

} // namespace scanloupe
