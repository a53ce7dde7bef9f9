#pragma once
// Declares the devices that compute by SYCL 2020, and the library that speaks to them, which is loaded on
// demand: a program that was built with it starts where no SYCL is installed.
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

/// What is known of a device.
struct SyclDeviceInfo {
    std::string name;     ///< e.g. "NVIDIA H200"
    std::string platform; ///< what drives it, e.g. "CUDA" or "OpenMP"
    std::string runtime;  ///< the implementation of SYCL, e.g. "AdaptiveCpp 24.6.0"
    bool isGpu = false;
    std::uint64_t bytes = 0; ///< its memory
    std::string missing;     ///< what it lacks, a sentence; empty: nothing
};

/// A device that computes by SYCL. Input is host memory, any; results lie in host memory that the device
/// shares (USM), so that the next operator copies nothing. From any thread; calls wait for each other.
class SyclDevice {
public:
    SyclDevice() = default;
    SyclDevice(const SyclDevice&) = delete;
    SyclDevice& operator=(const SyclDevice&) = delete;
    virtual ~SyclDevice() = default;

    virtual const SyclDeviceInfo& info() const = 0;

    /// As cpu::voxelize, with the same bytes as its result. @throws as it; SyclFailure
    virtual VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                               const std::stop_token& stop) const = 0;
    /// As cpu::computeField, with the same bytes as its result. `check`: see there. @throws as it;
    /// SyclFailure
    virtual ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                                     const std::function<void(std::uint64_t bricks)>& check,
                                     const std::stop_token& stop) const = 0;
    /// As cpu::extractSurface, with the same bytes as its result. @throws as it; SyclFailure
    virtual TriangleMesh extractSurface(const ScalarField& field, float iso,
                                        const std::stop_token& stop) const = 0;
    /// As cpu::rasterize, with the same bytes as its result. @throws as it; SyclFailure
    virtual VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection,
                                       RasterStats& stats, const std::stop_token& stop) const = 0;
    /// As cpu::resolve, with the same bytes as its result. @throws as it; SyclFailure
    virtual Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene,
                          const Projection& projection, const Shading& shading,
                          const std::stop_token& stop) const = 0;
    /// A copy in memory that the device shares, so that operators need not copy it. @throws SyclFailure
    virtual Buffer<Vec3f> shared(std::span<const Vec3f> values) const = 0;

    /// Why it is no longer used; empty while it is.
    std::string failure() const {
        const std::lock_guard lock(m_mutex);
        return m_failure;
    }
    bool isUsable() const { return m_isUsable; }

protected:
    /// Remembers a failure, so that the device is left alone from then on.
    void fail(const std::string& sentence) const {
        const std::lock_guard lock(m_mutex);
        m_failure = sentence;
        m_isUsable = false;
    }

private:
    mutable std::mutex m_mutex; ///< of m_failure
    mutable std::string m_failure;
    mutable std::atomic<bool> m_isUsable = true;
};

/// The devices that this process can use, GPUs first, and why others can't be used.
struct SyclDevices {
    std::vector<std::shared_ptr<const SyclDevice>> usable;
    std::vector<std::string> refused; ///< sentences, each names a device or what is missing
};

/// Whether the library lies beside the program: without it, nothing is missing.
bool hasSyclLibrary();

/// Loads the library at the first call, and lets each device prove itself: a small scene has to have the
/// bytes that the CPU computes. Never throws; without the library there are no devices, and a sentence says
/// why.
const SyclDevices& syclDevices();

} // namespace scanloupe
