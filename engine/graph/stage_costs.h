#pragma once
// Declares the memory and time of a run, as sums over its stages.
#include "engine/graph/run_size.h"
#include "engine/recipe/stage.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace scanloupe {

struct Recipe;
struct StageDeclaration;
struct TimingRow;

/// For each stage, whether it has to run.
using StaleStages = std::array<bool, kStageCount>;
/// Returns the stages that have to run for `next` after a run of `last` (resolved; null: no run yet), for a
/// cloud. An iso-value chosen from the field may be missing; it changes with the field.
StaleStages staleStages(const Recipe* last, const Recipe& next);

/// Returns the peak memory of the stages that run, bytes, on the host or the device.
std::uint64_t runBytes(const RunSize& size, const Recipe& resolved, const StaleStages& stale);

/// Returns the row of the timings with a name, including rows for reading and copies from the device; null if
/// there is none.
const TimingRow* timingRow(std::string_view name);
/// Returns the stage that a row belongs to; null if there is none.
const StageDeclaration* stageOfRow(std::string_view name);

/// Returns the work of a row. @param row name of a row of the timings
/// @returns nullopt if the time of the row is not forecast
std::optional<StageWork> workOf(std::string_view row, const RunSize& size, const Recipe& resolved);

/// Returns the rows of stale stages that a run waits for, among those whose time is forecast.
std::vector<std::string_view> timedRows(const StaleStages& stale, const Recipe& resolved);

} // namespace scanloupe
