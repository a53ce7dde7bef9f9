#pragma once
// The files that a run writes.
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

    /// Looks before the work begins whether each file could be written and would overwrite nothing that the
    /// run needs.
    /// @throws EngineError
    void check(const std::filesystem::path& input) const;

    /// The files of one frame of several: its name stands before the ending, mesh.ply -> mesh_0001.ply.
    RunOutputs ofFrame(const std::string& frame) const;

    /// Whether the picture is small enough to be drawn with the run; others are drawn while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all but the timings, and says where on session.out. A picture that the run has not drawn is
    /// drawn now; the run's timings tell. @throws EngineError; KernelError; Cancelled.
    void write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;
};

/// @throws EngineError when `target` could not be written: an ending that is none of `endings` (when there
/// are any), a missing folder, a folder in its place, or the very file that is read.
void checkTarget(const std::filesystem::path& target, const std::vector<std::string>& endings,
                 const std::filesystem::path& input);

} // namespace scanloupe::cli
