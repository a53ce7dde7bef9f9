// Runs parallel loops with oneTBB; only this file uses the templates of oneTBB. Linux distributions ship
// oneTBB without instrumentation, so the thread sanitizer would report a race whenever a task passes between
// templates and library. Therefore this file is compiled without the sanitizer, and parallel.cpp declares the
// order of memory accesses.
#include "kernels/core/fork_join.h"

#include <oneapi/tbb/parallel_for.h>

namespace scanloupe::detail {

void forkJoin(std::size_t chunks, void (*body)(void* object, std::size_t chunk), void* object) {
    oneapi::tbb::parallel_for(
        std::size_t{0}, chunks, [body, object](std::size_t chunk) { body(object, chunk); },
        oneapi::tbb::simple_partitioner{});
}

} // namespace scanloupe::detail
