#pragma once
// Declares the output files of a run.
#include "engine/cli/session.h"
#include "engine/io/output_check.h"
#include "engine/pipeline/pipeline.h"
#include "engine/reference/coordinate_reference.h"

#include <filesystem>
#include <string>

namespace CLI {
class App;
}

namespace scanloupe::cli {

/// Paths of the output files; empty if not wanted.
struct RunOutputs {
    std::string mesh, voxels, image, recipe, section;
    double sectionScale = 100; ///< of an .svg, 1:sectionScale
    std::string timings;       ///< .json or .csv; one for all frames
    ChosenReference reference; ///< of a project, or by --unit

    /// Adds --mesh, --voxels, --image, --section-lines, --section-scale, --save-recipe, --timings and --unit.
    /// CLI11 keeps pointers to the paths: `this` must not move while `app` parses.
    void addTo(CLI::App& app);

    /// Adds all files to `outputs`, which checks them. @throws EngineError
    void check(OutputCheck& outputs) const;

    /// The files of one of several frames, named after it: mesh.ply -> mesh_0001.ply.
    RunOutputs ofFrame(const std::string& frame) const;

    /// Whether the picture is wanted and small enough to be drawn by the run itself; larger ones are drawn in
    /// bands while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all files but the timings, and prints their paths on session.out. A picture that the run has
    /// not drawn is drawn now, and its stages are added to the snapshot's timings.
    /// @throws EngineError; KernelError; Cancelled.
    void write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;
};

} // namespace scanloupe::cli
