// Adds the options --backend and --device.
#include "engine/cli/backend_option.h"

#include "engine/cli/options.h"

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

void addDeviceOptions(Command command, BackendWish& wish) {
    addBackends(command, wish.backend,
                "Where it runs; auto: CUDA where a device can be used, else a GPU by SYCL, else the CPU",
                true);
    command
        .option("--device", wish.device,
                "On which device: cpu, cuda, sycl:0, or a part of its name; the command doctor lists them")
        .typeName("DEVICE");
}

} // namespace scanloupe::cli
