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

/// Owns the objects that work for a window: one loads scans, one runs the pipeline, one counts histograms of
/// its results, one exports, one looks for backends. Reports whether any of them is busy, and which one to
/// cancel.
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
