#pragma once
// Declares the sizes of what a run reads and makes, and what follows from them: memory, and work of stages.
#include "engine/compute/stage_memory.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/stage.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe {

struct Snapshot;

/// Numbers of what a run reads and makes.
struct RunSize {
    double points = 0, pointsInRange = 0;
    double voxels = 0, bricks = 0;
    MeshSize extracted;           ///< before clean-up
    bool extractedBySycl = false; ///< on a processor
    double triangles = 0;         ///< after clean-up
    AttributeCounts attributes;
};
/// Those of a run; of a cloud, not of a volume.
RunSize runSizeOf(const Snapshot& snapshot);

/// The stages that have to run.
using StaleStages = std::array<bool, kStageCount>;
/// Those of `next` after a run of `last` (resolved; null: no run yet), for a cloud. An iso-value that follows
/// from the field may be without a value: it changes with the field.
StaleStages staleStages(const Recipe* last, const Recipe& next);

/// Peak memory of the stages that run, on the host or the device, wherever they run.
std::uint64_t runBytes(const RunSize& size, const Recipe& resolved, const StaleStages& stale);

/// What a stage has to do, in units of about the same duration.
struct StageWork {
    std::string variant; ///< stages of other variants take other times a unit; may be empty
    double units = 0;
    double nanoseconds = 0; ///< a unit, on two cores of 2023 (EPYC), before anything was learned
};
/// @param stage the name of a row of the timings
/// @returns no value for a stage whose time is not forecast
std::optional<StageWork> workOf(std::string_view stage, const RunSize& size, const Recipe& resolved);

/// The rows of the timings that stale stages make.
std::vector<std::string_view> timedStages(const StaleStages& stale, const Recipe& resolved);

} // namespace scanloupe
