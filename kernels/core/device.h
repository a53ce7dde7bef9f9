#pragma once
// Declares the query for this process's CUDA device.
#include <cstdint>
#include <string>

namespace scanloupe {

/// Upper limits for launching a kernel.
struct LaunchLimits {
    int threadsPerBlock = 0, registersPerBlock = 0;
    std::uint64_t sharedPerBlock = 0;          ///< bytes of shared memory per block
    std::uint64_t sharedPerBlockOptIn = 0;     ///< bytes of shared memory per block for kernels that set the
                                               ///< opt-in attribute
    std::uint64_t sharedPerMultiprocessor = 0; ///< bytes of shared memory for all resident blocks together
    /// true if the driver aborts kernels that run for seconds, as on a GPU that drives a display
    bool hasWatchdog = false;
};

/// Properties of the CUDA device of this process.
struct DeviceInfo {
    bool usable = false;
    std::string reason;       ///< why the device is unusable, and what to do; empty if it is usable
    std::string name;         ///< e.g. "NVIDIA H200"
    int major = 0, minor = 0; ///< compute capability
    int driverVersion = 0, runtimeVersion = 0; ///< in CUDA's encoding: 13000 means 13.0
    int multiprocessors = 0;
    std::uint64_t totalBytes = 0, freeBytes = 0; ///< bytes of device memory; `freeBytes` at the time of the
                                                 ///< query
    LaunchLimits limits;
};

/// Queries the device. A build without CUDA, a missing or outdated driver, a missing device and too little
/// memory are reported in `reason`. Never throws; safe on any machine.
DeviceInfo probeDevice();

/// Returns the free memory of a usable device in bytes, including unused memory in the process's pool. Fast.
/// @throws KernelError
std::uint64_t freeDeviceBytes();

} // namespace scanloupe
