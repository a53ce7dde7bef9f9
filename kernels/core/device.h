#pragma once
// Declares the query for this process's CUDA device.
#include <cstdint>
#include <string>

namespace scanloupe {

/// Upper limits for the launch of a kernel.
struct LaunchLimits {
    int threadsPerBlock = 0, registersPerBlock = 0;
    std::uint64_t sharedPerBlock = 0;          ///< bytes of shared memory
    std::uint64_t sharedPerBlockOptIn = 0;     ///< bytes, for kernels that set the opt-in attribute
    std::uint64_t sharedPerMultiprocessor = 0; ///< bytes, for all its resident blocks
    /// the driver ends kernels that run for seconds, as on a GPU that drives a display
    bool hasWatchdog = false;
};

/// Properties of the CUDA device of this process.
struct DeviceInfo {
    bool usable = false;
    std::string reason;                        ///< why it is not usable, and what to do; empty: it is
    std::string name;                          ///< e.g. "NVIDIA H200"
    int major = 0, minor = 0;                  ///< compute capability
    int driverVersion = 0, runtimeVersion = 0; ///< as CUDA counts: 13000 is 13.0
    int multiprocessors = 0;
    std::uint64_t totalBytes = 0, freeBytes = 0; ///< device memory; free at the time of the call
    LaunchLimits limits;
};

/// Queries the device. A build without CUDA, a missing or too old driver, no device and too little memory are
/// all reported in `reason`. Never throws; safe to call on any machine.
DeviceInfo probeDevice();

/// Free memory of a usable device, including that of the process's pool. Fast. @throws KernelError
std::uint64_t freeDeviceBytes();

} // namespace scanloupe
