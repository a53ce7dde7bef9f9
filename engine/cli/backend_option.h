#pragma once
// Declares the options --backend and --device.
#include <string>

namespace scanloupe {
enum class Backend;
struct BackendRequest;
} // namespace scanloupe

namespace scanloupe::cli {

class Command;

/// Adds --backend auto|cpu|cuda with `help` as its help text.
void addBackendOption(Command command, Backend& backend, const std::string& help);

/// Adds --backend auto|cpu|cuda|sycl and --device, which commands that run the pipeline have.
void addDeviceOptions(Command command, BackendRequest& request);

} // namespace scanloupe::cli
