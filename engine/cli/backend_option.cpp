// Adds the option --backend.
#include "engine/cli/backend_option.h"

#include <CLI/CLI.hpp>
#include <map>

namespace scanloupe::cli {

void addBackendOption(CLI::App& app, Backend& backend, const std::string& help) {
    const std::map<std::string, Backend> backends{
        {"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"cuda", Backend::cuda}};
    app.add_option("--backend", backend, help)
        ->transform(CLI::CheckedTransformer(backends).description(""))
        ->type_name("auto|cpu|cuda")
        ->default_str("auto");
}

} // namespace scanloupe::cli
