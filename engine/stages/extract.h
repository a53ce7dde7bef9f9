#pragma once
// Declares the stage that extracts the surface from the field.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/surface_memory.h"

#include <memory>

namespace scanloupe {

struct Snapshot;

/// An extracted surface. While the user edits a scan, the host keeps the intermediate results of the
/// extraction, so that the next surface can reuse unchanged parts.
struct ExtractedSurface {
    DeviceOrHost<TriangleMesh> mesh;
    std::shared_ptr<const cpu::SurfaceTrace> trace = {}; ///< intermediate results; null: none are kept
    std::weak_ptr<const void> field = {}; ///< identity of the field that the surface was extracted from; set
                                          ///< with a trace
    float iso = 0;                        ///< iso-value of the surface
    std::weak_ptr<const void> lastMesh = {}; ///< identity of the previous mesh, with which the trace shares
                                             ///< parts
};

struct ExtractStage {
    static constexpr Stage stage = Stage::extract;
    using Result = ExtractedSurface;
    static StageDeclaration declaration();
    /// Extracts the surface. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& surface);
    static void show(Snapshot& snapshot, const Result& surface);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& surface);
};

} // namespace scanloupe
