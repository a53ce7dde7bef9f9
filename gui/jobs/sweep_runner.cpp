// Runs one sweep at a time on a worker thread.
#include "gui/jobs/sweep_runner.h"

#include "engine/compute/backend.h"
#include "engine/results/snapshot.h"
#include "engine/run/pipeline/pipeline.h"

#include <utility>

namespace scanloupe::gui {

void SweepRunner::start(const SnapshotPtr& of, SweepGrid grid, const BackendChoice& backend,
                        std::shared_ptr<const TrustedCode> trusted) {
    if (isBusy())
        return;
    // captures only the input, so that the window's results can be freed while the sweep runs
    run(
        [this, cloud = of->input, volume = of->volume, grid = std::move(grid), backend,
         trusted = std::move(trusted)](const Post& post, const std::stop_token& stop) -> Action {
            Pipeline pipeline(backend);
            pipeline.setTrustedCode(trusted);
            if (cloud)
                pipeline.setInput(cloud, 0);
            else
                pipeline.setInput(volume, 0);
            const auto report = [&](SweepCell cell) {
                post([this, shared = std::make_shared<const SweepCell>(std::move(cell))] {
                    emit cellFinished(shared);
                });
            };
            runSweep(pipeline, grid, report, stop);
            return [] {};
        },
        tr("Use a larger voxel size or a smaller range."));
}

} // namespace scanloupe::gui
