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
    std::shared_ptr<const KernelPoints> points = {}; ///< the scan's points, if on the device
    std::shared_ptr<const SyclDevice> sycl = {};     ///< renders a scene on the host; null: the CPU does
};

/// Whether all results that `look` shows, and the inputs of its colours, are on the device.
bool liesOnDevice(const Snapshot& of, const Recipe& look, const DevicePlace& place);

/// A scene in device memory. Results that are on the device already are used in place; others, and their
/// colours, are copied once. A moved camera copies nothing.
class DeviceScene {
public:
    /// Uses results that are on the device, see liesOnDevice(). `style`: an empty scene with drawing sizes.
    /// @throws EngineError as colourMesh; DeviceMemoryShort, KernelError; Cancelled
    DeviceScene(const Snapshot& of, const Recipe& look, const DevicePlace& place, const RasterScene& style,
                const std::stop_token& stop);
    /// Copies a scene from the host.
    /// @param host the scene with its colours; @param mesh and @param voxels the shown results, or null
    /// @throws DeviceMemoryShort, KernelError
    DeviceScene(const RasterScene& host, const DeviceOrHost<TriangleMesh>& mesh,
                const DeviceOrHost<VoxelGrid>& voxels, std::shared_ptr<const Stream> stream);

    /// As FrameRenderer::draw.
    DeviceFrame draw(const Projection& projection, const Shading& shading, const std::stop_token& stop) const;

    const std::shared_ptr<const Stream>& stream() const { return m_stream; }
    /// Colours of the scene, computed on the device.
    const ColourValues& colours() const { return m_colours; }
    /// Device memory of the acceleration structures, see FrameRenderer.
    std::uint64_t preparedBytes() const { return m_renderer->preparedBytes(); }

private:
    struct Colours {
        Buffer<float> values;
        Buffer<std::uint32_t> rgba;
    };
    Colours upload(Colouring& colouring, std::size_t count) const;

    std::shared_ptr<const Stream> m_stream; ///< outlives the buffers that are freed on it
    DeviceOrHost<TriangleMesh> m_shownMesh; ///< keeps the device memory alive
    DeviceOrHost<VoxelGrid> m_shownVoxels;
    Buffer<Vec3f> m_points;
    TriangleMesh m_mesh;
    VoxelGrid m_voxels;
    Colours m_pointColours, m_voxelColours, m_meshColours;
    ColourValues m_colours; ///< computed on the device
    RasterScene m_scene;
    std::unique_ptr<FrameRenderer> m_renderer;
};

} // namespace scanloupe
