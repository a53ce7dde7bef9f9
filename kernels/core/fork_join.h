#pragma once
// Declares the parallel loop that all parallel algorithms of the CPU backend use.
#include <cstddef>

namespace scanloupe::detail {

/// Calls `body(object, chunk)` for every chunk in [0, chunks) on all cores; returns when all calls are done.
/// `body` must not throw. See fork_join.cpp for the thread sanitizer.
void forkJoin(std::size_t chunks, void (*body)(void* object, std::size_t chunk), void* object);

} // namespace scanloupe::detail
