// Measures the surface: its topology, and the distances from the points to it. Distances are measured on the
// device if surface and search tree are there, else on the host.
#include "engine/stages/quality.h"

#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/results/kernel_points.h"
#include "engine/stages/distances.h"
#include "engine/stages/edit.h"
#include "engine/stages/field.h"
#include "engine/stages/surface.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/edge_table.h"
#include "kernels/mesh/distance/triangle_search.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Returns the maximum thickness of a crust that a field wraps around a thin layer of points: two voxels plus
/// the smoothing radius of the field.
double thickestCrust(const ScalarField& field, float radius) {
    const Vec3f spacing = field.lattice.spacing;
    const bool isSmoothed = field.kind == FieldKind::occupancy || field.kind == FieldKind::density;
    return 2 * double(std::max({spacing.x, spacing.y, spacing.z})) + (isSmoothed ? double(radius) : 0);
}

/// Checks that the quality measures of a mesh, with the distances of `points` points, fit in memory.
/// @throws HostMemoryShort
void requireQualityMemory(const StageRun& run, const TriangleMesh& mesh, std::uint64_t points) {
    const std::uint64_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    const std::uint64_t topology = EdgeTable::bytesFor(vertices, triangles) + vertices * 5;
    const std::uint64_t distances = points > 0 ? Bvh::bytesFor(triangles) +
                                                     cpu::TriangleSearch::bytesFor(triangles) +
                                                     points * (sizeof(Vec3f) + sizeof(float))
                                               : 0;
    requireFit(run,
               {fmt::format("The quality measures of {} triangles", triangles), std::max(topology, distances),
                "Turn them off (--quality off), or use a larger voxel size (--voxel-size)."});
}

/// Returns the stride n such that every n-th point gives at most `maxPoints` points; 0 without points.
std::size_t strideFor(std::size_t points, std::size_t maxPoints) {
    return points > 0 ? chunkCount(points, std::min(points, maxPoints)) : 0;
}

void measureDistances(const StageRun& run, MeshQuality& quality) {
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    const Buffer<Vec3f> points = sampledPoints(run, quality.stride);
    WallTimer timer;
    const DeviceOrHost<Bvh>& tree = run.get<TriangleTreeStage>();
    quality.treeMs = timer.elapsedMs();
    timer = {};
    quality.distances =
        orWithoutKept(run, executionOf(run, surface.onDevice() && tree.onDevice()), [&](const Execution& on) {
            quality.distancesOnDevice = on.onDevice();
            const Buffer<Vec3f> copy =
                on.onDevice() ? points.copyTo(MemorySpace::device, *on.device) : Buffer<Vec3f>();
            return pointToMesh(on.onDevice() ? copy : points, inputFor(run, surface, on),
                               inputFor(run, tree, on), on);
        });
    quality.distancesMs = timer.elapsedMs();
}

} // namespace

StageDeclaration TopologyStage::declaration() {
    return {.stage = stage, .name = "topology", .takes = surfaceStages()};
}

MeshTopology TopologyStage::compute(const StageRun& run) {
    return analyseTopology(onHost(run, surfaceOf(run)), run.stop);
}

StageDeclaration TriangleTreeStage::declaration() {
    return {.stage = stage, .name = "triangle_tree", .isWanted = ofCloud, .takes = surfaceStages()};
}

DeviceOrHost<Bvh> TriangleTreeStage::compute(const StageRun& run) {
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    return onDeviceOrHost(run, surface.onDevice(), [&](const Execution& on) {
        Bvh tree = buildTriangleBvh(inputFor(run, surface, on), on);
        if (on.onDevice())
            on.device->synchronize(); // the time of the search tree must not count as time of the distances
        return tree;
    });
}

StageDeclaration QualityStage::declaration() {
    using enum Stage;
    return {.stage = quality,
            .name = "quality",
            .reads = {{"quality", nullptr, true}},
            .takes = withSurface({{upload}, {edit}, {voxelize}, {field}, {topology}, {triangleTree}}),
            .isWaitedFor =
                [](const Recipe& resolved, bool isVolume) {
                    return takes(scene, quality, resolved, isVolume); // otherwise the quality is measured
                                                                      // after the run
                },
            .label = "Quality",
            .colour = 0x666666};
}

std::shared_ptr<const MeshQuality> QualityStage::compute(const StageRun& run, std::size_t maxPoints) {
    const std::size_t points = run.isVolume() ? 0 : pointsOf(run).host->size();
    const std::size_t stride = strideFor(points, maxPoints);
    const TriangleMesh& mesh = onHost(run, surfaceOf(run));
    requireQualityMemory(run, mesh, stride > 0 ? chunkCount(points, stride) : 0);
    auto quality = std::make_shared<MeshQuality>();
    quality->vertices = mesh.vertexCount();
    quality->triangles = mesh.triangleCount();
    quality->zeroAreaTriangles = mesh.zeroAreaTriangles;
    const WallTimer timer;
    quality->topology = run.get<TopologyStage>();
    quality->topologyMs = timer.elapsedMs();
    quality->thickestCrust = thickestCrust(*run.taken<FieldStage>().field.operator->(), fieldRadius(run));
    quality->stride = stride;
    quality->points = points;
    if (stride > 0)
        measureDistances(run, *quality);
    return quality;
}

bool QualityStage::isEnough(const Result& quality, std::size_t maxPoints) {
    return quality->stride <= strideFor(quality->points, maxPoints);
}

void QualityStage::describe(StageTiming& timing, const StageRun&, const Result& known) {
    const MeshQuality& quality = *known;
    const MeshTopology& topology = quality.topology;
    timing.backend = quality.distancesOnDevice ? "cuda" : "cpu";
    timing.bytes = quality.distances.values.bytes();
    timing.counts = {{"components", topology.components},
                     {"boundary_edges", topology.boundaryEdges},
                     {"non_manifold_edges", topology.nonManifoldEdges},
                     {"holes", topology.holes()},
                     {"measured_points", quality.distances.stats.count}};
    if (!timing.reused)
        timing.steps = {
            {"topology", quality.topologyMs}, {"tree", quality.treeMs}, {"distances", quality.distancesMs}};
}

StageMemory QualityStage::bytes(const RunSize& size, const Recipe&) {
    const std::uint64_t bytes =
        Bvh::bytesFor(size.extracted.triangles) + std::uint64_t(size.points) * 2 * sizeof(Vec3f);
    return {bytes, bytes};
}

StageWork QualityStage::work(const RunSize& size, const Recipe&) {
    return {"", size.pointsInRange + size.triangles, 1000};
}

} // namespace scanloupe
