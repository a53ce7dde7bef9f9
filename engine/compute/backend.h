#pragma once
// Declares the choice between the CPU and the CUDA backend.
#include "engine/compute/device_stream.h"
#include "kernels/core/device.h"
#include "kernels/sycl/sycl_device.h"

#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

enum class Backend { automatic, cpu, cuda, sycl };

/// "auto", "cpu", "cuda" or "sycl", as options and documents spell it.
const char* nameOf(Backend backend);

/// The backend that will run, and why.
struct BackendChoice {
    Backend backend = Backend::cpu;         ///< cpu, cuda or sycl
    std::string reason;                     ///< one sentence for the user
    DeviceInfo device;                      ///< CUDA's; not usable if another backend was requested
    std::shared_ptr<const SyclDevice> sycl; ///< null unless SYCL runs
};

/// A request for a backend and, optionally, for one of its devices.
struct BackendRequest {
    Backend backend = Backend::automatic;
    /// "cpu", "cuda", "sycl", "sycl:1", or a part of a device's name; empty: the first one.
    std::string device = {};
    /// The name of a remembered device. `automatic` is chosen if its id is missing or belongs to another
    /// device.
    std::string name = {};

    BackendRequest() = default;
    BackendRequest(Backend wanted) : backend(wanted) {}
};

/// A device that the pipeline can compute on.
struct ComputeDevice {
    Backend backend = Backend::cpu;
    std::string id; ///< as accepted by BackendRequest::device
    std::string name;
    std::string facts; ///< memory, and driver
};
/// All devices, the automatic one first. Loads SYCL if available.
std::vector<ComputeDevice> computeDevices();

/// The device that a choice computes on.
ComputeDevice deviceOf(const BackendChoice& choice);

/// Resolves a request: `automatic` is CUDA if a device is usable, else a GPU with SYCL, else the CPU. @throws
/// EngineError when the requested backend or device is unusable: the reason, and the next step.
BackendChoice chooseBackend(const BackendRequest& request);
/// Whether chooseBackend() loads SYCL for this request and tests its devices, which takes seconds the first
/// time.
bool loadsSycl(const BackendRequest& request);

DeviceStream deviceStreamOf(const BackendChoice& choice);

} // namespace scanloupe
