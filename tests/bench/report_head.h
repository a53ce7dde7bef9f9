#pragma once
// The head of every benchmark report: machine and date of the measurement.
#include "engine/compute/build_info.h"
#include "kernels/core/device.h"

#include <ctime>
#include <nlohmann/json.hpp>

namespace scanloupe::bench {

/// A report with this build's commit and the current date. `Report` has the members device, commit and date.
template <class Report>
Report reportFromNow(const DeviceInfo& device) {
    Report report;
    report.device = device;
    report.commit = buildInfo().commit;
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    report.date = text;
    return report;
}

/// The head of a report as JSON, followed by the members of `more`, without rows.
template <class Report>
nlohmann::ordered_json reportHead(const Report& report, const nlohmann::ordered_json& more) {
    nlohmann::ordered_json json{{"gpu", report.device.name},
                                {"multiprocessors", report.device.multiprocessors},
                                {"driver", report.device.driverVersion},
                                {"runtime", report.device.runtimeVersion},
                                {"commit", report.commit},
                                {"date", report.date}};
    json.update(more);
    json["rows"] = nlohmann::ordered_json::array();
    json["left_out"] = report.leftOut;
    return json;
}

} // namespace scanloupe::bench
