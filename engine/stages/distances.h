#pragma once
// The stages that measure distances between surface and points, and the quality of the surface.
#include "engine/results/device_or_host.h"
#include "engine/results/quality.h"
#include "engine/stages/stage_run.h"
#include "kernels/mesh/distance/bvh.h"

#include <memory>

namespace scanloupe {

/// The points in range, and a search tree over them.
struct PointSearch {
    Buffer<Vec3f> points; ///< [N, 3]; NaN for points out of range, and those that coincide with others
    Bvh tree;

    std::uint64_t bytes() const { return points.bytes() + tree.bytes(); }
    PointSearch download(StreamView stream) const {
        return {points.copyTo(MemorySpace::host, stream), tree.download(stream)};
    }
};

struct PointSearchStage {
    static constexpr Stage stage = Stage::pointSearch;
    using Result = DeviceOrHost<PointSearch>;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run);
};

/// Distances from the surface's vertices to the nearest point in range.
struct VertexDistances {
    std::shared_ptr<const Buffer<float>> values; ///< [M] metres, on the host
    bool measuredOnDevice = false;
};

struct DistancesStage {
    static constexpr Stage stage = Stage::distances;
    using Result = VertexDistances;
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& distances);
};

struct TopologyStage {
    static constexpr Stage stage = Stage::topology;
    using Result = MeshTopology;
    static Result compute(const StageRun& run);
};

/// A search tree over the triangles of the surface.
struct TriangleTreeStage {
    static constexpr Stage stage = Stage::triangleTree;
    using Result = DeviceOrHost<Bvh>;
    static Result compute(const StageRun& run);
};

/// Quality of the surface, with distances of every n-th point, at most `mostPoints`.
struct QualityStage {
    static constexpr Stage stage = Stage::quality;
    using Result = std::shared_ptr<const MeshQuality>;
    /// @throws EngineError when memory is too small
    static Result compute(const StageRun& run, std::size_t mostPoints);
    static bool isEnough(const Result& quality, std::size_t mostPoints);
    static void describe(StageTiming& timing, const StageRun& run, const Result& quality);
};

} // namespace scanloupe
