#pragma once
// Declares the runner that finds the limits of the colour map over a sequence.
#include "engine/recipe/stored_recipe.h"
#include "engine/run/sweep/frame_limits.h"
#include "gui/jobs/job_runner.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace scanloupe {
struct BackendChoice;
class TrustedCode;
} // namespace scanloupe

namespace scanloupe::gui {

/// Scans the frames of a sequence in the background, on a separate thread with a separate pipeline.
class FrameLimitsRunner : public JobRunner {
    Q_OBJECT
public:
    explicit FrameLimitsRunner(QObject* parent = nullptr) : JobRunner(parent) {}

    /// Cancels the running work. @param trusted the CUDA code that layers may run
    void start(std::vector<std::filesystem::path> frames, const Recipe& recipe, const BackendChoice& backend,
               std::shared_ptr<const TrustedCode> trusted);
    /// The recipe of the last start().
    const Recipe& recipe() const { return m_recipe; }

signals:
    void progressed(int done, int frames);
    void finished(const scanloupe::FrameLimits& limits);

private:
    StoredRecipe m_recipe;
};

} // namespace scanloupe::gui
