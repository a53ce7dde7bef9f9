#pragma once
// Declares the export of the run history as CSV and JSON.
#include "gui/models/run_history_model.h"

#include <string>

namespace scanloupe::gui {

/// The runs as CSV, oldest first: the engine's line for each stage, preceded by the run's number and whether
/// it was a preview.
std::string historyCsv(const RunHistoryModel& history);
/// The runs as JSON, oldest first: [{"run": 1, "preview": false, "timings": {...}}, ...].
std::string historyJson(const RunHistoryModel& history);

} // namespace scanloupe::gui
