#pragma once
// Declares the stage that voxelizes points.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/stages/edit.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <memory>

namespace scanloupe {

struct Snapshot;
class VoxelAttributes;

struct VoxelizedPoints {
    DeviceOrHost<VoxelGrid> grid; ///< the voxels without features, because VoxelAttributes computes the means
                                  ///< of attributes
    std::shared_ptr<const VoxelAttributes> attributes;
    PointPlaces places = {}; ///< positions of the points that were voxelized with `params`
    VoxelizeParams params = {};
};

struct VoxelizeStage {
    static constexpr Stage stage = Stage::voxelize;
    using Result = VoxelizedPoints;
    static StageDeclaration declaration();
    /// Voxelizes the points. If no point is in range, there are no voxels. @throws EngineError if the memory
    /// is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& voxels);
    static void show(Snapshot& snapshot, const Result& voxels);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& voxels);
};

/// Checks that a surface can be extracted from the voxels. VoxelizeStage must have run.
/// @throws EngineError if no point is in range, or if all points are in one voxel; NoPointsLeft
void requireSurface(const StageRun& run);

} // namespace scanloupe
