#pragma once
// Declares the devices that compute with SYCL 2020, and the library that controls them. The library is loaded
// on demand, so that a program which was built with it also starts where SYCL is not installed.
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// Properties of a device.
struct SyclDeviceInfo {
    std::string name;     ///< name of the device, e.g. "NVIDIA H200"
    std::string platform; ///< name of its platform, e.g. "CUDA" or "OpenMP"
    std::string runtime;  ///< name of the SYCL implementation, e.g. "AdaptiveCpp 24.6.0"
    bool isGpu = false;
    std::uint64_t bytes = 0; ///< size of its memory
    std::string missing;     ///< sentence that explains why the device cannot be used; empty if it can
};

/// A device that computes with SYCL. Input may be in any host memory; results are in host memory that is
/// shared with the device (USM), so that the next operator copies nothing. Thread-safe: calls run one at a
/// time.
class SyclDevice {
public:
    SyclDevice() = default;
    SyclDevice(const SyclDevice&) = delete;
    SyclDevice& operator=(const SyclDevice&) = delete;
    virtual ~SyclDevice() = default;

    virtual const SyclDeviceInfo& info() const = 0;

    /// Same as cpu::voxelize, with an identical result. @throws as cpu::voxelize; SyclFailure
    virtual VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                               const std::stop_token& stop) const = 0;
    /// Same as cpu::computeField, with an identical result. @param check called with the number of bricks
    /// before their values are computed; may be empty @throws as cpu::computeField; SyclFailure
    virtual ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                                     const std::function<void(std::uint64_t bricks)>& check,
                                     const std::stop_token& stop) const = 0;
    /// Same as cpu::extractSurface, with an identical result. @throws as cpu::extractSurface; SyclFailure
    virtual TriangleMesh extractSurface(const ScalarField& field, float iso,
                                        const std::stop_token& stop) const = 0;
    /// Same as cpu::rasterize, with an identical result. @throws as cpu::rasterize; SyclFailure
    virtual VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection,
                                       RasterStats& stats, const std::stop_token& stop) const = 0;
    /// Same as cpu::resolve, with an identical result. @throws as cpu::resolve; SyclFailure
    virtual Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene,
                          const Projection& projection, const Shading& shading,
                          const std::stop_token& stop) const = 0;
    /// Returns a copy in memory that is shared with the device, so that operators need not copy the values.
    /// @throws SyclFailure
    virtual Buffer<Vec3f> shared(std::span<const Vec3f> values) const = 0;

    /// Returns the reason why the device is no longer used; empty while it is in use.
    std::string failure() const {
        const std::lock_guard lock(m_mutex);
        return m_failure;
    }
    bool isUsable() const { return m_isUsable; }

protected:
    /// Records a failure, after which the device is not used any more. @param sentence reason
    void fail(const std::string& sentence) const {
        const std::lock_guard lock(m_mutex);
        m_failure = sentence;
        m_isUsable = false;
    }

private:
    mutable std::mutex m_mutex; ///< protects m_failure
    mutable std::string m_failure;
    mutable std::atomic<bool> m_isUsable = true;
};

/// Devices that this process can use, GPUs first, and reasons why others cannot be used.
struct SyclDevices {
    std::vector<std::shared_ptr<const SyclDevice>> usable;
    std::vector<std::string> refused; ///< reasons, as sentences that name a device or a missing part
};

/// Returns whether the library exists next to the program. It is optional: builds may omit it.
bool hasSyclLibrary();

/// Loads the library at the first call, and runs a self-test on each device, which must compute the same
/// bytes as the CPU for a small scene. Never throws; without the library the list of devices is empty, and a
/// sentence in `refused` gives the reason.
const SyclDevices& syclDevices();

} // namespace scanloupe
