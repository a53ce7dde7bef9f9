// Measures distances on the device if surface and search tree are there, else on the host.
#include "engine/stages/distances.h"

#include "engine/stages/edit.h"
#include "engine/stages/field.h"
#include "engine/stages/placement.h"
#include "engine/stages/surface.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/coinciding_points.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace scanloupe {

namespace {

/// Every `stride`-th point; NaN if it is in no voxel.
Buffer<Vec3f> pointsInVoxels(const HostPoints& points, const VoxelGrid& voxels, std::size_t stride,
                             const std::stop_token& stop) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    auto sample = Buffer<Vec3f>::host(chunkCount(points.size(), stride));
    parallelFor(sample.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample[i] = voxels.pointVoxel[i * stride] == kNoVoxel ? Vec3f{nan, nan, nan} : points[i * stride];
    });
    return sample;
}

/// The largest thickness of the crust that a field wraps around a sheet of points: two voxels, and the radius
/// of its smoothing.
double thickestCrust(const ScalarField& field, float radius) {
    const Vec3f spacing = field.lattice.spacing;
    const bool isSmoothed = field.kind == FieldKind::occupancy || field.kind == FieldKind::density;
    return 2 * double(std::max({spacing.x, spacing.y, spacing.z})) + (isSmoothed ? double(radius) : 0);
}

} // namespace

DeviceOrHost<PointSearch> PointSearchStage::compute(const StageRun& run) {
    const HostPoints& all = *pointsOf(run).host;
    const DeviceOrHost<VoxelGrid>& voxels = run.taken<VoxelizeStage>().grid;
    requireDistanceMemory(run, all.size());
    Buffer<Vec3f> points = pointsInVoxels(all, onHost(run, voxels), 1, run.stop);
    return onDeviceOrHost(run, voxels.onDevice(), [&](const Execution& on) {
        PointSearch search;
        const auto build = [&] {
            search = {}; // its memory is not needed twice
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

VertexDistances DistancesStage::compute(const StageRun& run) {
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    const DeviceOrHost<PointSearch>& search = run.get<PointSearchStage>();
    return orWithoutKept(
        run, executionOf(run, surface.onDevice() && search.onDevice()), [&](const Execution& on) {
            const PointSearch& among = inputFor(run, search, on);
            Buffer<float> values =
                distancesToPoints(inputFor(run, surface, on).positions, among.points, among.tree, on);
            return VertexDistances{std::make_shared<const Buffer<float>>(std::move(values)), on.onDevice()};
        });
}

void DistancesStage::describe(StageTiming& timing, const StageRun&, const Result& distances) {
    timing.backend = distances.measuredOnDevice ? "cuda" : "cpu";
    timing.bytes = distances.values->bytes();
    timing.counts = {{"measured_vertices", distances.values->size()}};
}

MeshTopology TopologyStage::compute(const StageRun& run) {
    return analyseTopology(onHost(run, surfaceOf(run)), run.stop);
}

DeviceOrHost<Bvh> TriangleTreeStage::compute(const StageRun& run) {
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    return onDeviceOrHost(run, surface.onDevice(), [&](const Execution& on) {
        Bvh tree = buildTriangleBvh(inputFor(run, surface, on), on);
        if (on.onDevice())
            on.device->synchronize(); // its time is not counted to the distances
        return tree;
    });
}

namespace {

/// Distances are of every n-th point: n, so that there are at most `mostPoints`; 0 without any points.
std::size_t strideFor(std::size_t points, std::size_t mostPoints) {
    return points > 0 ? chunkCount(points, std::min(points, mostPoints)) : 0;
}

void measureDistances(const StageRun& run, MeshQuality& quality) {
    const HostPoints& all = *pointsOf(run).host;
    const DeviceOrHost<TriangleMesh>& surface = surfaceOf(run);
    const Buffer<Vec3f> points =
        pointsInVoxels(all, onHost(run, run.taken<VoxelizeStage>().grid), quality.stride, run.stop);
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

std::shared_ptr<const MeshQuality> QualityStage::compute(const StageRun& run, std::size_t mostPoints) {
    const std::size_t points = run.isVolume() ? 0 : pointsOf(run).host->size();
    const std::size_t stride = strideFor(points, mostPoints);
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

bool QualityStage::isEnough(const Result& quality, std::size_t mostPoints) {
    return quality->stride <= strideFor(quality->points, mostPoints);
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

} // namespace scanloupe
