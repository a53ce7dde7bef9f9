#pragma once
// Declares the runner of histograms, which follow the results of the pipeline.
#include "engine/picture/histograms/scan_histograms.h"
#include "gui/jobs/pipeline_runner.h"

#include <QTimer>

namespace scanloupe::gui {

/// Computes the histograms of results on a thread of low priority while the pipeline is idle; a new request
/// to the pipeline interrupts it. Previews get none, since moving sliders are more urgent.
class HistogramRunner : public QObject {
    Q_OBJECT
public:
    explicit HistogramRunner(PipelineRunner& runner, QObject* parent = nullptr);
    /// Cancels the running work and waits for it (at most some 10 ms).
    ~HistogramRunner() override;

signals:
    /// Emitted on the GUI thread with the histograms of the last results.
    void ready(const scanloupe::ScanHistograms& histograms);

private:
    void onSnapshot(const SnapshotPtr& snapshot);
    void onBusyChanged(bool busy);
    void start();
    void onFinished(const SnapshotPtr& snapshot, const std::optional<ScanHistograms>& histograms,
                    bool cancelled);

    PipelineRunner& m_runner;
    QTimer m_rest;          ///< runs while more results may follow at once
    SnapshotPtr m_wanted;   ///< the results whose histograms are to be computed; null: none
    bool m_running = false; ///< whether a job is running
    std::stop_source m_stop;
    HistogramCache m_cache; ///< used by the running job only
    JobPool m_pool;         ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
