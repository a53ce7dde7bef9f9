// Runs parallel loops on oneTBB, the only file that uses its templates. The distribution's library is not
// instrumented, so the thread sanitizer would report a race at each hand-over of a task between the templates
// and the library: this file is compiled without it, and parallel.cpp declares the order.
#include "kernels/core/fork_join.h"

#include <oneapi/tbb/parallel_for.h>

namespace scanloupe::detail {

void forkJoin(std::size_t chunks, void (*body)(void* object, std::size_t chunk), void* object) {
    oneapi::tbb::parallel_for(
        std::size_t{0}, chunks, [body, object](std::size_t chunk) { body(object, chunk); },
        oneapi::tbb::simple_partitioner{});
}

} // namespace scanloupe::detail
