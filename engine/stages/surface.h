#pragma once
// The stages from the field to the surface, and its clean-up.
#include "engine/results/device_or_host.h"
#include "engine/results/quality.h"
#include "engine/stages/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/section/section_lines.h"

#include <memory>

namespace scanloupe {

struct ExtractStage {
    static constexpr Stage stage = Stage::extract;
    using Result = DeviceOrHost<TriangleMesh>;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& mesh);
};

/// A surface after clean-up.
struct CleanSurface {
    DeviceOrHost<TriangleMesh> mesh; ///< the input mesh itself if nothing was removed
    CleanUp counts;
};

struct CleanStage {
    static constexpr Stage stage = Stage::clean;
    using Result = std::shared_ptr<const CleanSurface>;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& clean);
};

struct SectionStage {
    static constexpr Stage stage = Stage::section;
    using Result = std::shared_ptr<const SectionLines>;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& section);
};

/// The surface after clean-up, if the recipe wants any. It has run before.
const DeviceOrHost<TriangleMesh>& surfaceOf(const StageRun& run);

} // namespace scanloupe
