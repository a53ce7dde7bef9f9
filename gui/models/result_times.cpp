// Stores times of stages by the identity of their results.
#include "gui/models/result_times.h"

#include "engine/graph/stage_table.h"
#include "engine/results/snapshot.h"

#include <ranges>

namespace scanloupe::gui {

namespace {

/// The stages from the voxels to the distances, which make what the views show.
auto timedStages() {
    return stageDeclarations() | std::views::filter([](const StageDeclaration& one) {
               return one.stage >= Stage::voxelize && one.stage <= Stage::distances;
           });
}

} // namespace

void ResultTimes::add(const Snapshot& snapshot) {
    if (snapshot.preview)
        return;
    for (const StageDeclaration& one : timedStages()) {
        const Stage stage = one.stage;
        Times& times = m_times[std::size_t(stage)];
        std::erase_if(times, [](const auto& entry) { return entry.first.expired(); });
        const ResultIdentity& identity = snapshot.identities[std::size_t(stage)];
        const StageTiming* timing = snapshot.timings.find(one.name);
        if (!identity || (timing && timing->reused))
            continue;
        if (timing)
            times[identity] = timing->wallMs;
        else
            times.emplace(identity, 0); // the stage had nothing to do
    }
}

std::optional<double> ResultTimes::of(const Snapshot& snapshot) const {
    double sum = 0;
    for (const StageDeclaration& one : timedStages()) {
        const Stage stage = one.stage;
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
