#pragma once
// Declares the query for this process's CUDA device.
#include <cstdint>
#include <string>

namespace scanloupe {

/// Upper limits of what the launch of a kernel may take.
struct LaunchLimits {
    int threadsPerBlock = 0, registersPerBlock = 0;
    std::uint64_t sharedPerBlock = 0;          ///< bytes of shared memory
    std::uint64_t sharedPerBlockOptIn = 0;     ///< bytes, of kernels whose attribute asks for more
    std::uint64_t sharedPerMultiprocessor = 0; ///< bytes, for all of its blocks
    bool hasWatchdog = false; ///< the driver ends kernels that run for seconds, as where it drives a display
};

/// Properties of the CUDA device of this process.
struct DeviceInfo {
    bool usable = false;
    std::string reason;                        ///< when not usable: one sentence why, and what to do
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

/// Free memory of a device that is usable, that of the process's pool included. Fast. @throws KernelError
std::uint64_t freeDeviceBytes();

} // namespace scanloupe
