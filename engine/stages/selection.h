#pragma once
// Declares the stage that finds the points that the user has selected.
#include "engine/graph/stage_run.h"

#include <memory>

namespace scanloupe {

struct Snapshot;
struct ChosenPoints;

struct SelectionStage {
    static constexpr Stage stage = Stage::selection;
    using Result = std::shared_ptr<const ChosenPoints>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// @throws the exceptions of EditStage
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& chosen);
    static void show(Snapshot& snapshot, const Result& chosen);
};

} // namespace scanloupe
