#pragma once
// The stages from the field to the surface, and its clean-up.
#include "engine/results/device_or_host.h"
#include "engine/results/quality.h"
#include "engine/stages/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_memory.h"
#include "kernels/mesh/section/section_lines.h"

#include <memory>

namespace scanloupe {

/// A surface. While a scan is edited by hand, the host keeps what it was extracted from, so that the next one
/// takes over what stays.
struct ExtractedSurface {
    DeviceOrHost<TriangleMesh> mesh;
    std::shared_ptr<const cpu::SurfaceTrace> trace = {}; ///< null: nothing is kept
    std::weak_ptr<const void> field = {}; ///< with a trace: identity of the field that it was extracted from
    float iso = 0;                        ///< at this value
    std::weak_ptr<const void> lastMesh = {}; ///< identity of the mesh that the trace shares parts with
};

struct ExtractStage {
    static constexpr Stage stage = Stage::extract;
    using Result = ExtractedSurface;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& surface);
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
