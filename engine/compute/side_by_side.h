#pragma once
// Declares functions that run at the same time, where parallel loops don't do: one that waits for another, or
// one for each device.
#include <functional>
#include <span>

namespace scanloupe {

/// Runs each function on a thread of its own, the first one on this thread; returns when all have ended. The
/// first exception is thrown again. Runs none if a thread cannot be started. A function that waits for others
/// has to end when they have failed. What only this thread may do, such as speak MPI, comes first; what uses
/// another device, later.
/// @throws EngineError when a thread cannot be started
void runSideBySide(std::span<const std::function<void()>> functions);

} // namespace scanloupe
