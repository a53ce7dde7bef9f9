// Runs one sweep at a time on a worker thread.
#include "gui/jobs/sweep_runner.h"

#include "engine/compute/backend.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"

#include <utility>

namespace scanloupe::gui {

SweepRunner::SweepRunner(QObject* parent) : QObject(parent), m_pool(*this, 1) {}

SweepRunner::~SweepRunner() {
    m_stop.request_stop();
}

void SweepRunner::start(const SnapshotPtr& of, SweepGrid grid, const BackendChoice& backend,
                        std::shared_ptr<const TrustedCode> trusted) {
    if (m_busy)
        return;
    m_stop = std::stop_source();
    setBusy(true);
    // captures only the input, so that the window's results can be freed while the sweep runs
    m_pool.start([this, cloud = of->input, volume = of->volume, grid = std::move(grid), backend,
                  trusted = std::move(trusted), stop = m_stop.get_token()] {
        m_pool.guarded([this](const Failure& failure) { emit failed(failure.sentence, failure.nextStep); },
                       [&] {
                           Pipeline pipeline(backend);
                           pipeline.setTrustedCode(trusted);
                           if (cloud)
                               pipeline.setInput(cloud, 0);
                           else
                               pipeline.setInput(volume, 0);
                           runSweep(
                               pipeline, grid,
                               [this](SweepCell cell) {
                                   const auto shared = std::make_shared<const SweepCell>(std::move(cell));
                                   m_pool.post([this, shared] { emit cellFinished(shared); });
                               },
                               stop);
                       },
                       tr("Use a larger voxel size or a smaller range."));
        m_pool.post([this] { setBusy(false); });
    });
}

void SweepRunner::setBusy(bool busy) {
    m_busy = busy;
    emit busyChanged(busy);
}

} // namespace scanloupe::gui
