#pragma once
// Declares the renderable scene of a snapshot. It does not depend on the camera: it is built once and
// rendered for every view.
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

/// A rendered picture, or a part of a picture.
struct DrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    std::shared_ptr<const Stream> stream = nullptr; ///< null: image and buffer are on the host
    RasterStats stats;
    double resolveMs = 0; ///< wall time of shading without rasterization, ms
    PointParts parts = {};
};

/// The points, voxels or mesh of a run, with colours, sizes and shading. Keeps the shown results alive.
class PictureScene {
public:
    /// Builds the scene that a resolved recipe shows of these results; for a volume always the mesh. If a
    /// device is given, the scene is rendered there, unless its memory is too small.
    /// @param look a resolved recipe
    /// @throws EngineError if `look` colours by an attribute that the scan lacks; KernelError; Cancelled.
    PictureScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                 const std::stop_token& stop);
    ~PictureScene();
    PictureScene(const PictureScene&) = delete;
    PictureScene& operator=(const PictureScene&) = delete;

    /// Returns the projection of a camera. @param camera in the file's frame @throws KernelError as
    /// Projection
    Projection projection(Camera camera, int width, int height) const;
    /// Renders a picture. Thread-safe. @throws KernelError; Cancelled.
    DrawnPixels draw(const Projection& projection, const std::stop_token& stop) const;

    /// Whether both scenes show a mesh on the host in the same way, so that a picture of this scene can reuse
    /// pixels of a picture of `before`.
    bool updatesFrom(const PictureScene& before) const;
    /// Renders the same picture as draw(), but reuses pixels of a picture of `before` that show triangles of
    /// both meshes. @param picture complete, with one sample per pixel and the same camera @throws as draw()
    DrawnPixels drawAgain(const Projection& projection, const PictureScene& before, const Picture& picture,
                          const SharedMesh& shared, const std::stop_token& stop) const;

    /// Returns the number of parts for progressive drawing of very many points; 1 for other scenes.
    std::uint32_t parts() const;
    /// Draws at least one part, and more for about `ms` milliseconds. Points that are visible in `seen` are
    /// drawn first, because most of them stay visible. @param seen buffer of this scene from any camera;
    /// null: none
    /// @throws KernelError; Cancelled.
    DrawnPixels drawFor(double ms, const VisibilityBuffer* seen, const Projection& projection,
                        const std::stop_token& stop) const;
    /// Draws the missing parts of a picture. @throws KernelError; Cancelled.
    DrawnPixels complete(const VisibilityBuffer& begun, PointParts parts, const Projection& projection,
                         const std::stop_token& stop) const;
    /// Draws samples at the offsets of sampleOffset() until the sums contain `samples` samples. After a
    /// cancellation, they contain fewer. @throws KernelError; Cancelled.
    void addSamples(SampleSums& sums, const Projection& centred, int samples,
                    const std::stop_token& stop) const;

    /// Adds a picture of this scene as a sample. @throws as addSamples()
    void addSample(SampleSums& sums, const DeviceOrHost<Image>& image, const std::stop_token& stop) const;
    /// Returns the mean of the samples, in the memory space of the sums. @throws KernelError; Cancelled.
    DeviceOrHost<Image> meanOf(const SampleSums& sums, const std::stop_token& stop) const;

    /// Returns the identity of the drawn mesh; null for other scenes.
    std::shared_ptr<const void> meshIdentity() const { return m_of.mesh.identity(); }
    bool isOnDevice() const { return m_device != nullptr; }
    bool averagesPoints() const;
    bool mapped() const { return m_mapped; } ///< colours show values between the limits by the colour map
    float low() const { return m_low; }
    float high() const { return m_high; }
    /// Returns the classes that the colours show; null if they do not show classes.
    const std::shared_ptr<const ClassColours>& classes() const { return m_classes; }

private:
    /// Returns where to render: on the device if the scene is on the device, else on the host, or with SYCL
    /// if requested.
    Execution execution(const std::stop_token& stop) const;
    DrawnPixels drawOn(const Execution& on, const Projection& projection) const;
    DrawnPixels drawOnHost(const Execution& on, const Projection& projection) const;
    DrawnPixels drawOnDevice(const Projection& projection, const std::stop_token& stop) const;
    void shade(DrawnPixels& drawn, const RasterScene& scene, const Projection& projection,
               const Execution& on) const;

    /// The scene in host memory.
    struct HostScene {
        Buffer<Vec3f> points; ///< [N, 3]; NaN out of range, so that indices equal those of the scan
        ColourValues colours;
        RasterScene scene;
    };
    std::unique_ptr<const HostScene> makeHostScene(const std::stop_token& stop) const;
    /// Returns the scene on the host, which is built on first use. Not needed if everything is rendered on
    /// the device.
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
    std::unique_ptr<DeviceScene> m_device;    ///< null: the scene is rendered on the host
    std::shared_ptr<const SyclDevice> m_sycl; ///< device that renders the host scene; null: the CPU renders
                                              ///< it
};

} // namespace scanloupe
