#pragma once
// What pictures are drawn from, all but the camera: made once, and drawn as often as one looks.
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/device_scene.h"
#include "kernels/raster/samples.h"

#include <memory>
#include <mutex>

namespace scanloupe {

/// A picture, or a part of one.
struct DrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    std::shared_ptr<const Stream> stream = nullptr; ///< null: both lie on the host
    RasterStats stats;
    double resolveMs = 0; ///< wall time of shading, apart from rasterizing
    PointParts parts = {};
};

/// Points, voxels or mesh of a run with their colours and their look. Keeps what it draws alive.
class PictureScene {
public:
    /// What `look`, a resolved recipe, shows of these results; a volume has its mesh alone. With a place on
    /// the device it is drawn there, unless that has too little memory.
    /// @throws EngineError when the look colours by something that the scan doesn't have; KernelError;
    /// Cancelled.
    PictureScene(const Snapshot& of, const Recipe& look, const DevicePlace& place,
                 const std::stop_token& stop);
    ~PictureScene();
    PictureScene(const PictureScene&) = delete;
    PictureScene& operator=(const PictureScene&) = delete;

    /// @param camera in the file's frame. @throws KernelError as Projection
    Projection projection(Camera camera, int width, int height) const;
    /// From any thread. @throws KernelError; Cancelled.
    DrawnPixels draw(const Projection& projection, const std::stop_token& stop) const;

    /// How many parts there are to draw of very many points, one after the other; 1 for anything else.
    std::uint32_t parts() const;
    /// Draws parts for about `ms`, one at least, but first what `seen`, a buffer of this scene from anywhere,
    /// shows: most of that is seen again. @throws KernelError; Cancelled.
    DrawnPixels drawFor(double ms, const VisibilityBuffer* seen, const Projection& projection,
                        const std::stop_token& stop) const;
    /// Draws the parts that are missing. @throws KernelError; Cancelled.
    DrawnPixels complete(const VisibilityBuffer& begun, PointParts parts, const Projection& projection,
                         const std::stop_token& stop) const;
    /// Draws samples until the sums hold `samples`, each where sampleOffset() says. Cancelled, they hold
    /// fewer, or none. @throws KernelError; Cancelled.
    void addSamples(SampleSums& sums, const Projection& centred, int samples,
                    const std::stop_token& stop) const;

    /// Adds a picture of this scene. @throws as addSamples
    void addSample(SampleSums& sums, const Resident<Image>& image, const std::stop_token& stop) const;
    /// What the sums have come to, where they lie. @throws KernelError; Cancelled.
    Resident<Image> meanOf(const SampleSums& sums, const std::stop_token& stop) const;

    bool isOnDevice() const { return m_device != nullptr; }
    bool averagesPoints() const;
    bool mapped() const { return m_mapped; } ///< colours are values between the limits
    float low() const { return m_low; }
    float high() const { return m_high; }
    /// What colours stand for, where that is classes; or null.
    const std::shared_ptr<const ClassColours>& classes() const { return m_classes; }

private:
    DrawnPixels drawOnHost(const Projection& projection, const std::stop_token& stop) const;
    DrawnPixels drawOnDevice(const Projection& projection, const std::stop_token& stop) const;
    void shade(DrawnPixels& drawn, const RasterScene& scene, const Projection& projection,
               const std::stop_token& stop) const;

    /// What is drawn on the host.
    struct HostScene {
        Buffer<Vec3f> points; ///< [N, 3] those in range; the others are no numbers, so that indices stay
        ColourValues colours;
        RasterScene scene;
    };
    std::unique_ptr<const HostScene> makeHostScene(const std::stop_token& stop) const;
    /// Made when it is first needed: never, where all is drawn on the device.
    const HostScene& onHost(const std::stop_token& stop) const;
    void takeLimits(const ColourValues& colours);

    Snapshot m_of; ///< without its picture
    Recipe m_look;
    RasterScene m_style; ///< of nothing, with the look's sizes
    Shading m_shading;
    bool m_mapped = false;
    float m_low = 0, m_high = 0;
    std::shared_ptr<const ClassColours> m_classes;
    mutable std::mutex m_mutex; ///< of m_host
    mutable std::unique_ptr<const HostScene> m_host;
    std::unique_ptr<DeviceScene> m_device; ///< null: it is drawn on the host
};

} // namespace scanloupe
