#pragma once
// The stages that measure the quality of the surface.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "engine/results/quality.h"
#include "kernels/mesh/distance/bvh.h"

#include <memory>

namespace scanloupe {

struct TopologyStage {
    static constexpr Stage stage = Stage::topology;
    using Result = MeshTopology;
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
};

/// Builds a search tree over the triangles of the surface.
struct TriangleTreeStage {
    static constexpr Stage stage = Stage::triangleTree;
    using Result = DeviceOrHost<Bvh>;
    static StageDeclaration declaration();
    static Result compute(const StageRun& run);
};

/// Measures the quality of the surface, with distances at every n-th point.
struct QualityStage {
    static constexpr Stage stage = Stage::quality;
    using Result = std::shared_ptr<const MeshQuality>;
    static StageDeclaration declaration();
    /// Measures the quality. @param maxPoints maximum number of points for distances
    /// @throws EngineError if the memory is too small
    static Result compute(const StageRun& run, std::size_t maxPoints);
    static bool isEnough(const Result& quality, std::size_t maxPoints);
    static void describe(StageTiming& timing, const StageRun& run, const Result& quality);
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

} // namespace scanloupe
