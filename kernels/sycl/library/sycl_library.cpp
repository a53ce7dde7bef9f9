// Defines the SYCL library: its devices, and the kernels of the chain compiled for them.
#include "kernels/sycl/chain/compute_field.h"
#include "kernels/sycl/chain/extract_surface.h"
#include "kernels/sycl/chain/resolve.h"
#include "kernels/sycl/chain/voxelize.h"
#include "kernels/sycl/library/sycl_queue.h"
#include "kernels/sycl/sycl_functions.h"

#include <algorithm>
#include <unistd.h>

namespace scanloupe {

namespace {

std::string runtimeName() {
#if defined(ACPP_VERSION_MAJOR)
    return "AdaptiveCpp " + std::to_string(ACPP_VERSION_MAJOR) + "." + std::to_string(ACPP_VERSION_MINOR) +
           "." + std::to_string(ACPP_VERSION_PATCH);
#elif defined(HIPSYCL_VERSION_MAJOR)
    return "AdaptiveCpp " + std::to_string(HIPSYCL_VERSION_MAJOR) + "." +
           std::to_string(HIPSYCL_VERSION_MINOR) + "." + std::to_string(HIPSYCL_VERSION_PATCH);
#elif defined(__INTEL_LLVM_COMPILER)
    return "Intel oneAPI DPC++ " + std::to_string(__INTEL_LLVM_COMPILER);
#else
    return "SYCL 2020";
#endif
}

/// Returns the features that the kernels need and a device lacks; empty if it has all.
std::string missingOn(const sycl::device& device) {
    if (!device.has(sycl::aspect::fp64))
        return "It can't compute in double precision.";
    if (!device.has(sycl::aspect::atomic64))
        return "It has no atomic operations of 64 bits.";
    if (!device.has(sycl::aspect::usm_device_allocations) ||
        !device.has(sycl::aspect::usm_shared_allocations))
        return "It can't share memory with the host (USM).";
    return {};
}

SyclDeviceInfo infoOf(const sycl::device& device) {
    SyclDeviceInfo info;
    info.name = device.get_info<sycl::info::device::name>();
    info.platform = device.get_platform().get_info<sycl::info::platform::name>();
    info.runtime = runtimeName();
    info.isGpu = device.is_gpu();
    // some runtimes report unlimited memory for a CPU
    const auto installed = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
    const auto told = std::uint64_t(device.get_info<sycl::info::device::global_mem_size>());
    info.bytes = device.is_gpu() ? told : std::min(told, installed);
    info.missing = missingOn(device);
    return info;
}

class Device final : public SyclDevice {
public:
    explicit Device(const sycl::device& device) : m_info(infoOf(device)), m_queue(device) {}

    const SyclDeviceInfo& info() const override { return m_info; }

    VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params,
                       const std::stop_token& stop) const override {
        return guarded(stop, [&] { return sycl_chain::voxelize(m_queue, points, params); });
    }
    ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params,
                             const std::function<void(std::uint64_t)>& check,
                             const std::stop_token& stop) const override {
        return guarded(stop, [&] { return sycl_chain::computeField(m_queue, voxels, params, check); });
    }
    TriangleMesh extractSurface(const ScalarField& field, float iso,
                                const std::stop_token& stop) const override {
        return guarded(stop, [&] { return sycl_chain::extractSurface(m_queue, field, iso); });
    }
    VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                               const std::stop_token& stop) const override {
        return guarded(stop, [&] { return sycl_chain::rasterize(m_queue, scene, projection, stats); });
    }
    Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const std::stop_token& stop) const override {
        return guarded(stop,
                       [&] { return sycl_chain::resolve(m_queue, visibility, scene, projection, shading); });
    }
    Buffer<Vec3f> shared(std::span<const Vec3f> values) const override {
        return guarded({}, [&] {
            Buffer<Vec3f> copy = m_queue.shared<Vec3f>(values.size());
            m_queue.copy(copy.data(), values.data(), values.size_bytes());
            m_queue.wait();
            return copy;
        });
    }

private:
    /// Runs `compute()`, one call at a time. Converts exceptions of SYCL to a sentence, after which the
    /// device is not used any more.
    template <class Compute>
    auto guarded(const std::stop_token& stop, Compute&& compute) const -> decltype(compute()) {
        const std::lock_guard lock(m_mutex);
        try {
            m_queue.begin(stop);
            auto result = compute();
            m_queue.wait();
            if (m_queue.freeBytes() > m_info.bytes / 4)
                m_queue.trim();
            return result;
        } catch (const sycl::exception& error) {
            if (error.code() == sycl::errc::memory_allocation)
                throw DeviceMemoryShort(
                    "not enough memory of the SYCL device " + m_info.name + ")",
                    "Use a larger voxel size or a smaller range, or use the CPU backend.");
            lose(error.what());
        } catch (const SyclFailure& error) {
            lose(error.what());
        }
    }
    [[noreturn]] void lose(const char* why) const {
        const std::string sentence = m_info.name + " has failed with SYCL: " + why + ".";
        fail(sentence);
        throw SyclFailure(sentence, "Use the CPU (--backend cpu), or update its driver.");
    }

    SyclDeviceInfo m_info;
    mutable SyclQueue m_queue;
    mutable std::mutex m_mutex; ///< protects m_queue
};

std::vector<std::shared_ptr<const SyclDevice>> findDevices() {
    std::vector<std::shared_ptr<const SyclDevice>> devices;
    for (const sycl::device& device : sycl::device::get_devices())
        devices.push_back(std::make_shared<const Device>(device));
    return devices;
}

} // namespace

} // namespace scanloupe

extern "C" __attribute__((visibility("default"))) const scanloupe::SyclFunctions* scanloupeSycl() {
    static const scanloupe::SyclFunctions functions{scanloupe::kSyclInterface, scanloupe::findDevices};
    return &functions;
}
