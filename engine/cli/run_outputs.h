#pragma once
// Declares the output files of a run.
#include "engine/cli/session.h"
#include "engine/io/output_check.h"
#include "engine/pipeline/pipeline.h"
#include "engine/reference/coordinate_reference.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::cli {

class Command;

/// A file that was written.
struct WrittenFile {
    std::string kind, file;
    std::optional<std::uint64_t> bytes; ///< none for pipes and devices
};

/// The output files of a run, and their formats.
struct RunTargets {
    std::vector<OutputTarget> meshes, voxels;
    std::optional<OutputTarget> image, section, recipe;
    double sectionScale = 100;           ///< of an .svg, 1:sectionScale
    std::optional<OutputTarget> timings; ///< one for all frames
    ChosenReference reference;           ///< of a project, or by --unit

    bool isEmpty() const {
        return meshes.empty() && voxels.empty() && !image && !section && !recipe && !timings;
    }
    /// Adds all files to `outputs`, which checks them. @throws EngineError
    void check(OutputCheck& outputs) const;
    /// The files of one of several frames, named after it: mesh.ply -> mesh_0001.ply. @throws EngineError for
    /// pipes, which can't be one for each
    RunTargets ofFrame(const std::string& frame) const;
    /// @throws EngineError where a run that ends there lacks what a file is to hold
    void requireIn(RunEnd end) const;

    /// Whether voxels are written, and nothing that needs a surface.
    bool areVoxelsAlone() const { return !voxels.empty() && meshes.empty() && !image && !section; }
    /// Whether the picture is wanted and small enough to be drawn by the run itself; larger ones are drawn in
    /// bands while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all files but the timings, and prints their paths as text. A picture that the run has not drawn
    /// is drawn now, and its stages are added to the snapshot's timings.
    /// @throws EngineError; KernelError; Cancelled.
    std::vector<WrittenFile> write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;
};

/// The options of the output files, as they are given.
struct RunOutputs {
    std::vector<std::string> meshes, voxels;
    std::string image, recipe, section, timings;
    double sectionScale = 100;
    std::string unit; ///< empty: as the file or the project says

    /// Adds --mesh, --voxels, --image, --section-lines, --section-scale, --save-recipe, --timings and --unit.
    /// CLI11 keeps pointers to the paths: `this` must not move while the program parses.
    void addTo(Command command);
    /// @throws EngineError for a format that can't be written, for two outputs on standard output, and for a
    /// unit that there is not
    RunTargets targets(Session& session) const;
};

/// Prints "mesh   mesh.ply, 12 MiB" as text. @returns the file
WrittenFile printWritten(Session& session, const char* kind, const OutputTarget& target);

} // namespace scanloupe::cli
