#pragma once
// The stage from the field to the surface.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_memory.h"

#include <memory>

namespace scanloupe {

struct Snapshot;

/// A surface. While a scan is edited by hand, the intermediate results of the extraction are kept on the
/// host, so that the next surface can reuse unchanged parts.
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
    static StageDeclaration declaration();
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& surface);
    static void show(Snapshot& snapshot, const Result& surface);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& surface);
};

} // namespace scanloupe
