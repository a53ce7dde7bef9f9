// Computes histograms of results while the pipeline is idle.
#include "gui/jobs/histogram_runner.h"

#include "engine/results/snapshot.h"

namespace scanloupe::gui {

namespace {
constexpr int kRestMs = 40; // pause before a job, ms: longer than between two moves of a dragged slider
} // namespace

HistogramRunner::HistogramRunner(PipelineRunner& runner, QObject* parent)
    : QObject(parent), m_runner(runner),
      m_worker([this](const Found& found) { take(found); },
               // a request to the pipeline has cancelled the job
               [this](const std::exception_ptr&) { onBusyChanged(m_runner.isBusy()); }) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &HistogramRunner::start);
    connect(&runner, &PipelineRunner::snapshotReady, this, &HistogramRunner::onSnapshot);
    connect(&runner, &PipelineRunner::busyChanged, this, &HistogramRunner::onBusyChanged);
}

void HistogramRunner::onSnapshot(const SnapshotPtr& snapshot) {
    m_wanted = snapshot->preview ? nullptr : snapshot; // outdated results would only occupy memory
    onBusyChanged(m_runner.isBusy());
}

void HistogramRunner::onBusyChanged(bool busy) {
    if (busy) {
        m_rest.stop();
        m_worker.cancelRunning();
    } else if (m_wanted) {
        m_rest.start();
    }
}

void HistogramRunner::start() {
    if (m_worker.isBusy() || !m_wanted)
        return;
    m_worker.run([this, snapshot = m_wanted](const std::stop_token& stop) {
        try {
            return Found{snapshot, m_cache.of(*snapshot, stop)};
        } catch (const Cancelled&) {
            throw;
        } catch (...) {
            // not reported: a slider works without a histogram, and a run of the scan reports its own errors
            return Found{snapshot, std::nullopt};
        }
    });
}

void HistogramRunner::take(const Found& found) {
    if (m_wanted == found.of) { // otherwise the results have been replaced
        m_wanted = nullptr;
        if (found.histograms)
            emit ready(*found.histograms);
    }
    onBusyChanged(m_runner.isBusy());
}

} // namespace scanloupe::gui
