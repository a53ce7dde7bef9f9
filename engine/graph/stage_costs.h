#pragma once
// Declares memory and time of a run, as the sums of what its stages declare.
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

/// The stages that have to run.
using StaleStages = std::array<bool, kStageCount>;
/// Those of `next` after a run of `last` (resolved; null: no run yet), for a cloud. An iso-value that follows
/// from the field may be without a value: it changes with the field.
StaleStages staleStages(const Recipe* last, const Recipe& next);

/// Peak memory of the stages that run, on the host or the device, wherever they run.
std::uint64_t runBytes(const RunSize& size, const Recipe& resolved, const StaleStages& stale);

/// The row of the timings of a name; null for none. Rows of reading and of copies from the device, too.
const TimingRow* timingRow(std::string_view name);
/// The stage that makes a row; null for none.
const StageDeclaration* stageOfRow(std::string_view name);

/// @param row the name of a row of the timings
/// @returns no value for a row whose time is not forecast
std::optional<StageWork> workOf(std::string_view row, const RunSize& size, const Recipe& resolved);

/// The rows of the timings that stale stages make and a run waits for, of those whose time is forecast.
std::vector<std::string_view> timedRows(const StaleStages& stale, const Recipe& resolved);

} // namespace scanloupe
