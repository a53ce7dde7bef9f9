#pragma once
// The files that a run writes.
#include "engine/cli/output_check.h"
#include "engine/cli/session.h"
#include "engine/pipeline/pipeline.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Paths; empty for what isn't wanted.
struct RunOutputs {
    std::string mesh, voxels, image, recipe;
    std::string timings; ///< .json or .csv; one for all frames

    /// Adds --mesh, --voxels, --image, --save-recipe and --timings; `this` must stay where it is while `app`
    /// parses.
    void addTo(CLI::App& app);

    /// Looks at each file before the work begins. @throws EngineError
    void check(OutputCheck& outputs) const;

    /// The files of one frame of several: its name stands before the ending, mesh.ply -> mesh_0001.ply.
    RunOutputs ofFrame(const std::string& frame) const;

    /// Whether the picture is small enough to be drawn with the run; others are drawn while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all but the timings, and says where on session.out. A picture that the run has not drawn is
    /// drawn now; the run's timings tell. @throws EngineError; KernelError; Cancelled.
    void write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;
};

} // namespace scanloupe::cli
