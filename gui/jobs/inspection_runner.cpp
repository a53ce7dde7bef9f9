// Summarizes deviations in the background.
#include "gui/jobs/inspection_runner.h"

#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/failure.h"

namespace scanloupe::gui {

namespace {
constexpr int kPatienceMs = 150;
} // namespace

InspectionRunner::InspectionRunner(QObject* parent)
    : QObject(parent), m_worker([this](const Found& found) { take(found); },
                                [this](const std::exception_ptr& error) {
                                    const Failure failure = failureOf(error, {});
                                    m_patience.stop();
                                    if (!failure.sentence.isEmpty())
                                        emit failed(failure.sentence, failure.nextStep);
                                }) {
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] { m_worker.cancelRunning(); });
}

void InspectionRunner::take(const Found& found) {
    m_patience.stop();                           // the waiting job has begun
    if (found.of.lock() == m_asked.input.lock()) // otherwise another scan has been opened meanwhile
        emit ready(found.inspection);
}

void InspectionRunner::setSnapshot(const SnapshotPtr& snapshot) {
    if (!snapshot || snapshot->input != m_asked.input.lock()) { // the results are of another scan
        m_asked = {};
        emit ready(std::nullopt);
    }
    if (!snapshot || snapshot->preview)
        return;
    const Recipe& used = snapshot->resolved;
    if (snapshot->cloud && snapshot->cloud == m_asked.cloud.lock() && used.tolerance == m_asked.tolerance &&
        used.voxelSize == m_asked.voxelSize && used.section == m_asked.section)
        return;
    m_asked = {snapshot->input, snapshot->cloud, used.tolerance, used.voxelSize, used.section};
    if (m_worker.isBusy() && !m_patience.isActive())
        m_patience.start();
    m_worker.run([this, snapshot](const std::stop_token& stop) {
        return Found{snapshot->input, m_inspector.inspect(*snapshot, stop)};
    });
}

} // namespace scanloupe::gui
