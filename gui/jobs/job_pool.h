#pragma once
// Declares the threads on which an object of the GUI thread runs its jobs.
#include "engine/io/common/progress.h"
#include "gui/jobs/failure.h"

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace scanloupe::gui {

/// Runs jobs for one QObject on threads of lower priority than the GUI thread, and queues their reports to
/// the GUI thread. Declare it as the owner's last member, so that no job outlives the members that it uses.
class JobPool {
public:
    /// @param owner lives on the GUI thread
    JobPool(QObject& owner, int threads);
    /// Waits for the jobs, which the owner must have asked to stop.
    ~JobPool();
    JobPool(const JobPool&) = delete;
    JobPool& operator=(const JobPool&) = delete;

    void start(std::function<void()> job);
    /// Waits for the started jobs, at most for some milliseconds; -1: for ever. False: some are still
    /// running.
    bool wait(int ms = -1) { return m_pool.waitForDone(ms); }
    /// Queues `action` to the GUI thread; it is dropped once the owner is destroyed.
    void post(std::function<void()> action);
    /// A progress function that calls `report` on the GUI thread, at most every 30 ms.
    ProgressFunction progress(std::function<void(double done)> report);
    /// Runs `action`, and reports an exception on the GUI thread (null: not at all). True when nothing was
    /// thrown. @param whenShort what to do when memory is short
    bool guarded(std::function<void(const Failure&)> report, const std::function<void()>& action,
                 const QString& whenShort);

private:
    QObject& m_owner;
    QThreadPool m_pool;
};

} // namespace scanloupe::gui
