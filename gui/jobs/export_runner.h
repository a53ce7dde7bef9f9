#pragma once
// Declares the runner of exports.
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/job_pool.h"

#include <stop_token>

namespace scanloupe::gui {

/// Writes exports on a thread of its own, beside the pipeline. All signals are emitted on the GUI thread.
class ExportRunner : public QObject {
    Q_OBJECT
public:
    explicit ExportRunner(QObject* parent = nullptr);
    /// Cancels a running export and waits for it.
    ~ExportRunner() override;

    using Export = std::function<void(const Snapshot&, const ProgressFunction&, const std::stop_token&)>;
    /// Runs `write` on `snapshot`; `what` names the job in messages of progress and success. Ignored while an
    /// export runs.
    void start(const QString& what, const SnapshotPtr& snapshot, Export write);
    void cancel() { m_stop.request_stop(); }
    bool isBusy() const { return m_busy; }

signals:
    void exported(const QString& what);
    void failed(const QString& sentence, const QString& nextStep);
    void progressed(const QString& what, double done); ///< 0 to 1
    void busyChanged(bool busy);

private:
    void setBusy(bool busy);

    bool m_busy = false;
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
