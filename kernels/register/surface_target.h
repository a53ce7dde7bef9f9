#pragma once
// Declares surfaces of scans on the host or on the device, with methods that dispatch to the backend.
#include "kernels/core/execution.h"
#include "kernels/core/stream.h"
#include "kernels/register/registration.h"
#include "kernels/register/surface_device.h"

#include <memory>
#include <optional>
#include <span>

namespace scanloupe {

/// Shapes of a scan's points on the host and, if the backend is the device, also on the device.
struct ScanShapes {
    PointShapes host;
    std::optional<cuda::DevicePointShapes> device;
    std::unique_ptr<EventTimer> uploading; ///< timer of the upload; null if nothing was uploaded

    /// Copies the host's shapes to the device. @throws KernelError when out of memory.
    void upload(StreamView stream) { device = cuda::DevicePointShapes::upload(host, stream); }
};

/// Same as cpu::findPointShapes for either backend, with equal results. @note Synchronizes with the device.
inline ScanShapes findPointShapes(const Buffer<Vec3f>& points, const PointShapeParams& params,
                                  const Execution& on) {
    ScanShapes shapes;
    if (!on.onDevice()) {
        shapes.host = cpu::findPointShapes(points.span(), params, on.stop);
        return shapes;
    }
    shapes.uploading = std::make_unique<EventTimer>(*on.device);
    const Buffer<Vec3f> there = points.copyTo(MemorySpace::device, *on.device);
    shapes.uploading->stop();
    shapes.device = cuda::findPointShapes(there, params, on.stop, *on.device);
    shapes.host = shapes.device->download(*on.device);
    return shapes;
}

/// A pyramid of surfaces on the host, or on the device of a stream, which then performs all work. Methods
/// synchronize with that stream. Not thread-safe.
class SurfaceTarget {
public:
    /// Makes an empty pyramid, see SurfacePyramid. @param stream must outlive this object; nullopt: on the
    /// host
    SurfaceTarget(double edge, double coarsest, bool isOriented, std::optional<StreamView> stream)
        : m_stream(stream) {
        if (stream)
            m_device.emplace(edge, coarsest, isOriented);
        else
            m_host.emplace(edge, coarsest, isOriented);
    }

    /// See SurfacePyramid::add. @param shapes must also be on the device if this object is
    void add(const ScanShapes& shapes, Vec3d origin, const RigidTransform& pose) {
        if (m_device)
            m_device->add(*shapes.device, origin, pose, *m_stream);
        else
            m_host->add(shapes.host, origin, pose);
    }
    /// See SurfacePyramid::keepNear.
    void keepNear(Vec3d place, double radius) {
        if (m_device)
            m_device->keepNear(place, radius, *m_stream);
        else
            m_host->keepNear(place, radius);
    }
    /// Returns a copy. @param stream stream of the copy; nullopt if this object is on the host
    SurfaceTarget copy(std::optional<StreamView> stream) const {
        if (!m_device)
            return *m_host;
        m_stream->synchronize();
        return SurfaceTarget(m_device->copy(*stream), *stream);
    }

    /// See cpu::registerSurfaces; the results of both backends agree to 1 nm.
    RegistrationResult align(const SurfaceTarget& source, const RigidTransform& start,
                             const RegistrationParams& params, const std::stop_token& stop) const {
        if (m_device)
            return cuda::registerSurfaces(*m_device, *source.m_device, start, params, stop, *m_stream);
        return cpu::registerSurfaces(*m_host, *source.m_host, start, params, stop);
    }
    std::uint64_t bytes() const { return m_device ? m_device->bytes() : m_host->bytes(); }

private:
    SurfaceTarget(SurfacePyramid pyramid) : m_host(std::move(pyramid)) {}
    SurfaceTarget(cuda::DeviceSurfacePyramid pyramid, StreamView stream)
        : m_stream(stream), m_device(std::move(pyramid)) {}

    std::optional<StreamView> m_stream;
    std::optional<SurfacePyramid> m_host;
    std::optional<cuda::DeviceSurfacePyramid> m_device;
};

} // namespace scanloupe
