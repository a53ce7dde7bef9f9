#pragma once
// The stage from points to voxels.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/stages/edit.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <memory>

namespace scanloupe {

struct Snapshot;
class VoxelAttributes;

struct VoxelizedPoints {
    DeviceOrHost<VoxelGrid> grid; ///< without features: means of attributes are VoxelAttributes
    std::shared_ptr<const VoxelAttributes> attributes;
    PointPlaces places = {}; ///< points that were voxelized with `params`
    VoxelizeParams params = {};
};

struct VoxelizeStage {
    static constexpr Stage stage = Stage::voxelize;
    using Result = VoxelizedPoints;
    static StageDeclaration declaration();
    /// Without points in range, there are no voxels. @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& voxels);
    static void show(Snapshot& snapshot, const Result& voxels);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& voxels);
};

/// Rejects voxels that no surface can be made of. They have been made before.
/// @throws EngineError when no point is in range, or when all are in one voxel; NoPointsLeft
void requireSurface(const StageRun& run);

} // namespace scanloupe
