#pragma once
// The stage that makes the voxels that the voxel view shows, where they are not those of the points alone.
#include "engine/stages/voxelize.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>

namespace scanloupe {

struct ShownVoxels {
    VoxelizedPoints voxels; ///< of a volume, without attributes
    /// What they were made of, so that the next ones are made of them.
    DeviceOrHost<VoxelGrid> points;
    DeviceOrHost<ScalarField> base;
    EditLayers layers;                    ///< of brushes
    float level = 0;                      ///< iso-value
    bool hasRemoved = false;              ///< some of `points` are not among them
    std::uint64_t added = 0, removed = 0; ///< by the last run
};

/// The voxels with points but for those that brushes have carved away, and those of the surface that brushes
/// have made; of a volume, those that its surface lies in.
struct ShownVoxelsStage {
    static constexpr Stage stage = Stage::shownVoxels;
    using Result = ShownVoxels;
    /// @throws KernelError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& shown);
};

} // namespace scanloupe
