// Runs one job at a time on a worker thread, and drops the reports of replaced ones.
#include "gui/jobs/job_runner.h"

#include <utility>

namespace scanloupe::gui {

JobRunner::JobRunner(QObject* parent)
    : QObject(parent), m_pool(*this, 2) {} // two threads: one job, and a cancelled one that is still stopping

JobRunner::~JobRunner() {
    stop();
}

void JobRunner::run(Job job, const QString& whenShort) {
    stop();
    m_stop = {};
    setBusy(true);
    const auto post = [this, number = ++m_number](Action action) {
        m_pool.post([this, number, action = std::move(action)] {
            if (number == m_number)
                action();
        });
    };
    m_pool.start([this, job = std::move(job), whenShort, post, stop = m_stop.get_token()] {
        Action deliver;
        try {
            deliver = job(post, stop);
        } catch (...) {
            deliver = [this, failure = failureOf(std::current_exception(), whenShort)] {
                if (!failure.sentence.isEmpty())
                    emit failed(failure.sentence, failure.nextStep);
            };
        }
        post([this, deliver = std::move(deliver)] {
            ++m_number;
            setBusy(false);
            deliver();
        });
    });
}

void JobRunner::cancel() {
    stop();
    ++m_number;
    setBusy(false);
}

void JobRunner::setBusy(bool busy) {
    if (std::exchange(m_busy, busy) != busy)
        emit busyChanged(busy);
}

} // namespace scanloupe::gui
