#pragma once
// Declares the option --backend.
#include "engine/compute/backend.h"

#include <string>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Adds --backend auto|cpu|cuda with the given help text.
void addBackendOption(CLI::App& app, Backend& backend, const std::string& help);

} // namespace scanloupe::cli
