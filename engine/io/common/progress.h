#pragma once
// Declares the callback that reports progress.
#include <functional>

namespace scanloupe {

/// Receives the finished fraction of the work, 0 to 1. May be called from any thread, and may be empty. An
/// exception that it throws aborts the work.
using ProgressFunction = std::function<void(double)>;

} // namespace scanloupe
