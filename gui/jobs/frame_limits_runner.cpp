// Runs the frames of a sequence on a worker thread to find the limits of their colours.
#include "gui/jobs/frame_limits_runner.h"

#include "engine/compute/backend.h"
#include "engine/recipe/recipe.h"

#include <utility>

namespace scanloupe::gui {

void FrameLimitsRunner::start(std::vector<std::filesystem::path> frames, const Recipe& recipe,
                              const BackendChoice& backend, std::shared_ptr<const TrustedCode> trusted) {
    m_recipe = recipe;
    run(
        [this, frames = std::move(frames), recipe, backend,
         trusted = std::move(trusted)](const Post& post, const std::stop_token& stop) -> Action {
            const auto report = [&](std::size_t done) {
                post([this, done, all = frames.size()] { emit progressed(int(done), int(all)); });
            };
            const FrameLimits limits = limitsOfFrames(frames, recipe, backend, trusted, report, stop);
            return [this, limits] { emit finished(limits); };
        },
        tr("Use a larger voxel size or a smaller range."));
}

} // namespace scanloupe::gui
