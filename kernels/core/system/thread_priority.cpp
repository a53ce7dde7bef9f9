// Raises the niceness of a thread on Linux, which lowers its priority.
#include "kernels/core/system/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace scanloupe {

void lowerThreadPriority() {
#ifdef __linux__
    constexpr int niceness = 5; // gets a quarter of a core when competing with a thread of niceness 0
    thread_local bool lowered = false;
    if (!lowered) // addressed by thread id, since Linux stores niceness per thread
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
    lowered = true;
#endif
}

} // namespace scanloupe
