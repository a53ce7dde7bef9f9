// Runs jobs on threads of lower priority, and queues their reports to the GUI thread.
#include "gui/jobs/job_pool.h"

#include "kernels/core/system/thread_priority.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace scanloupe::gui {

namespace {
constexpr std::int64_t kReportMs = 30; // ms between two reports of progress
}

JobPool::JobPool(QObject& owner, int threads) : m_owner(owner) {
    m_pool.setMaxThreadCount(threads);
}

JobPool::~JobPool() {
    m_pool.waitForDone();
}

void JobPool::start(std::function<void()> job) {
    m_pool.start([job = std::move(job)] {
        lowerThreadPriority();
        job();
    });
}

void JobPool::post(std::function<void()> action) {
    QMetaObject::invokeMethod(&m_owner, std::move(action), Qt::QueuedConnection);
}

ProgressFunction JobPool::progress(std::function<void(double done)> report) {
    auto last = std::make_shared<std::atomic<std::int64_t>>(0);
    return [this, last, report = std::move(report)](double done) {
        const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                             std::chrono::steady_clock::now().time_since_epoch())
                             .count();
        std::int64_t before = last->load();
        if (now - before < kReportMs || !last->compare_exchange_strong(before, now))
            return;
        post([report, done] { report(done); });
    };
}

bool JobPool::guarded(std::function<void(const Failure&)> report, const std::function<void()>& action,
                      const QString& whenShort) {
    try {
        action();
        return true;
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), whenShort);
        if (report && !failure.sentence.isEmpty())
            post([report = std::move(report), failure] { report(failure); });
        return false;
    }
}

} // namespace scanloupe::gui
