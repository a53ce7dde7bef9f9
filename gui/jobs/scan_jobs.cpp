// Reports whether any job of a window runs, and cancels the one that the user waits for.
#include "gui/jobs/scan_jobs.h"

#include "engine/compute/backend.h"

namespace scanloupe::gui {

ScanJobs::ScanJobs(const BackendRequest& wanted, QObject* parent)
    : QObject(parent), m_runner(wanted), m_loader(m_runner), m_histograms(m_runner) {
    connect(&m_runner, &PipelineRunner::busyChanged, this, &ScanJobs::update);
    connect(&m_loader, &ScanLoader::busyChanged, this, &ScanJobs::update);
    connect(&m_exporter, &ExportRunner::busyChanged, this, &ScanJobs::update);
}

void ScanJobs::update() {
    if (const bool busy = isBusy(); std::exchange(m_wasBusy, busy) != busy)
        emit busyChanged(busy);
}

void ScanJobs::cancel() {
    if (m_loader.isBusy())
        m_loader.cancel();
    else if (m_runner.isBusy())
        m_runner.cancel();
    else
        m_exporter.cancel();
}

} // namespace scanloupe::gui
