// Measures distances on the device if surface and search tree are there, else on the host.
#include "engine/stages/distances.h"

#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "engine/stages/surface.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/coinciding_points.h"
#include "kernels/mesh/operators.h"

#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

/// Checks that a search among `points` points fits in memory. @throws HostMemoryShort
void requireSearchMemory(const StageRun& run, std::uint64_t points) {
    RunSize size;
    size.points = double(points);
    requireFit(run, {fmt::format("The search tree of {} points", points),
                     DistancesStage::bytes(size, *run.recipe).peak,
                     "Use another colour mode (--colour-by), or a smaller range (--range)."});
}

} // namespace

Buffer<Vec3f> sampledPoints(const StageRun& run, std::size_t stride) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const HostPoints& points = *pointsOf(run).host;
    const VoxelGrid& voxels = onHost(run, run.taken<VoxelizeStage>().grid);
    auto sample = Buffer<Vec3f>::host(chunkCount(points.size(), stride));
    parallelFor(sample.size(), 1 << 16, run.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample[i] = voxels.pointVoxel[i * stride] == kNoVoxel ? Vec3f{nan, nan, nan} : points[i * stride];
    });
    return sample;
}

StageDeclaration PointSearchStage::declaration() {
    using enum Stage;
    return {.stage = pointSearch,
            .name = "point_search",
            .isWanted = DistancesStage::isWanted,
            .takes = {{upload}, {edit}, {voxelize}}};
}

DeviceOrHost<PointSearch> PointSearchStage::compute(const StageRun& run) {
    requireSearchMemory(run, pointsOf(run).host->size());
    Buffer<Vec3f> points = sampledPoints(run, 1);
    const bool onDevice = run.taken<VoxelizeStage>().grid.onDevice();
    return onDeviceOrHost(run, onDevice, [&](const Execution& on) {
        PointSearch search;
        const auto build = [&] {
            search = {}; // frees the memory of the search tree, which is not needed any more
            if (on.onDevice())
                search.points = points.copyTo(MemorySpace::device, *on.device);
            search.tree = buildPointBvh(on.onDevice() ? search.points : points, on);
        };
        build();
        if (isCrowded(search.tree, on) && leaveOutCoinciding(points.span(), 1, on.stop) > 0)
            build();
        if (!on.onDevice())
            search.points = std::move(points);
        return search;
    });
}

StageDeclaration DistancesStage::declaration() {
    using enum Stage;
    return {.stage = distances,
            .name = "distances",
            .takes = withSurface({{pointSearch}}),
            .label = "Distances",
            .colour = 0x666666};
}

bool DistancesStage::isWanted(const Recipe& resolved, bool isVolume) {
    return !isVolume && colourModeOf(resolved.colourBy).data == ColourData::distances;
}

VertexDistances DistancesStage::compute(const StageRun& run) {
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    WallTimer timer;
    const DeviceOrHost<PointSearch>& search = run.get<PointSearchStage>();
    const double treeMs = timer.elapsedMs();
    timer = {};
    VertexDistances distances = orWithoutKept(
        run, executionOf(run, surface.onDevice() && search.onDevice()), [&](const Execution& on) {
            const PointSearch& among = inputFor(run, search, on);
            Buffer<float> values = distancesToPoints(inputFor(run, surface, on).positions.view(),
                                                     among.points.view(), among.tree, on);
            return VertexDistances{std::make_shared<const Buffer<float>>(std::move(values)), on.onDevice()};
        });
    distances.treeMs = treeMs;
    distances.distancesMs = timer.elapsedMs();
    return distances;
}

void DistancesStage::describe(StageTiming& timing, const StageRun&, const Result& distances) {
    timing.backend = distances.measuredOnDevice ? "cuda" : "cpu";
    timing.bytes = distances.values->bytes();
    timing.counts = {{"measured_vertices", distances.values->size()}};
    if (!timing.reused)
        timing.steps = {{"tree", distances.treeMs}, {"distances", distances.distancesMs}};
}

void DistancesStage::show(Snapshot& snapshot, const Result& distances) {
    snapshot.vertexDistances = distances.values;
}

StageMemory DistancesStage::bytes(const RunSize& size, const Recipe&) {
    const auto points = std::uint64_t(size.points);
    const std::uint64_t bytes =
        Bvh::bytesFor(points) + points * sizeof(Vec3f) + size.extracted.vertices * sizeof(float);
    return {bytes, bytes};
}

StageWork DistancesStage::work(const RunSize& size, const Recipe&) {
    // builds the search tree, then searches once per vertex
    return {"", size.pointsInRange + 4 * double(size.extracted.vertices), 250};
}

} // namespace scanloupe
