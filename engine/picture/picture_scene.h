#pragma once
// Declares the renderable scene of a snapshot, independent of the camera: built once, rendered for every
// view.
#include "engine/picture/colouring.h"
#include "engine/picture/device_scene.h"
#include "engine/results/snapshot.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/raster/resolve/samples.h"

#include <memory>
#include <mutex>

namespace scanloupe {

class SyclDevice;

/// A rendered picture, or a part of one.
struct DrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    std::shared_ptr<const Stream> stream = nullptr; ///< null: both are on the host
    RasterStats stats;
    double resolveMs = 0; ///< wall time of shading, without rasterization
    PointParts parts = {};
};

/// Points, voxels or mesh of a run with colours, sizes and shading. Keeps the results that it draws alive.
class PictureScene {
public:
    /// Builds the scene of these results that `look`, a resolved recipe, shows; for a volume always its mesh.
    /// Given a device, the scene is rendered there, unless its memory is too small.
    /// @throws EngineError when the look colours by an attribute that the scan doesn't have; KernelError;
    /// Cancelled.
    PictureScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                 const std::stop_token& stop);
    ~PictureScene();
    PictureScene(const PictureScene&) = delete;
    PictureScene& operator=(const PictureScene&) = delete;

    /// @param camera in the file's frame. @throws KernelError as Projection
    Projection projection(Camera camera, int width, int height) const;
    /// Renders a picture. From any thread. @throws KernelError; Cancelled.
    DrawnPixels draw(const Projection& projection, const std::stop_token& stop) const;

    /// Whether both scenes show a mesh on the host in the same way, so that a picture of this one can reuse
    /// pixels of a picture of `before`.
    bool updatesFrom(const PictureScene& before) const;
    /// As draw(), with the same bytes: reuses pixels of the picture of `before` where it shows triangles that
    /// both meshes have. @param picture whole, of one sample, with the same camera @throws as draw()
    DrawnPixels drawAgain(const Projection& projection, const PictureScene& before, const Picture& picture,
                          const SharedMesh& shared, const std::stop_token& stop) const;

    /// The number of parts for progressive drawing of very many points; 1 for other scenes.
    std::uint32_t parts() const;
    /// Draws parts for about `ms` milliseconds, at least one. The points visible in `seen`, a buffer of this
    /// scene from any camera, are drawn first: most of them stay visible. @throws KernelError; Cancelled.
    DrawnPixels drawFor(double ms, const VisibilityBuffer* seen, const Projection& projection,
                        const std::stop_token& stop) const;
    /// Draws the missing parts. @throws KernelError; Cancelled.
    DrawnPixels complete(const VisibilityBuffer& begun, PointParts parts, const Projection& projection,
                         const std::stop_token& stop) const;
    /// Draws samples, at the offsets of sampleOffset(), until the sums hold `samples` of them; fewer, or
    /// none, after a cancellation. @throws KernelError; Cancelled.
    void addSamples(SampleSums& sums, const Projection& centred, int samples,
                    const std::stop_token& stop) const;

    /// Adds a picture of this scene as a sample. @throws as addSamples
    void addSample(SampleSums& sums, const DeviceOrHost<Image>& image, const std::stop_token& stop) const;
    /// The mean of the samples, in the memory space of the sums. @throws KernelError; Cancelled.
    DeviceOrHost<Image> meanOf(const SampleSums& sums, const std::stop_token& stop) const;

    /// The identity of the mesh that is drawn; null for other scenes.
    std::shared_ptr<const void> meshIdentity() const { return m_of.mesh.identity(); }
    bool isOnDevice() const { return m_device != nullptr; }
    bool averagesPoints() const;
    bool mapped() const { return m_mapped; } ///< colours are mapped values between the limits
    float low() const { return m_low; }
    float high() const { return m_high; }
    /// The classes that the colours show; null if they don't show classes.
    const std::shared_ptr<const ClassColours>& classes() const { return m_classes; }

private:
    /// On the device if the scene is on the device; in the SYCL backend on request.
    Execution execution(const std::stop_token& stop) const;
    DrawnPixels drawOn(const Execution& on, const Projection& projection) const;
    DrawnPixels drawOnHost(const Execution& on, const Projection& projection) const;
    DrawnPixels drawOnDevice(const Projection& projection, const std::stop_token& stop) const;
    void shade(DrawnPixels& drawn, const RasterScene& scene, const Projection& projection,
               const Execution& on) const;

    /// The scene in host memory.
    struct HostScene {
        Buffer<Vec3f> points; ///< [N, 3] NaN out of range, so that indices are those of the scan
        ColourValues colours;
        RasterScene scene;
    };
    std::unique_ptr<const HostScene> makeHostScene(const std::stop_token& stop) const;
    /// Built on first use; not at all if everything is rendered on the device.
    const HostScene& onHost(const std::stop_token& stop) const;
    void takeLimits(const ColourValues& colours);

    Snapshot m_of; ///< without its picture
    StoredRecipe m_look;
    RasterScene m_style; ///< an empty scene with the look's sizes
    Shading m_shading;
    bool m_mapped = false;
    float m_low = 0, m_high = 0;
    std::shared_ptr<const ClassColours> m_classes;
    mutable std::mutex m_mutex; ///< guards m_host
    mutable std::unique_ptr<const HostScene> m_host;
    std::unique_ptr<DeviceScene> m_device;    ///< null: rendered on the host
    std::shared_ptr<const SyclDevice> m_sycl; ///< renders there; null: the CPU does
};

} // namespace scanloupe
