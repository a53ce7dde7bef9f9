#pragma once
// Declares which stages make the surface, for the stages that take it.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <vector>

namespace scanloupe {

/// The last stage that changes the surface.
inline constexpr Stage kLastSurfaceStage = Stage::smooth;

/// The surface of the last stage before `end` that the recipe wants. It has run before.
const DeviceOrHost<TriangleMesh>& surfaceOf(const StageRun& run, Stage end = Stage::section);

/// The stages before `end` that make or change the surface: a stage that calls surfaceOf() takes them.
/// @param when condition of the stage that takes them, see TakenStage
std::vector<TakenStage> surfaceStages(StageCondition when = nullptr, Stage end = Stage::section);

/// `others` and all surfaceStages().
std::vector<TakenStage> withSurface(std::vector<TakenStage> others, StageCondition when = nullptr);

/// Whether a stage changes the surface after its extraction.
bool changesSurface(const Recipe& resolved, bool isVolume);

} // namespace scanloupe
