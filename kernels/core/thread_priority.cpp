#include "kernels/core/thread_priority.h"

#include <oneapi/tbb/task_scheduler_observer.h>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace scanloupe {

namespace {

constexpr int kNiceness = 10; // a tenth of the time, where a thread of niceness 0 wants the same core

class NiceWorkers : public oneapi::tbb::task_scheduler_observer {
public:
    NiceWorkers() { observe(true); }
    ~NiceWorkers() override { observe(false); }
    void on_scheduler_entry(bool isWorker) override {
        if (isWorker)
            lowerThreadPriority();
    }
};

} // namespace

void lowerThreadPriority() {
#ifdef __linux__
    thread_local bool lowered = false;
    if (!lowered) // only the kernel's own number of the thread is meant: Linux keeps niceness by thread
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
    lowered = true;
#endif
}

void lowerWorkerPriority() {
    static NiceWorkers workers;
}

} // namespace scanloupe
