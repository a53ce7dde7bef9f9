#pragma once
// Declares the jobs of a window.
#include "gui/jobs/backend_search.h"
#include "gui/jobs/export_runner.h"
#include "gui/jobs/histogram_runner.h"
#include "gui/jobs/pipeline_runner.h"
#include "gui/jobs/scan_loader.h"

namespace scanloupe {
struct BackendRequest;
}

namespace scanloupe::gui {

/// Owns the background jobs of a window: the loader of scans, the pipeline, histograms, exports and the
/// search for backends. Reports whether any job is active, and which one cancel() ends.
class ScanJobs : public QObject {
    Q_OBJECT
public:
    explicit ScanJobs(const BackendRequest& wanted, QObject* parent = nullptr);

    PipelineRunner& runner() { return m_runner; }
    const PipelineRunner& runner() const { return m_runner; }
    ScanLoader& loader() { return m_loader; }
    HistogramRunner& histograms() { return m_histograms; }
    ExportRunner& exporter() { return m_exporter; }
    BackendSearch& backends() { return m_backends; }

    bool isBusy() const { return m_loader.isBusy() || m_runner.isBusy() || m_exporter.isBusy(); }
    /// Cancels one job: the opening, otherwise the run, otherwise the export. The last results stay.
    void cancel();

signals:
    void busyChanged(bool busy);

private:
    void update();

    PipelineRunner m_runner;
    ScanLoader m_loader;          ///< uses the runner
    HistogramRunner m_histograms; ///< uses the runner
    ExportRunner m_exporter;
    bool m_wasBusy = false;
    BackendSearch m_backends; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
