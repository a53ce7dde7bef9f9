// Adds the options --backend and --device.
#include "engine/cli/backend_option.h"

#include "engine/cli/options.h"
#include "engine/compute/backend.h"

#include <map>

namespace scanloupe::cli {

namespace {

void addBackends(Command command, Backend& backend, const std::string& help, bool withSycl) {
    std::map<std::string, Backend> backends{
        {"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}};
    if (withSycl)
        backends.emplace("sycl", Backend::sycl);
    command.choice("--backend", backend, backends, help)
        .typeName(withSycl ? "auto|cpu|cuda|sycl" : "auto|cpu|cuda")
        .showDefault("auto");
}

} // namespace

void addBackendOption(Command command, Backend& backend, const std::string& help) {
    addBackends(command, backend, help, false);
}

void addDeviceOptions(Command command, BackendRequest& request) {
    addBackends(command, request.backend,
                "Backend to run on; auto: CUDA if a CUDA device is available, else SYCL if a SYCL GPU is "
                "available, else the CPU",
                true);
    command
        .option("--device", request.device,
                "Device to run on: cpu, cuda, sycl:0, or a part of a device's name; scanloupe-cli doctor "
                "lists the devices")
        .typeName("DEVICE");
}

} // namespace scanloupe::cli
