#include "kernels/core/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace scanloupe {

void lowerThreadPriority() {
#ifdef __linux__
    constexpr int niceness = 5; // a quarter of the time, where a thread of niceness 0 wants the same core
    thread_local bool lowered = false;
    if (!lowered) // only the kernel's own number of the thread is meant: Linux keeps niceness by thread
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
    lowered = true;
#endif
}

} // namespace scanloupe
