#pragma once
// Declares functions that run at the same time, where parallel loops don't do: one that waits for another, or
// one for each device.
#include <functional>
#include <span>

namespace scanloupe {

/// Runs each function on its own thread, the first one on this thread; returns when all have ended. The first
/// exception is rethrown. Runs none if a thread cannot be started. A function that waits for others must end
/// when they fail. Functions that require this thread, e.g. for MPI, come first; those on other devices come
/// later.
/// @throws EngineError when a thread cannot be started
void runSideBySide(std::span<const std::function<void()>> functions);

} // namespace scanloupe
