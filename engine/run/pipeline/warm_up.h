#pragma once
// Declares the initialization of a process before its first scan.
#include <stop_token>

namespace scanloupe {

struct BackendChoice;

/// Runs a small generated scan, so that the first real one does not have to wait for one-time work: starting
/// threads, reserving pinned memory, and loading kernels onto the device. Takes some tenths of a second on a
/// device.
/// @throws EngineError; KernelError; Cancelled.
void warmUp(const BackendChoice& backend, const std::stop_token& stop);

} // namespace scanloupe
