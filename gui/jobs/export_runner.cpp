// Runs one export at a time on a worker thread.
#include "gui/jobs/export_runner.h"

namespace scanloupe::gui {

ExportRunner::ExportRunner(QObject* parent) : QObject(parent), m_pool(*this, 1) {}

ExportRunner::~ExportRunner() {
    m_stop.request_stop();
}

void ExportRunner::start(const QString& what, const SnapshotPtr& snapshot, Export write) {
    if (m_busy)
        return;
    m_stop = std::stop_source();
    setBusy(true);
    m_pool.start([this, what, write = std::move(write), snapshot, stop = m_stop.get_token()] {
        const ProgressFunction progress =
            m_pool.progress([this, what](double done) { emit progressed(what, done); });
        const bool written = m_pool.guarded(
            [this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); },
            [&] { write(*snapshot, progress, stop); }, tr("Take a larger voxel size or a smaller range."));
        m_pool.post([this, what, written] {
            setBusy(false);
            if (written)
                emit exported(what);
        });
    });
}

void ExportRunner::setBusy(bool busy) {
    m_busy = busy;
    emit busyChanged(busy);
}

} // namespace scanloupe::gui
