#pragma once
// The stage from points to voxels.
#include "engine/results/device_or_host.h"
#include "engine/stages/stage_run.h"
#include "kernels/voxelize/core/voxel_grid.h"

namespace scanloupe {

struct VoxelizeStage {
    static constexpr Stage stage = Stage::voxelize;
    using Result = DeviceOrHost<VoxelGrid>;
    /// @throws EngineError when no point is in range, when all are in one voxel, or when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& voxels);
};

} // namespace scanloupe
