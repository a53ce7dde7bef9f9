#pragma once
// Declares the options --backend and --device.
#include "engine/compute/backend.h"

#include <string>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Adds --backend auto|cpu|cuda with the given help text.
void addBackendOption(CLI::App& app, Backend& backend, const std::string& help);

/// Adds --backend auto|cpu|cuda|sycl and --device, for what runs the pipeline.
void addDeviceOptions(CLI::App& app, BackendWish& wish);

} // namespace scanloupe::cli
