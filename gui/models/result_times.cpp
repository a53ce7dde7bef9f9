// Keeps times of stages by the identity of their results.
#include "gui/models/result_times.h"

namespace scanloupe::gui {

namespace {

constexpr std::array kStages{Stage::voxelize, Stage::field, Stage::sculpt,   Stage::shownVoxels,
                             Stage::extract,  Stage::clean, Stage::distances};

} // namespace

void ResultTimes::add(const Snapshot& snapshot) {
    if (snapshot.preview)
        return;
    for (const Stage stage : kStages) {
        Times& times = m_times[std::size_t(stage)];
        std::erase_if(times, [](const auto& entry) { return entry.first.expired(); });
        const ResultIdentity& identity = snapshot.identities[std::size_t(stage)];
        const StageTiming* timing = snapshot.timings.find(declarationOf(stage).name);
        if (!identity || (timing && timing->reused))
            continue;
        if (timing)
            times[identity] = timing->wallMs;
        else
            times.emplace(identity, 0); // a stage that had nothing to do
    }
}

std::optional<double> ResultTimes::of(const Snapshot& snapshot) const {
    double sum = 0;
    for (const Stage stage : kStages) {
        const ResultIdentity& identity = snapshot.identities[std::size_t(stage)];
        if (!identity)
            continue;
        const Times& times = m_times[std::size_t(stage)];
        const auto found = times.find(identity);
        if (found == times.end())
            return std::nullopt;
        sum += found->second;
    }
    return sum;
}

} // namespace scanloupe::gui
