#pragma once
// Declares which stages create or change the surface, for the stages that depend on it.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <vector>

namespace scanloupe {

/// The last stage that changes the surface.
inline constexpr Stage kLastSurfaceStage = Stage::smooth;

/// Returns the surface of the last stage before `end` that the recipe uses. That stage must have run.
const DeviceOrHost<TriangleMesh>& surfaceOf(const StageRun& run, Stage end = Stage::section);

/// Returns the stages before `end` that create or change the surface: the inputs of a stage that calls
/// surfaceOf().
/// @param when condition under which the calling stage uses its inputs, see TakenStage
std::vector<TakenStage> surfaceStages(StageCondition when = nullptr, Stage end = Stage::section);

/// Returns `others` and all surfaceStages().
std::vector<TakenStage> withSurface(std::vector<TakenStage> others, StageCondition when = nullptr);

/// Whether a stage changes the surface after its extraction.
bool changesSurface(const Recipe& resolved, bool isVolume);

} // namespace scanloupe
