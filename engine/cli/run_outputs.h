#pragma once
// Declares the output files of a run.
#include "engine/cli/session.h"
#include "engine/io/output_check.h"
#include "engine/io/writers.h"
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
    std::optional<OutputTarget> dense, image, section, recipe;
    DenseValues denseValues = DenseValues::occupancy;
    double sectionScale = 100;           ///< of an .svg, 1:sectionScale
    std::optional<OutputTarget> timings; ///< one for all frames
    ChosenReference reference;           ///< of a project, or by --unit
    VoxelArrays arrays;                  ///< of .npz and .npy

    bool isEmpty() const {
        return meshes.empty() && voxels.empty() && !dense && !image && !section && !recipe && !timings;
    }
    /// Adds all files to `outputs`, which checks them. @throws EngineError
    void check(OutputCheck& outputs) const;
    /// The files of one of several frames, named after it: mesh.ply -> mesh_0001.ply. @throws EngineError for
    /// pipes, which can't be one for each
    RunTargets ofFrame(const std::string& frame) const;
    /// @throws EngineError where a run that ends there lacks what a file is to hold
    void requireIn(RunEnd end) const;

    /// Whether voxels are written, and nothing that needs a surface.
    bool areVoxelsAlone() const { return (!voxels.empty() || dense) && meshes.empty() && !image && !section; }
    /// Whether the picture is wanted and small enough to be drawn by the run itself; larger ones are drawn in
    /// bands while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all files but the timings, and prints their paths as text. A picture that the run has not drawn
    /// is drawn now, and its stages are added to the snapshot's timings.
    /// @throws EngineError; KernelError; Cancelled.
    std::vector<WrittenFile> write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;

private:
    /// Writes `voxels` and `dense`. Adds a note where means overflow.
    std::vector<WrittenFile> writeVoxelFiles(Snapshot& snapshot, Session& session) const;
    WrittenFile writeTable(const OutputTarget& table, Snapshot& snapshot, Session& session) const;
};

/// The options of the output files, as they are given.
struct RunOutputs {
    std::vector<std::string> meshes, voxels;
    std::string dense, image, recipe, section, timings;
    double sectionScale = 100;
    std::string unit; ///< empty: as the file or the project says
    bool halfMeans = false, batch = false;
    DenseValues denseValues = DenseValues::occupancy;

    /// Adds --mesh, --voxels, --voxel-type, --voxel-batch, --dense-voxels, --dense-values, --image,
    /// --section-lines, --section-scale, --save-recipe, --timings and --unit. CLI11 keeps pointers to the
    /// targets: `this` must not move while the program parses.
    void addTo(Command command);
    /// @throws EngineError for a format that can't be written, for two outputs on standard output, for a unit
    /// that there is not, and for options of arrays where none are written
    RunTargets targets(Session& session) const;
};

/// Prints "mesh   mesh.ply, 12 MiB" as text. @returns the file
WrittenFile printWritten(Session& session, const char* kind, const OutputTarget& target);

} // namespace scanloupe::cli
