// Exports the run history as CSV and JSON.
#include "gui/models/history_export.h"

#include <sstream>

namespace scanloupe::gui {

std::string historyCsv(const RunHistoryModel& history) {
    std::string csv = "run,preview," + toCsv(RunTimings{}); // the header only
    const auto& records = history.records();
    for (auto record = records.rbegin(); record != records.rend(); ++record) {
        std::istringstream lines(toCsv(record->timings));
        std::string line;
        std::getline(lines, line); // the header
        while (std::getline(lines, line))
            csv += std::to_string(record->number) + (record->preview ? ",1," : ",0,") + line + '\n';
    }
    return csv;
}

std::string historyJson(const RunHistoryModel& history) {
    std::string json = "{\"schema\": \"scanloupe/history/1\", \"runs\": [";
    const auto& records = history.records();
    for (auto record = records.rbegin(); record != records.rend(); ++record) {
        json += record == records.rbegin() ? "\n" : ",\n";
        json += "{\"run\": " + std::to_string(record->number) +
                ", \"preview\": " + (record->preview ? "true" : "false") +
                ", \"timings\": " + toJson(record->timings) + '}';
    }
    return json + "\n]}\n";
}

} // namespace scanloupe::gui
