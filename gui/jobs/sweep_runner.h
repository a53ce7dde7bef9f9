#pragma once
// Declares the runner of parameter sweeps.
#include "engine/run/sweep/parameter_sweep.h"
#include "gui/base/snapshot_ptr.h"
#include "gui/jobs/job_runner.h"

#include <memory>

namespace scanloupe {
struct BackendChoice;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::gui {

/// Runs sweeps of a scan in the background, on a separate thread with a separate pipeline.
class SweepRunner : public JobRunner {
    Q_OBJECT
public:
    explicit SweepRunner(QObject* parent = nullptr) : JobRunner(parent) {}

    using CellPtr = std::shared_ptr<const SweepCell>;
    /// Runs a grid on the input of `of`. Does nothing while a sweep runs. @param trusted CUDA code that
    /// layers may run
    void start(const SnapshotPtr& of, SweepGrid grid, const BackendChoice& backend,
               std::shared_ptr<const TrustedCode> trusted);
    /// Stops the sweep, which is busy until its current cell has ended.
    void cancel() override { stop(); }

signals:
    void cellFinished(const scanloupe::gui::SweepRunner::CellPtr& cell);
};

} // namespace scanloupe::gui
