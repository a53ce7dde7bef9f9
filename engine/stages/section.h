#pragma once
// Declares the stage that computes the lines in which the section intersects the surface.
#include "engine/graph/stage_run.h"
#include "kernels/mesh/section/section_lines.h"

#include <memory>

namespace scanloupe {

struct Snapshot;

struct SectionStage {
    static constexpr Stage stage = Stage::section;
    using Result = std::shared_ptr<const SectionLines>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the lines. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& section);
    static void show(Snapshot& snapshot, const Result& section);
};

} // namespace scanloupe
