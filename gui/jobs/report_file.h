#pragma once
// Declares reports as files.
#include "engine/inspect/report/inspection_report.h"

#include <filesystem>

namespace scanloupe::gui {

/// Writes a report as .html or .pdf, by the ending. From any thread. @throws EngineError; Cancelled
void writeReport(const std::filesystem::path& target, const InspectionReport& report,
                 const std::stop_token& stop);

} // namespace scanloupe::gui
