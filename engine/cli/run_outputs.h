#pragma once
// Declares the output files of a run.
#include "engine/cli/output/session.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/output_check.h"
#include "engine/io/writers.h"

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

/// The report entry of an output file that was written.
struct WrittenFile {
    std::string kind, file;
    std::optional<std::uint64_t> bytes; ///< size of the file; none for pipes and devices
};

/// The checked output files of a run, and their formats.
struct RunTargets {
    std::vector<OutputTarget> meshes, voxels;
    std::optional<OutputTarget> dense, image, section, recipe;
    DenseValues denseValues = DenseValues::occupancy;
    double sectionScale = 100;           ///< scale 1:sectionScale on paper, for .svg
    std::optional<OutputTarget> timings; ///< one file for all frames
    ChosenReference reference;           ///< unit and coordinate system, from a project or from --unit
    VoxelArrays arrays;                  ///< options of the voxel arrays in .npz and .npy

    bool isEmpty() const {
        return meshes.empty() && voxels.empty() && !dense && !image && !section && !recipe && !timings;
    }
    /// Registers all files as outputs with `outputs`, which checks them. @throws EngineError
    void check(OutputCheck& outputs) const;
    /// Returns the targets of one frame of several, with the frame's name in every file name: mesh.ply ->
    /// mesh_0001.ply. @throws EngineError for pipes, which can't receive several files
    RunTargets ofFrame(const std::string& frame) const;
    /// Checks that a run that ends with `end` computes what the files need. @throws EngineError
    void requireIn(RunEnd end) const;

    /// Whether only voxels are written, so that no surface is needed.
    bool areVoxelsAlone() const { return (!voxels.empty() || dense) && meshes.empty() && !image && !section; }
    /// Whether `run` should draw the picture itself: a picture is requested and small enough. write() draws
    /// larger pictures in bands.
    bool wantsPicture(const Recipe& run) const;
    /// Writes all files except the timings, and prints their paths. If the run has not drawn the requested
    /// picture, draws it and adds the stages of the drawing to the snapshot's timings.
    /// @throws EngineError; KernelError; Cancelled.
    std::vector<WrittenFile> write(Snapshot& snapshot, Pipeline& pipeline, Session& session) const;

private:
    /// Writes the files of `voxels` and `dense`. Adds a note if means overflow their type.
    std::vector<WrittenFile> writeVoxelFiles(Snapshot& snapshot, Session& session) const;
    WrittenFile writeTable(const OutputTarget& table, Snapshot& snapshot, Session& session) const;
};

/// The options of the output files, as typed.
struct RunOutputs {
    std::vector<std::string> meshes, voxels;
    std::string dense, image, recipe, section, timings;
    double sectionScale = 100;
    std::string unit; ///< empty: the unit in the file or the project
    bool halfMeans = false, batch = false;
    DenseValues denseValues = DenseValues::occupancy;

    /// Adds --mesh, --voxels, --voxel-type, --voxel-batch, --dense-voxels, --dense-values, --image,
    /// --section-lines, --section-scale, --save-recipe, --timings and --unit. CLI11 keeps pointers to the
    /// members, so this object must not move while the program parses.
    void addTo(Command command);
    /// Checks the options and returns the output files. @throws EngineError for an unsupported format, for
    /// two outputs on standard output, for an unknown unit, and for array options when no arrays are written
    RunTargets targets(Session& session) const;
};

/// Prints kind, path and size, such as "mesh   mesh.ply, 12 MiB". @returns the report entry of the file
WrittenFile printWritten(Session& session, const char* kind, const OutputTarget& target);

} // namespace scanloupe::cli
