#pragma once
// Declares the stage that computes the voxels of the voxel view, if they differ from the voxels of the
// points.
#include "engine/stages/voxelize.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>

namespace scanloupe {

struct Snapshot;

struct ShownVoxels {
    VoxelizedPoints voxels; ///< for a volume, the voxels have no attributes
    /// Inputs of this result, for incremental updates.
    DeviceOrHost<VoxelGrid> points;
    DeviceOrHost<ScalarField> base;
    EditLayers layers;                    ///< layers of brush strokes
    float level = 0;                      ///< iso-value of the surface
    bool hasRemoved = false;              ///< some of `points` are not in `voxels`
    std::uint64_t added = 0, removed = 0; ///< numbers of voxels that the last run has added and removed
};

/// Computes the voxels to show. For a scan: the voxels with points, except those that brushes have carved
/// away, and the voxels of the surface that brushes have created. For a volume: the voxels that contain its
/// surface.
struct ShownVoxelsStage {
    static constexpr Stage stage = Stage::shownVoxels;
    using Result = ShownVoxels;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the voxels. @throws KernelError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& shown);
    static void show(Snapshot& snapshot, const Result& shown);
    static void hold(HeldBytes& held, const Result& shown);
};

} // namespace scanloupe
