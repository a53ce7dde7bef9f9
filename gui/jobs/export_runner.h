#pragma once
// Declares the runner of exports.
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/job_pool.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe {
struct Snapshot;
}

namespace scanloupe::gui {

/// A file to write in the background.
struct ExportJob {
    using Files = std::vector<std::filesystem::path>;
    using Write = std::function<void(const Snapshot&, const ProgressFunction&, const std::stop_token&)>;

    QString what; ///< "the report to a.html", in messages of progress and of the result
    std::filesystem::path target;
    SnapshotPtr snapshot;
    Write write;                            ///< runs on the worker thread
    Files inputs = {};                      ///< files that `write` reads, in addition to those that are open
    std::function<void()> whenWritten = {}; ///< runs on the GUI thread, after exported()
};

/// Writes exports one at a time, in the order of their start, on a separate thread, in addition to the
/// pipeline. Refuses to overwrite open files. All signals are emitted on the GUI thread.
class ExportRunner : public QObject {
    Q_OBJECT
public:
    explicit ExportRunner(QObject* parent = nullptr);
    /// Cancels the running export and waits for it; drops those in the queue.
    ~ExportRunner() override;

    /// Sets the function that lists the files that no export may overwrite. It is called whenever an export
    /// begins: other files may have been opened since it was queued.
    void setOpenFiles(std::function<ExportJob::Files()> openFiles) { m_openFiles = std::move(openFiles); }
    /// Queues an export. Refuses a target that a running or queued export writes.
    void start(ExportJob job);
    /// Cancels the running export; the next one in the queue begins.
    void cancel() { m_stop.request_stop(); }
    /// Cancels all exports.
    void cancelAll();
    bool isBusy() const { return !m_jobs.empty(); }
    std::size_t count() const { return m_jobs.size(); } ///< number of running and queued exports

signals:
    void queued(const QString& what, const QString& running);
    void exported(const QString& what);
    void failed(const QString& sentence, const QString& nextStep);
    void cancelled(const QString& what);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);

private:
    void begin();
    /// Runs on the worker thread.
    void run(const ExportJob& job, const ExportJob::Files& openFiles, const std::stop_token& stop);
    /// Takes the first export off the queue, and begins the next one.
    void end();

    std::function<ExportJob::Files()> m_openFiles;
    std::deque<std::shared_ptr<const ExportJob>> m_jobs; ///< the first one runs
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
