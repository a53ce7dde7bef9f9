#pragma once
// Declares the stage that cleans up the surface: it removes small parts and reduces the number of triangles.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/results/quality.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

struct Snapshot;

/// A surface after clean-up.
struct CleanSurface {
    DeviceOrHost<TriangleMesh> mesh; ///< the input mesh itself if nothing was removed
    CleanUp counts;
};

struct CleanStage {
    static constexpr Stage stage = Stage::clean;
    using Result = std::shared_ptr<const CleanSurface>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the cleaned surface. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& clean);
    static void show(Snapshot& snapshot, const Result& clean);
    static void note(RunNotes& notes, const Recipe& resolved, const Result& clean);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& clean);
};

} // namespace scanloupe
