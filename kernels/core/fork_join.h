#pragma once
// Declares the parallel loop that all parallel algorithms of the CPU backend are built on.
#include <cstddef>

namespace scanloupe::detail {

/// Calls `body(object, chunk)` for every chunk in [0, chunks), on all cores; returns when all are done.
/// `body` must not throw. Its own source file, so that a build with the thread sanitizer can leave it
/// uninstrumented: see there.
void forkJoin(std::size_t chunks, void (*body)(void* object, std::size_t chunk), void* object);

} // namespace scanloupe::detail
