// Lists the stages that create or change the surface.
#include "engine/stages/surface.h"

#include "engine/stages/clean.h"
#include "engine/stages/extract.h"
#include "engine/stages/smooth.h"

#include <algorithm>
#include <array>

namespace scanloupe {

namespace {

using Surface = DeviceOrHost<TriangleMesh>;

struct SurfaceStage {
    Stage stage;
    const Surface& (*result)(const StageRun& run);
};

constexpr std::array kSurfaceStages{
    SurfaceStage{Stage::extract,
                 [](const StageRun& run) -> const Surface& { return run.taken<ExtractStage>().mesh; }},
    SurfaceStage{Stage::clean,
                 [](const StageRun& run) -> const Surface& { return run.taken<CleanStage>()->mesh; }},
    SurfaceStage{Stage::smooth,
                 [](const StageRun& run) -> const Surface& { return run.taken<SmoothStage>()->mesh; }},
};
static_assert(kSurfaceStages.front().stage == Stage::extract &&
              kSurfaceStages.back().stage == kLastSurfaceStage);

} // namespace

const Surface& surfaceOf(const StageRun& run, Stage end) {
    const SurfaceStage* last = &kSurfaceStages.front();
    for (const SurfaceStage& one : kSurfaceStages)
        if (one.stage < end && run.wants(one.stage))
            last = &one;
    return last->result(run);
}

std::vector<TakenStage> surfaceStages(StageCondition when, Stage end) {
    std::vector<TakenStage> taken;
    for (const SurfaceStage& one : kSurfaceStages)
        if (one.stage < end)
            taken.push_back({one.stage, when});
    return taken;
}

std::vector<TakenStage> withSurface(std::vector<TakenStage> others, StageCondition when) {
    const std::vector<TakenStage> surface = surfaceStages(when);
    others.insert(others.end(), surface.begin(), surface.end());
    return others;
}

bool changesSurface(const Recipe& resolved, bool isVolume) {
    return std::ranges::any_of(kSurfaceStages, [&](const SurfaceStage& one) {
        return one.stage != Stage::extract && isWanted(one.stage, resolved, isVolume);
    });
}

} // namespace scanloupe
