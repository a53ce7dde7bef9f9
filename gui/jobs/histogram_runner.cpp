// Computes histograms of results while the pipeline is idle.
#include "gui/jobs/histogram_runner.h"

#include "engine/results/snapshot.h"

namespace scanloupe::gui {

namespace {
constexpr int kRestMs = 40; // pause before a job, ms: longer than between two moves of a dragged slider
} // namespace

HistogramRunner::HistogramRunner(PipelineRunner& runner, QObject* parent)
    : QObject(parent), m_runner(runner), m_pool(*this, 1) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &HistogramRunner::start);
    connect(&runner, &PipelineRunner::snapshotReady, this, &HistogramRunner::onSnapshot);
    connect(&runner, &PipelineRunner::busyChanged, this, &HistogramRunner::onBusyChanged);
}

HistogramRunner::~HistogramRunner() {
    m_stop.request_stop();
}

void HistogramRunner::onSnapshot(const SnapshotPtr& snapshot) {
    m_wanted = snapshot->preview ? nullptr : snapshot; // outdated results would only occupy memory
    onBusyChanged(m_runner.isBusy());
}

void HistogramRunner::onBusyChanged(bool busy) {
    if (busy) {
        m_rest.stop();
        m_stop.request_stop();
    } else if (m_wanted) {
        m_rest.start();
    }
}

void HistogramRunner::start() {
    if (m_running || !m_wanted)
        return;
    m_running = true;
    m_stop = {};
    m_pool.start([this, snapshot = m_wanted, stop = m_stop.get_token()] {
        std::optional<ScanHistograms> histograms;
        // not reported: a slider works without a histogram, and a run of the scan reports its own errors
        m_pool.guarded(nullptr, [&] { histograms = m_cache.of(*snapshot, stop); }, {});
        m_pool.post([this, snapshot, histograms, cancelled = !histograms && stop.stop_requested()] {
            onFinished(snapshot, histograms, cancelled);
        });
    });
}

void HistogramRunner::onFinished(const SnapshotPtr& snapshot, const std::optional<ScanHistograms>& histograms,
                                 bool cancelled) {
    m_running = false;
    // otherwise the histograms are of results that have been replaced
    if (m_wanted == snapshot && !cancelled) {
        m_wanted = nullptr;
        if (histograms)
            emit ready(*histograms);
    }
    onBusyChanged(m_runner.isBusy());
}

} // namespace scanloupe::gui
