#pragma once
// Declares the runner of parameter sweeps.
#include "engine/run/sweep/parameter_sweep.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/job_pool.h"

#include <memory>
#include <stop_token>

namespace scanloupe {
struct BackendChoice;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::gui {

/// Runs sweeps of a scan in the background, on a separate thread with a separate pipeline. All signals are
/// emitted on the GUI thread.
class SweepRunner : public QObject {
    Q_OBJECT
public:
    explicit SweepRunner(QObject* parent = nullptr);
    /// Cancels a running sweep and waits for it.
    ~SweepRunner() override;

    using CellPtr = std::shared_ptr<const SweepCell>;
    /// Runs a grid on the input of `of`. Does nothing while a sweep runs. @param trusted CUDA code that
    /// layers may run
    void start(const SnapshotPtr& of, SweepGrid grid, const BackendChoice& backend,
               std::shared_ptr<const TrustedCode> trusted);
    void cancel() { m_stop.request_stop(); }
    bool isBusy() const { return m_busy; }

signals:
    void cellFinished(const scanloupe::gui::SweepRunner::CellPtr& cell);
    void failed(const QString& sentence, const QString& nextStep);
    void busyChanged(bool busy);

private:
    void setBusy(bool busy);

    bool m_busy = false;
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
