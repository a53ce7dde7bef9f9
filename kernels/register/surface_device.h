#pragma once
// Declares registration by surfaces on the GPU: shapes of points and pyramids of surfaces in device memory.
#include "kernels/core/buffer.h"
#include "kernels/register/registration.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cuda {

/// Same as PointShapes, in device memory.
struct DevicePointShapes {
    Buffer<Vec3f> points, normals;      // [N, 3]
    Buffer<float> planarity, thickness; // [N]

    std::size_t size() const { return points.size(); }
    /// Copies the shapes to the host. @note Synchronizes with `stream`.
    PointShapes download(StreamView stream) const;
    /// Copies shapes to the device. @note Synchronizes with `stream`. @throws KernelError
    static DevicePointShapes upload(const PointShapes& shapes, StreamView stream);
};

/// Same as cpu::findPointShapes, with identical bits. @param points [N, 3] on the device
/// @note Synchronizes to read the number of sampled points. @throws as cpu::findPointShapes
DevicePointShapes findPointShapes(const Buffer<Vec3f>& points, const PointShapeParams& params,
                                  const std::stop_token& stop, StreamView stream);

/// Same as SurfaceMap, in device memory.
class DeviceSurfaceMap {
public:
    explicit DeviceSurfaceMap(const SurfaceLevel& level) : m_level(level) {}

    double edge() const { return m_level.edge; }
    bool isOriented() const { return m_level.isOriented; }
    Vec3d origin() const { return m_origin; }
    std::uint32_t patchCount() const { return m_patchCount; }
    SurfaceMapView view() const {
        return {m_patches.data(), m_slots.data(), m_slots.size(), m_level.edge, m_level.isOriented};
    }
    std::uint64_t bytes() const { return m_patches.bytes() + m_sums.bytes() + m_slots.bytes(); }
    /// Returns the patches, same as SurfaceMap::patches(). @note Synchronizes with `stream`.
    std::vector<SurfacePatch> patches(StreamView stream) const;

private:
    friend class DeviceSurfacePyramid;
    void keepNear(Vec3d place, double radius, StreamView stream);
    DeviceSurfaceMap copy(StreamView stream) const;
    /// Reserves memory for `points` more points, assuming that each is in a new cell.
    void reserve(std::size_t points, StreamView stream);

    SurfaceLevel m_level;
    Vec3d m_origin;
    std::uint32_t m_patchCount = 0;
    std::uint64_t m_cellCount = 0;
    Buffer<SurfacePatch> m_patches; ///< the first m_patchCount elements are used
    Buffer<SurfaceSums> m_sums;     ///< sums of the patches in m_patches
    Buffer<SurfaceSlot> m_slots;
};

/// Same as SurfacePyramid, in device memory, with bit-identical patches. Not thread-safe.
class DeviceSurfacePyramid {
public:
    /// Makes an empty pyramid. @throws as SurfacePyramid
    DeviceSurfacePyramid(double edge, double coarsest, bool isOriented);
    /// Adds a scan, see SurfacePyramid::add(). After a failure the pyramid is unchanged.
    /// @note Synchronizes with `stream`. @throws as SurfacePyramid::add()
    void add(const DevicePointShapes& shapes, Vec3d origin, const RigidTransform& pose, StreamView stream);
    /// Same as SurfacePyramid::keepNear. @note Synchronizes with `stream`. @throws KernelError
    void keepNear(Vec3d place, double radius, StreamView stream);
    /// Returns a copy of the pyramid. @note Synchronizes with `stream`. @throws KernelError
    DeviceSurfacePyramid copy(StreamView stream) const;

    std::span<const DeviceSurfaceMap> levels() const { return m_levels; }
    std::uint64_t bytes() const;

private:
    DeviceSurfacePyramid() = default;

    std::vector<DeviceSurfaceMap> m_levels;
};

/// Same as cpu::registerSurfaces, with identical bits except for logarithms if the kernel is Cauchy. Both
/// pyramids must be on the device of `stream`. @note Synchronizes with `stream`; cannot be cancelled after it
/// has begun. @throws as cpu::registerSurfaces
RegistrationResult registerSurfaces(const DeviceSurfacePyramid& target, const DeviceSurfacePyramid& source,
                                    const RigidTransform& start, const RegistrationParams& params,
                                    const std::stop_token& stop, StreamView stream);

} // namespace scanloupe::cuda
