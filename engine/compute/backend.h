#pragma once
// Declares the choice between the CPU, CUDA and SYCL backends.
#include "engine/compute/device_stream.h"
#include "kernels/core/device.h"
#include "kernels/sycl/sycl_device.h"

#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

enum class Backend { automatic, cpu, cuda, sycl };

/// Returns "auto", "cpu", "cuda" or "sycl", the names in options and documents.
const char* nameOf(Backend backend);

/// The backend that will be used, and the reason.
struct BackendChoice {
    Backend backend = Backend::cpu;         ///< cpu, cuda or sycl, never automatic
    std::string reason;                     ///< one sentence for the user
    DeviceInfo device;                      ///< the CUDA device; not usable if another backend was requested
    std::shared_ptr<const SyclDevice> sycl; ///< null unless the backend is SYCL
};

/// A request for a backend and, optionally, for one of its devices.
struct BackendRequest {
    Backend backend = Backend::automatic;
    /// "cpu", "cuda", "sycl", "sycl:1", or a part of a device's name; empty: the first one.
    std::string device = {};
    /// Name of the device that was used before. `automatic` is chosen if no device has this id and name.
    std::string name = {};

    BackendRequest() = default;
    BackendRequest(Backend wanted) : backend(wanted) {}
};

/// A device that the pipeline can compute on.
struct ComputeDevice {
    Backend backend = Backend::cpu;
    std::string id; ///< accepted by BackendRequest::device
    std::string name;
    std::string facts; ///< description: memory and driver
};
/// Returns all devices, the automatic choice first. Loads SYCL if available.
std::vector<ComputeDevice> computeDevices();

/// Returns the device that a choice computes on.
ComputeDevice deviceOf(const BackendChoice& choice);

/// Resolves a request. `automatic` is CUDA if a device is usable, else a GPU with SYCL, else the CPU. @throws
/// EngineError if the requested backend or device is unusable.
BackendChoice chooseBackend(const BackendRequest& request);
/// Whether chooseBackend() loads SYCL for this request and tests its devices, which takes seconds the first
/// time.
bool loadsSycl(const BackendRequest& request);

DeviceStream deviceStreamOf(const BackendChoice& choice);

} // namespace scanloupe
