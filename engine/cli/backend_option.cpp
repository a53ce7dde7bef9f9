// Adds the options --backend and --device.
#include "engine/cli/backend_option.h"

#include <CLI/CLI.hpp>
#include <map>

namespace scanloupe::cli {

namespace {

void addBackends(CLI::App& app, Backend& backend, const std::string& help, bool withSycl) {
    std::map<std::string, Backend> backends{
        {"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}};
    if (withSycl)
        backends.emplace("sycl", Backend::sycl);
    app.add_option("--backend", backend, help)
        ->transform(CLI::CheckedTransformer(backends).description(""))
        ->type_name(withSycl ? "auto|cpu|cuda|sycl" : "auto|cpu|cuda")
        ->default_str("auto");
}

} // namespace

void addBackendOption(CLI::App& app, Backend& backend, const std::string& help) {
    addBackends(app, backend, help, false);
}

void addDeviceOptions(CLI::App& app, BackendWish& wish) {
    addBackends(app, wish.backend,
                "Where it runs; auto: CUDA where a device can be used, else a GPU by SYCL, else the CPU",
                true);
    app.add_option("--device", wish.device,
                   "On which device: cpu, cuda, sycl:0, or a part of its name; the command doctor lists them")
        ->type_name("DEVICE");
}

} // namespace scanloupe::cli
