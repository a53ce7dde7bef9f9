#pragma once
// The stage that makes the voxels that the voxel view shows, where they are not those of the points alone.
#include "engine/stages/voxelize.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>

namespace scanloupe {

struct Snapshot;

struct ShownVoxels {
    VoxelizedPoints voxels; ///< for a volume, without attributes
    /// Inputs, for incremental updates.
    DeviceOrHost<VoxelGrid> points;
    DeviceOrHost<ScalarField> base;
    EditLayers layers;                    ///< layers of brushes
    float level = 0;                      ///< iso-value
    bool hasRemoved = false;              ///< some of `points` are not among them
    std::uint64_t added = 0, removed = 0; ///< by the last run
};

/// The voxels with points but for those that brushes have carved away, and those of the surface that brushes
/// have made; of a volume, those that its surface lies in.
struct ShownVoxelsStage {
    static constexpr Stage stage = Stage::shownVoxels;
    using Result = ShownVoxels;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// @throws KernelError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& shown);
    static void show(Snapshot& snapshot, const Result& shown);
    static void hold(HeldBytes& held, const Result& shown);
};

} // namespace scanloupe
