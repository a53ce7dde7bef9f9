#pragma once
// Declares what a process does once before its first scan.
#include <stop_token>

namespace scanloupe {

struct BackendChoice;

/// Runs a small generated scan, so that the first real one does not wait for what a process does only once:
/// threads start, pinned memory is reserved, and the device loads its kernels (which would also wait for
/// kernels that decode a scan meanwhile). Takes some tenths of a second on a device.
/// @throws EngineError; KernelError; Cancelled.
void warmUp(const BackendChoice& backend, const std::stop_token& stop);

} // namespace scanloupe
