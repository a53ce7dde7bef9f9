#pragma once
#include "gui/models/run_history_model.h"

#include <string>

namespace scanloupe::gui {

/// The runs, oldest first, as the engine's lines of a stage each, led by the run's number and whether it was
/// a preview.
std::string historyCsv(const RunHistoryModel& history);
/// The runs, oldest first: [{"run": 1, "preview": false, "timings": {...}}, ...].
std::string historyJson(const RunHistoryModel& history);

} // namespace scanloupe::gui
