#pragma once
// Declares the base class of runners with one job at a time.
#include "gui/jobs/job_pool.h"

#include <functional>
#include <stop_token>

namespace scanloupe::gui {

/// Runs one job at a time on a worker thread; a new job replaces the running one. Reports of a replaced or
/// cancelled job are dropped. All signals are emitted on the GUI thread.
class JobRunner : public QObject {
    Q_OBJECT
public:
    /// Cancels the running job and waits for it.
    ~JobRunner() override;

    bool isBusy() const { return m_busy; }
    virtual void cancel();

signals:
    void busyChanged(bool busy);
    void failed(const QString& sentence, const QString& nextStep);

protected:
    using Action = std::function<void()>;
    /// Queues an action to the GUI thread.
    using Post = std::function<void(Action)>;
    /// Work of the worker thread, which uses no members of the runner: these are destroyed first. Returns the
    /// action that delivers the result; it follows busyChanged(false).
    using Job = std::function<Action(const Post& post, const std::stop_token& stop)>;

    explicit JobRunner(QObject* parent);
    /// @param whenShort what to do when memory is short
    void run(Job job, const QString& whenShort);
    /// Requests the running job to stop; the runner is busy until it has.
    void stop() { m_stop.request_stop(); }

private:
    void setBusy(bool busy);

    bool m_busy = false;
    int m_number = 0; ///< number of the current job; reports of others are dropped
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
