#pragma once
// Declares the stage that smooths the surface.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <memory>
#include <string>
#include <vector>

namespace scanloupe {

struct Snapshot;

/// A surface after smoothing.
struct SmoothSurface {
    DeviceOrHost<TriangleMesh> mesh;
    float maxMove = 0; ///< maximum displacement of a vertex, metres
};

struct SmoothStage {
    static constexpr Stage stage = Stage::smooth;
    using Result = std::shared_ptr<const SmoothSurface>;
    static StageDeclaration declaration();
    static bool isWanted(const Recipe& resolved, bool isVolume);
    /// Computes the smooth surface. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& smooth);
    static void show(Snapshot& snapshot, const Result& smooth);
    static void note(RunNotes& notes, const Recipe& resolved, const Result& smooth);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
    static void hold(HeldBytes& held, const Result& smooth);
};

} // namespace scanloupe
