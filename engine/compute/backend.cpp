// Chooses the backend from the user's request and the available devices.
#include "engine/compute/backend.h"

#include "engine/cloud/error.h"
#include "engine/compute/memory.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace scanloupe {

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::string listed(const std::vector<ComputeDevice>& devices) {
    std::string text;
    for (const ComputeDevice& device : devices)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", device.id, device.name);
    return text;
}

/// Finds the device that a text refers to. @throws EngineError
const ComputeDevice& named(const std::vector<ComputeDevice>& devices, const BackendRequest& request) {
    const std::string text = lower(request.device);
    const auto fits = [&](const ComputeDevice& device) {
        return request.backend == Backend::automatic || request.backend == device.backend;
    };
    for (const ComputeDevice& device : devices) // "sycl" refers to the first SYCL device
        if (fits(device) && (device.id == text || device.id.substr(0, device.id.find(':')) == text))
            return device;
    for (const ComputeDevice& device : devices)
        if (fits(device) && lower(device.name).find(text) != std::string::npos)
            return device;
    throw EngineError(fmt::format("There is no compute device \"{}\".", request.device),
                      fmt::format("Name one of these: {}.", listed(devices)));
}

BackendChoice onSycl(std::shared_ptr<const SyclDevice> device) {
    BackendChoice choice;
    choice.backend = Backend::sycl;
    choice.reason = fmt::format("{} runs on {}.", device->info().runtime, device->info().name);
    choice.sycl = std::move(device);
    return choice;
}

BackendChoice firstOfSycl() {
    const SyclDevices& devices = syclDevices();
    if (!devices.usable.empty())
        return onSycl(devices.usable.front());
    throw EngineError("SYCL was requested, but no usable SYCL device was found. " + devices.refused.front(),
                      "Use the CPU: --backend cpu.");
}

ComputeDevice ofCuda(const DeviceInfo& device) {
    return {Backend::cuda, "cuda", device.name, fmt::format("CUDA, {}", formatBytes(device.totalBytes))};
}
ComputeDevice ofCpu() {
    return {Backend::cpu, "cpu", "CPU",
            fmt::format("{} threads, {}", parallelThreads(), formatBytes(availableHostMemory()))};
}
/// @param number index among the usable SYCL devices
ComputeDevice ofSycl(const SyclDevice& device, std::size_t number) {
    const SyclDeviceInfo& info = device.info();
    return {Backend::sycl, fmt::format("sycl:{}", number), info.name,
            fmt::format("{} ({}), {}", info.runtime, info.platform, formatBytes(info.bytes))};
}

/// Whether a request can be resolved without loading SYCL: it names the CPU, or CUDA if that is usable.
bool namesNoSycl(const BackendRequest& request) {
    const std::string text = lower(request.device);
    return request.backend == Backend::automatic &&
           (text == nameOf(Backend::cpu) || (text == nameOf(Backend::cuda) && probeDevice().usable));
}

BackendChoice chooseNamed(const BackendRequest& request) {
    if (namesNoSycl(request))
        return chooseBackend(lower(request.device) == nameOf(Backend::cpu) ? Backend::cpu : Backend::cuda);
    const std::vector<ComputeDevice> devices = computeDevices();
    const ComputeDevice& device = named(devices, request);
    if (device.backend != Backend::sycl)
        return chooseBackend(device.backend);
    const auto number = std::size_t(std::ranges::count_if(
        devices.data(), &device, [](const ComputeDevice& d) { return d.backend == Backend::sycl; }));
    return onSycl(syclDevices().usable[number]);
}

BackendChoice chooseRemembered(BackendRequest request) {
    const std::string name = std::exchange(request.name, {});
    try {
        BackendChoice choice = chooseBackend(request);
        if (deviceOf(choice).name == name)
            return choice;
    } catch (const EngineError&) { // the device's runtime was removed
    }
    return chooseBackend(Backend::automatic);
}

} // namespace

const char* nameOf(Backend backend) {
    switch (backend) {
    case Backend::automatic:
        break;
    case Backend::cpu:
        return "cpu";
    case Backend::cuda:
        return "cuda";
    case Backend::sycl:
        return "sycl";
    }
    return "auto";
}

ComputeDevice deviceOf(const BackendChoice& choice) {
    if (choice.backend == Backend::cuda)
        return ofCuda(choice.device);
    if (choice.backend != Backend::sycl)
        return ofCpu();
    const auto& usable = syclDevices().usable;
    return ofSycl(*choice.sycl, std::size_t(std::ranges::find(usable, choice.sycl) - usable.begin()));
}

std::vector<ComputeDevice> computeDevices() {
    std::vector<ComputeDevice> devices;
    if (const DeviceInfo cuda = probeDevice(); cuda.usable)
        devices.push_back(ofCuda(cuda));
    const ComputeDevice cpu = ofCpu();
    bool hasCpu = false;
    std::size_t number = 0;
    for (const auto& device : syclDevices().usable) {
        if (!device->info().isGpu && !std::exchange(hasCpu, true))
            devices.push_back(cpu); // the plain CPU precedes the same CPU with SYCL, which is slower
        devices.push_back(ofSycl(*device, number++));
    }
    if (!hasCpu)
        devices.push_back(cpu);
    return devices;
}

bool loadsSycl(const BackendRequest& request) {
    if (!hasSyclLibrary() || request.backend == Backend::cpu || namesNoSycl(request))
        return false;
    return !request.device.empty() || request.backend == Backend::sycl ||
           (request.backend == Backend::automatic && !probeDevice().usable);
}

BackendChoice chooseBackend(const BackendRequest& request) {
    if (!request.name.empty())
        return chooseRemembered(request);
    if (!request.device.empty())
        return chooseNamed(request);
    BackendChoice choice;
    if (request.backend == Backend::cpu) {
        choice.reason = "The CPU was requested.";
        return choice;
    }
    if (request.backend == Backend::sycl)
        return firstOfSycl();
    choice.device = probeDevice();
    if (choice.device.usable) {
        choice.backend = Backend::cuda;
        choice.reason = fmt::format("CUDA runs on {}.", choice.device.name);
        return choice;
    }
    if (request.backend == Backend::cuda)
        throw EngineError("CUDA was requested, but " + choice.device.reason, "Use the CPU: --backend cpu.");
    if (const SyclDevices& sycl = syclDevices(); !sycl.usable.empty() && sycl.usable.front()->info().isGpu)
        return onSycl(sycl.usable.front());
    choice.reason = "The CPU runs: " + choice.device.reason;
    return choice;
}

DeviceStream deviceStreamOf(const BackendChoice& choice) {
    const bool isDevice = choice.backend == Backend::cuda;
    return [isDevice] { return isDevice ? std::make_shared<const Stream>() : nullptr; };
}

} // namespace scanloupe
