#pragma once
// Declares the options --backend and --device.
#include "engine/compute/backend.h"

#include <string>

namespace scanloupe::cli {

class Command;

/// Adds --backend auto|cpu|cuda with the given help text.
void addBackendOption(Command command, Backend& backend, const std::string& help);

/// Adds --backend auto|cpu|cuda|sycl and --device, for what runs the pipeline.
void addDeviceOptions(Command command, BackendWish& wish);

} // namespace scanloupe::cli
