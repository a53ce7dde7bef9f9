#pragma once
// Declares the runner that finds the limits of the colour map over a sequence.
#include "engine/recipe/stored_recipe.h"
#include "engine/run/sweep/frame_limits.h"
#include "gui/jobs/job_pool.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace scanloupe {
struct BackendChoice;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::gui {

/// Scans the frames of a sequence in the background, on a separate thread with a separate pipeline. All
/// signals are emitted on the GUI thread.
class FrameLimitsRunner : public QObject {
    Q_OBJECT
public:
    explicit FrameLimitsRunner(QObject* parent = nullptr);
    /// Cancels the running work and waits for it.
    ~FrameLimitsRunner() override;

    /// Cancels the running work. @param trusted the CUDA code that layers may run
    void start(std::vector<std::filesystem::path> frames, const Recipe& recipe, const BackendChoice& backend,
               std::shared_ptr<const TrustedCode> trusted);
    void cancel();
    bool isBusy() const { return m_busy; }
    /// The recipe of the last start().
    const Recipe& recipe() const { return m_recipe; }

signals:
    void progressed(int done, int frames);
    void finished(const scanloupe::FrameLimits& limits);
    void failed(const QString& sentence, const QString& nextStep);
    void busyChanged(bool busy);

private:
    void setBusy(bool busy);
    /// Queues `action` to the GUI thread; it is dropped once start() or cancel() was called again.
    void post(int number, std::function<void()> action);

    StoredRecipe m_recipe;
    bool m_busy = false;
    int m_number = 0;
    std::stop_source m_stop;
    JobPool m_pool; ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
