#pragma once
// Declares the runner of histograms, which follow the results of the pipeline.
#include "engine/picture/histograms/scan_histograms.h"
#include "gui/jobs/background_worker.h"
#include "gui/jobs/pipeline_runner.h"

#include <QTimer>
#include <optional>

namespace scanloupe::gui {

/// Computes the histograms of results on a thread of low priority while the pipeline is idle; a new request
/// to the pipeline interrupts it. Previews get none, since moving sliders are more urgent.
class HistogramRunner : public QObject {
    Q_OBJECT
public:
    explicit HistogramRunner(PipelineRunner& runner, QObject* parent = nullptr);

signals:
    /// Emitted on the GUI thread with the histograms of the last results.
    void ready(const scanloupe::ScanHistograms& histograms);

private:
    struct Found {
        SnapshotPtr of;
        std::optional<ScanHistograms> histograms; ///< nullopt if they can't be computed
    };
    void onSnapshot(const SnapshotPtr& snapshot);
    void onBusyChanged(bool busy);
    void start();
    void take(const Found& found);

    PipelineRunner& m_runner;
    QTimer m_rest;                    ///< runs while more results may follow at once
    SnapshotPtr m_wanted;             ///< the results whose histograms are to be computed; null: none
    HistogramCache m_cache;           ///< used by the worker
    BackgroundWorker<Found> m_worker; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
