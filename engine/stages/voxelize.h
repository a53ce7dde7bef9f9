#pragma once
// The stage from points to voxels.
#include "engine/results/voxel_attributes.h"
#include "engine/stages/edit.h"
#include "engine/stages/stage_run.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <memory>

namespace scanloupe {

struct VoxelizedPoints {
    DeviceOrHost<VoxelGrid> grid; ///< without features: means of attributes are VoxelAttributes
    std::shared_ptr<const VoxelAttributes> attributes;
    PointPlaces places = {}; ///< that were voxelized with `params`
    VoxelizeParams params = {};
};

struct VoxelizeStage {
    static constexpr Stage stage = Stage::voxelize;
    using Result = VoxelizedPoints;
    /// @throws EngineError when no point is in range, when all are in one voxel, or when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& voxels);
};

} // namespace scanloupe
