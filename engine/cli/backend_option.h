#pragma once
#include "engine/compute/backend.h"

#include <string>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Adds --backend auto|cpu|cuda; `help` says what it is for.
void addBackendOption(CLI::App& app, Backend& backend, const std::string& help);

} // namespace scanloupe::cli
