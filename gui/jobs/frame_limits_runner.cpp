// Runs the frames of a sequence on a worker thread to find the limits of their colours.
#include "gui/jobs/frame_limits_runner.h"

#include "engine/compute/backend.h"
#include "engine/recipe/recipe.h"

#include <utility>

namespace scanloupe::gui {

FrameLimitsRunner::FrameLimitsRunner(QObject* parent)
    : QObject(parent), m_pool(*this, 2) {} // two threads: one job, and a cancelled one that is still stopping

FrameLimitsRunner::~FrameLimitsRunner() {
    m_stop.request_stop();
}

void FrameLimitsRunner::start(std::vector<std::filesystem::path> frames, const Recipe& recipe,
                              const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_recipe = recipe;
    const int number = ++m_number;
    setBusy(true);
    m_pool.start([this, number, frames = std::move(frames), recipe, backend, trusted = std::move(trusted),
                  stop = m_stop.get_token()] {
        FrameLimits limits;
        const auto report = [this, number](const Failure& failure) {
            if (number == m_number)
                emit failed(failure.sentence, failure.nextStep);
        };
        const bool isFound = m_pool.guarded(
            report,
            [&] {
                limits = limitsOfFrames(
                    frames, recipe, backend, trusted,
                    [&](std::size_t done) {
                        post(number,
                             [this, done, all = frames.size()] { emit progressed(int(done), int(all)); });
                    },
                    stop);
            },
            tr("Use a larger voxel size or a smaller range."));
        post(number, [this, limits, isFound] {
            setBusy(false);
            if (isFound)
                emit finished(limits);
        });
    });
}

void FrameLimitsRunner::cancel() {
    m_stop.request_stop();
    ++m_number;
    setBusy(false);
}

void FrameLimitsRunner::post(int number, std::function<void()> action) {
    m_pool.post([this, number, action = std::move(action)] {
        if (number == m_number)
            action();
    });
}

void FrameLimitsRunner::setBusy(bool busy) {
    if (std::exchange(m_busy, busy) != busy)
        emit busyChanged(busy);
}

} // namespace scanloupe::gui
