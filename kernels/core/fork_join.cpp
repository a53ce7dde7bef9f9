// Runs parallel loops on oneTBB, whose templates are used here and nowhere else. The distribution's library
// is not instrumented, so that the thread sanitizer would take every hand-over of a task between the
// templates and the library for a race: this file is compiled without it, and parallel.cpp says what is
// ordered.
#include "kernels/core/fork_join.h"

#include <oneapi/tbb/parallel_for.h>

namespace scanloupe::detail {

void forkJoin(std::size_t chunks, void (*body)(void* object, std::size_t chunk), void* object) {
    oneapi::tbb::parallel_for(
        std::size_t{0}, chunks, [body, object](std::size_t chunk) { body(object, chunk); },
        oneapi::tbb::simple_partitioner{});
}

} // namespace scanloupe::detail
