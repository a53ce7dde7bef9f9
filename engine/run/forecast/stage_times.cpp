// Learns the times of stages from runs, and sums the times of a run.
#include "engine/run/forecast/stage_times.h"

#include "engine/graph/stage_table.h"
#include "engine/graph/timings.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

StageTimes::StageTimes(const BackendChoice& backend) : m_backend(backend), m_corrections(0.5, 0.1, 1.5) {}

void StageTimes::setBackend(const BackendChoice& backend) {
    m_backend = backend;
    m_ranOn.clear();
}

std::string StageTimes::backendOf(std::string_view stage) const {
    const auto known = m_ranOn.find(stage);
    if (known != m_ranOn.end())
        return known->second;
    const StageDeclaration* of = stageOfRow(stage);
    if (m_backend.backend == Backend::sycl)
        return of && of->bySycl ? "sycl" : "cpu";
    return m_backend.backend == Backend::cuda && !(of && of->onHostAlone) ? "cuda" : "cpu";
}

void StageTimes::learn(const RunTimings& timings, const RunSize& size, const Recipe& resolved) {
    for (const StageTiming& timing : timings.stages) {
        const auto work = workOf(timing.stage, size, resolved);
        if (timing.reused || !work || !(work->units > 0))
            continue;
        m_ranOn[timing.stage] = timing.backend;
        m_corrections.learn(timing.stage + "/" + timing.backend + "/" + work->variant, std::log(work->units),
                            timing.wallMs, work->units * work->nanoseconds * 1e-6);
    }
}

Estimate StageTimes::time(const Recipe& resolved, const RunSize& likely, const RunSize& most,
                          const StaleStages& stale, int& runs) const {
    double sum = 0, sumOfMost = 0, spread = 0;
    runs = -1;
    for (const std::string_view stage : timedRows(stale, resolved)) {
        const auto work = workOf(stage, likely, resolved), workOfMost = workOf(stage, most, resolved);
        if (!work || !workOfMost || !(work->units > 0))
            continue;
        const std::string backend = backendOf(stage);
        const Correction correction =
            m_corrections.at(std::string(stage) + "/" + backend + "/" + work->variant, std::log(work->units));
        // before the first run: time on a GPU of 2024 relative to two CPU cores
        const double start = backend == "cuda" && correction.runs == 0 ? 0.01 : 1;
        const double ms = work->units * work->nanoseconds * 1e-6 * correction.factor * start;
        sum += ms;
        sumOfMost += ms * workOfMost->units / work->units;
        spread += ms * correction.spread;
        runs = runs < 0 ? correction.runs : std::min(runs, correction.runs);
    }
    runs = std::max(runs, 0);
    if (!(sum > 0))
        return {};
    return Estimate::withSpread(sum, std::hypot(spread / sum, std::log(sumOfMost / sum) / 1.64));
}

} // namespace scanloupe
