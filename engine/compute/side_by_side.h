#pragma once
// Declares functions that run concurrently, for uses that parallel loops do not support: functions that wait
// for each other, or one function per device.
#include <functional>
#include <span>

namespace scanloupe {

/// Runs each function on its own thread, the first one on the calling thread; returns after all have ended.
/// Rethrows the first exception. If a thread can't be started, no function runs. A function that waits for
/// another one must end when that one fails. Put functions that require the calling thread, e.g. for MPI,
/// first.
/// @throws EngineError if a thread can't be started
void runSideBySide(std::span<const std::function<void()>> functions);

} // namespace scanloupe
