#pragma once
// Declares the output files of a run.
#include "engine/cli/output/session.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/output_check.h"
#include "engine/io/writers.h"
#include "engine/reference/coordinate_reference.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {
class Pipeline;
enum class RunEnd : std::uint8_t;
struct Recipe;
struct Snapshot;
} // namespace scanloupe

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
    double sectionScale = 100;           ///< scale of an .svg, 1:sectionScale
    std::optional<OutputTarget> timings; ///< one for all frames
    ChosenReference reference;           ///< from a project, or from --unit
    VoxelArrays arrays;                  ///< options of .npz and .npy for voxels

    bool isEmpty() const {
        return meshes.empty() && voxels.empty() && !dense && !image && !section && !recipe && !timings;
    }
    /// Adds all files to `outputs`, which checks them. @throws EngineError
    void check(OutputCheck& outputs) const;
    /// The files of one of several frames, named after it: mesh.ply -> mesh_0001.ply. @throws EngineError for
    /// pipes, which can't be one for each
    RunTargets ofFrame(const std::string& frame) const;
    /// @throws EngineError where a run with this end lacks the content of a file
    void requireIn(RunEnd end) const;

    /// Whether only voxels are written, and no surface is needed.
    bool areVoxelsAlone() const { return (!voxels.empty() || dense) && meshes.empty() && !image && !section; }
    /// Whether the run itself draws the picture, as it is requested and small enough; larger ones are drawn
    /// in bands while they are written.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all files except the timings, and prints their paths as text. Draws the picture unless the run
    /// has drawn it, and adds its stages to the snapshot's timings. @throws EngineError; KernelError;
    /// Cancelled.
    std::vector<WrittenFile> write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;

private:
    /// Writes `voxels` and `dense`. Adds a note where means overflow.
    std::vector<WrittenFile> writeVoxelFiles(Snapshot& snapshot, Session& session) const;
    WrittenFile writeTable(const OutputTarget& table, Snapshot& snapshot, Session& session) const;
};

/// The options of the output files, as given.
struct RunOutputs {
    std::vector<std::string> meshes, voxels;
    std::string dense, image, recipe, section, timings;
    double sectionScale = 100;
    std::string unit; ///< empty: that of the file or the project
    bool halfMeans = false, batch = false;
    DenseValues denseValues = DenseValues::occupancy;

    /// Adds --mesh, --voxels, --voxel-type, --voxel-batch, --dense-voxels, --dense-values, --image,
    /// --section-lines, --section-scale, --save-recipe, --timings and --unit. CLI11 keeps pointers to the
    /// targets: `this` must not move while the program parses.
    void addTo(Command command);
    /// @throws EngineError for a format that can't be written, for two outputs on standard output, for an
    /// unknown unit, and for array options when no arrays are written
    RunTargets targets(Session& session) const;
};

/// Prints "mesh   mesh.ply, 12 MiB" as text. @returns the file
WrittenFile printWritten(Session& session, const char* kind, const OutputTarget& target);

} // namespace scanloupe::cli
