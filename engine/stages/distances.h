#pragma once
// The stages that measure distances from the surface to the points.
#include "engine/compute/device_or_host.h"
#include "engine/graph/stage_run.h"
#include "kernels/mesh/distance/bvh.h"

#include <memory>

namespace scanloupe {

struct Snapshot;

/// The points in range, and a search tree over them.
struct PointSearch {
    Buffer<Vec3f> points; ///< [N]; NaN for points out of range, and for points that coincide with another
                          ///< point
    Bvh tree;

    std::uint64_t bytes() const { return points.bytes() + tree.bytes(); }
    PointSearch download(StreamView stream) const {
        return {points.copyTo(MemorySpace::host, stream), tree.download(stream)};
    }
};

struct PointSearchStage {
    static constexpr Stage stage = Stage::pointSearch;
    using Result = DeviceOrHost<PointSearch>;
    static StageDeclaration declaration();
    /// Computes the search tree. @throws EngineError if the memory is too small
    static Result compute(const StageRun& run);
};

/// Distances from the surface's vertices to the nearest point in range.
struct VertexDistances {
    std::shared_ptr<const Buffer<float>> values; ///< [M] metres, on the host
    bool measuredOnDevice = false;
    double treeMs = 0, distancesMs = 0; ///< wall times; treeMs is near 0 if the tree was reused
};

struct DistancesStage {
    static constexpr Stage stage = Stage::distances;
    using Result = VertexDistances;
    static StageDeclaration declaration();
    /// Whether colours show distances.
    static bool isWanted(const Recipe& resolved, bool isVolume);
    static Result compute(const StageRun& run);
    static void describe(StageTiming& timing, const StageRun& run, const Result& distances);
    static void show(Snapshot& snapshot, const Result& distances);
    /// Includes the memory of the search tree.
    static StageMemory bytes(const RunSize& size, const Recipe& resolved);
    static StageWork work(const RunSize& size, const Recipe& resolved);
};

/// Returns every `stride`-th point of this run; NaN for points outside all voxels. VoxelizeStage must have
/// run.
Buffer<Vec3f> sampledPoints(const StageRun& run, std::size_t stride);

} // namespace scanloupe
