// Collects timings, and writes them as JSON and CSV.
#include "engine/graph/timings.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe {

const StageTiming* RunTimings::find(const std::string& stage) const {
    const auto found =
        std::find_if(stages.begin(), stages.end(), [&](const StageTiming& t) { return t.stage == stage; });
    return found == stages.end() ? nullptr : &*found;
}

std::uint64_t RunTimings::count(const std::string& name) const {
    std::uint64_t found = 0;
    for (const StageTiming& timing : stages) {
        for (const auto& [key, value] : timing.counts) {
            if (key == name)
                found = value;
        }
    }
    return found;
}

void noteDownload(RunTimings& timings, double wallMs, std::uint64_t bytes) {
    constexpr const char* stage = "download";
    if (!timings.find(stage))
        timings.stages.push_back({stage, "cuda", false, 0, 0, 0, {}, {}});
    for (StageTiming& timing : timings.stages) {
        if (timing.stage == stage) {
            timing.wallMs += wallMs;
            timing.bytes += bytes;
        }
    }
}

double downloadMs(const RunTimings& timings) {
    const StageTiming* timing = timings.find("download");
    return timing ? timing->wallMs : 0;
}

std::string toJson(const RunTimings& timings, int indent) {
    using Json = nlohmann::ordered_json;
    Json json{{"total_ms", timings.totalMs}, {"stages", Json::object()}};
    for (const StageTiming& timing : timings.stages) {
        Json stage{{"backend", timing.backend},    {"reused", timing.reused}, {"wall_ms", timing.wallMs},
                   {"device_ms", timing.deviceMs}, {"bytes", timing.bytes},   {"counts", Json::object()}};
        for (const auto& [name, value] : timing.counts) {
            stage["counts"][name] = value;
            json[name] = value;
        }
        for (const auto& [name, ms] : timing.steps)
            stage["steps_ms"][name] = ms;
        if (!timing.method.empty())
            stage["method"] = timing.method;
        if (!timing.why.empty())
            stage["why"] = timing.why;
        json["stages"][timing.stage] = std::move(stage);
    }
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string toCsv(const RunTimings& timings) {
    std::string csv = "stage,backend,reused,wall_ms,device_ms,bytes\n";
    for (const StageTiming& t : timings.stages)
        csv += fmt::format("{},{},{},{:.3f},{:.3f},{}\n", t.stage, t.backend, t.reused ? 1 : 0, t.wallMs,
                           t.deviceMs, t.bytes);
    return csv;
}

} // namespace scanloupe
