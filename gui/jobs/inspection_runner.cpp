// Summarizes deviations in the background.
#include "gui/jobs/inspection_runner.h"

#include "gui/jobs/failure.h"

namespace scanloupe::gui {

InspectionRunner::InspectionRunner(QObject* parent)
    : QObject(parent), m_worker([this](const Found& found) { take(found); },
                                [this](const std::exception_ptr& error) {
                                    const Failure failure = failureOf(error, {});
                                    if (!failure.sentence.isEmpty())
                                        emit failed(failure.sentence, failure.nextStep);
                                }) {}

void InspectionRunner::take(const Found& found) {
    if (found.of.lock() == m_asked.input.lock()) // else another scan has been opened meanwhile
        emit ready(found.inspection);
}

void InspectionRunner::setSnapshot(const SnapshotPtr& snapshot) {
    if (!snapshot || snapshot->input != m_asked.input.lock()) { // of another scan
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
    m_worker.run([snapshot](const std::stop_token& stop) {
        return Found{snapshot->input, inspect(*snapshot, stop)};
    });
}

} // namespace scanloupe::gui
