#pragma once
// Declares the choice between the CPU and the CUDA backend.
#include "kernels/core/device.h"
#include "kernels/core/stream.h"
#include "kernels/sycl/sycl_device.h"

#include <functional>
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
    std::string reason;                     ///< one sentence, for people
    DeviceInfo device;                      ///< CUDA's; not usable if another backend was asked for
    std::shared_ptr<const SyclDevice> sycl; ///< null unless SYCL runs
};

/// A wish for a backend, and for one of its devices.
struct BackendWish {
    Backend backend = Backend::automatic;
    /// "cpu", "cuda", "sycl", "sycl:1", or a part of a device's name; empty: the first one.
    std::string device = {};
    /// Of a remembered device: the name that it had. Where another one has its id now, or none, `automatic`
    /// is chosen.
    std::string name = {};

    BackendWish() = default;
    BackendWish(Backend wanted) : backend(wanted) {}
};

/// A device that the pipeline can compute on.
struct ComputeDevice {
    Backend backend = Backend::cpu;
    std::string id; ///< as BackendWish::device takes it
    std::string name;
    std::string facts; ///< memory, and what drives it
};
/// All of them, the one that `automatic` takes first. Loads SYCL if it is there.
std::vector<ComputeDevice> computeDevices();

/// The device that a choice computes on.
ComputeDevice deviceOf(const BackendChoice& choice);

/// Resolves a wish: `automatic` is CUDA if a device can be used, else a GPU by SYCL, else the CPU.
/// @throws EngineError when what was asked for can't be used: why, and what to do.
BackendChoice chooseBackend(const BackendWish& wish);
/// Whether chooseBackend() loads SYCL for this wish and tests its devices, which takes seconds the first
/// time.
bool loadsSycl(const BackendWish& wish);

/// Gives a new stream of the device that computes; null without one. From any thread.
using DeviceStream = std::function<std::shared_ptr<const Stream>()>;
DeviceStream deviceStreamOf(const BackendChoice& choice);

} // namespace scanloupe
