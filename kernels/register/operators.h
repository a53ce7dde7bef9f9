#pragma once
// Operators of this folder, which dispatch to the backend of an Execution.
#include "kernels/core/execution.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/ndt/ndt_device.h"

#include <optional>
#include <span>

namespace scanloupe {

/// A map that scans are aligned to. It is copied to the device on its first use there. Not thread-safe.
class NdtTarget {
public:
    /// @param map must outlive this object; call mapChanged() when it changes
    explicit NdtTarget(const NdtMap& map) : m_map(map) {}
    void mapChanged() { m_copy.reset(); }

    /// See cpu::alignNdt; on the device with pairs in single precision. @note Synchronizes with the device.
    NdtResult align(const NdtScan& scan, const RigidTransform& start, const NdtParams& params,
                    const Execution& on) {
        if (!on.onDevice())
            return cpu::alignNdt(m_map, scan, start, params, on.stop);
        return cuda::alignNdt(copy(*on.device), cuda::NdtDeviceScan(scan, on.stop, *on.device), start, params,
                              {}, on.stop, *on.device);
    }
    /// See cpu::findPoseNdt. @note Synchronizes with the device.
    NdtFound findPose(const NdtScan& scan, std::span<const RigidTransform> starts, const NdtParams& params,
                      const NdtSearch& search, const Execution& on) {
        if (!on.onDevice())
            return cpu::findPoseNdt(m_map, scan, starts, params, search, on.stop);
        return cuda::findPoseNdt(copy(*on.device), scan, starts, params, search, on.stop, *on.device);
    }

private:
    const cuda::NdtDeviceMap& copy(StreamView stream) {
        if (!m_copy)
            m_copy.emplace(m_map, stream);
        return *m_copy;
    }

    const NdtMap& m_map;
    std::optional<cuda::NdtDeviceMap> m_copy;
};

} // namespace scanloupe
