// Runs the stages on an extracted surface: clean-up, distances to the points, and quality.
#include "engine/pipeline/chain.h"
#include "engine/pipeline/colouring.h"
#include "engine/pipeline/forecast.h"
#include "engine/pipeline/memoized.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/mesh_cleanup.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace scanloupe {

namespace {

/// Every `stride`-th point; NaN if it is in no voxel.
Buffer<Vec3f> pointsInVoxels(const KernelPoints& points, const VoxelGrid& voxels, std::size_t stride,
                             const std::stop_token& stop) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    auto sample = Buffer<Vec3f>::host(chunkCount(points.positions.size(), stride));
    parallelFor(sample.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            sample[i] = voxels.pointVoxel[i * stride] == kNoVoxel ? Vec3f{nan, nan, nan}
                                                                  : points.positions[i * stride];
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

/// The cached value if its key is `key`, else the result of `make`, which is then cached.
template <class Key, class T, class Make>
const T& kept(Memo<Key, std::shared_ptr<const T>>& memo, const std::type_identity_t<Key>& key, Make&& make) {
    if (!memo.value || memo.key != key) {
        memo.value = std::make_shared<const T>(make());
        memo.key = key;
    }
    return *memo.value;
}

} // namespace

std::shared_ptr<const CleanSurface> Chain::computeClean(const RunContext& run, const CleanKey& key) {
    const TriangleMesh& given = onHost(run, key.mesh);
    requireCleanMemory(run, given);
    auto surface = std::make_shared<CleanSurface>();
    surface->mesh = key.mesh;
    CleanUp& counts = surface->counts;
    counts.verticesBefore = given.vertexCount();
    counts.trianglesBefore = given.triangleCount();
    if (key.minTriangles > 0) {
        FilteredMesh sifted = cpu::removeSmallComponents(given, key.minTriangles, run.stop);
        counts.removedComponents = sifted.removedComponents;
        counts.removedTriangles = sifted.removedTriangles;
        counts.removeMs = sifted.mesh.cost.wallMs;
        surface->mesh = DeviceOrHost(std::move(sifted.mesh));
    }
    const std::uint64_t triangles = surface->mesh->triangleCount();
    if (key.decimateTo > 0 && triangles > key.decimateTo) {
        DecimatedMesh decimated = cpu::decimate(surface->mesh.host(), key.decimateTo, run.stop);
        counts.mergedTriangles = triangles - decimated.mesh.triangleCount();
        counts.partedEdges = decimated.partedEdges;
        counts.branchingBefore = decimated.branchingBefore;
        counts.cellSize = decimated.cellSize;
        counts.reachedTarget = decimated.reachedTarget;
        counts.decimateMs = decimated.mesh.cost.wallMs;
        surface->mesh = DeviceOrHost(std::move(decimated.mesh));
    }
    return surface;
}

std::shared_ptr<const CleanSurface> Chain::clean(const RunContext& run) {
    const Recipe& recipe = *run.recipe;
    if (recipe.minComponentTriangles == 0 && recipe.decimateTo == 0) {
        m_clean = {};
        return nullptr;
    }
    // the number of triangles of a part falls with the square of the voxel size
    const double fewer = m_coarsening * m_coarsening;
    const CleanKey key{m_mesh.value, std::uint64_t(std::ceil(double(recipe.minComponentTriangles) / fewer)),
                       recipe.decimateTo};
    const auto surface = memoized(
        run, "clean", m_clean, key, [&] { return computeClean(run, key); },
        [&](StageTiming& timing, const std::shared_ptr<const CleanSurface>& clean) {
            const CleanUp& counts = clean->counts;
            timing.bytes = clean->mesh == key.mesh ? 0 : clean->mesh->bytes();
            timing.counts = {{"vertices", clean->mesh->vertexCount()},
                             {"triangles", clean->mesh->triangleCount()},
                             {"zero_area_triangles", clean->mesh->zeroAreaTriangles},
                             {"removed_parts", counts.removedComponents},
                             {"removed_triangles", counts.removedTriangles},
                             {"merged_triangles", counts.mergedTriangles},
                             {"parted_edges", counts.partedEdges}};
            if (!timing.reused)
                timing.steps = {{"remove", counts.removeMs}, {"decimate", counts.decimateMs}};
        });
    m_surface = surface->mesh;
    return surface;
}

std::shared_ptr<const Buffer<float>> Chain::vertexDistances(const RunContext& run) {
    if (!run.cloud || run.recipe->colourBy != kPointDistance) {
        m_pointSearch = {};
        m_vertexDistances = {};
        return nullptr;
    }
    const auto compute = [&] {
        requireDistanceMemory(run, m_upload.value->positions.size());
        const VoxelGrid& voxels = onHost(run, m_voxels.value);
        const auto points = [&] { return pointsInVoxels(*m_upload.value, voxels, 1, run.stop); };
        if (m_surface.onDevice()) {
            try {
                const PointSearch& search = kept(m_pointSearch, {m_voxels.value, true}, [&] {
                    PointSearch made{points().copyTo(MemorySpace::device, *run.stream), {}};
                    made.tree = cuda::buildPointBvh(made.points, run.stop, *run.stream);
                    return made;
                });
                return std::make_shared<const Buffer<float>>(cuda::distancesToPoints(
                    m_surface.device().positions, search.points, search.tree, run.stop, *run.stream));
            } catch (const DeviceMemoryShort&) {
                m_pointSearch = {}; // falls back to the host
            }
        }
        const PointSearch& search = kept(m_pointSearch, {m_voxels.value, false}, [&] {
            PointSearch made{points(), {}};
            made.tree = cpu::buildPointBvh(made.points.span(), run.stop);
            return made;
        });
        return std::make_shared<const Buffer<float>>(cpu::distancesToPoints(
            onHost(run, m_surface).positions.span(), search.points.span(), search.tree, run.stop));
    };
    return memoized(run, "distances", m_vertexDistances, DistanceKey{m_surface, m_voxels.value}, compute,
                    [&](StageTiming& timing, const std::shared_ptr<const Buffer<float>>& distances) {
                        timing.backend = m_pointSearch.key->second ? "cuda" : "cpu";
                        timing.bytes = distances->bytes();
                        timing.counts = {{"measured_vertices", distances->size()}};
                    });
}

std::shared_ptr<const MeshQuality> Chain::computeQuality(const RunContext& run, const Snapshot& of,
                                                         std::size_t stride) {
    const TriangleMesh& mesh = onHost(run, of.mesh);
    requireQualityMemory(run, mesh, stride > 0 ? chunkCount(of.points->positions.size(), stride) : 0);
    auto quality = std::make_shared<MeshQuality>();
    quality->vertices = mesh.vertexCount();
    quality->triangles = mesh.triangleCount();
    quality->zeroAreaTriangles = mesh.zeroAreaTriangles;
    WallTimer timer;
    quality->topology = kept(m_topology, of.mesh, [&] { return analyseTopology(mesh, run.stop); });
    quality->topologyMs = timer.elapsedMs();
    quality->thickestCrust = thickestCrust(*of.field.operator->(), m_field.key ? m_field.key->radius : 0);
    if (stride == 0)
        return quality;
    quality->stride = stride;
    quality->points = of.points->positions.size();
    Buffer<Vec3f> points = pointsInVoxels(*of.points, onHost(run, of.voxels), stride, run.stop);
    if (of.mesh.onDevice()) {
        try {
            const TriangleMesh& there = of.mesh.device();
            timer = {};
            const Bvh& tree = kept(m_triangleTree, {of.mesh, true},
                                   [&] { return cuda::buildTriangleBvh(there, run.stop, *run.stream); });
            run.stream->view().synchronize();
            quality->treeMs = timer.elapsedMs();
            timer = {};
            const auto onDevice = points.copyTo(MemorySpace::device, *run.stream);
            quality->distances = cuda::pointToMesh(onDevice, there, tree, run.stop, *run.stream);
            quality->distancesMs = timer.elapsedMs();
            quality->distancesOnDevice = true;
            return quality;
        } catch (const DeviceMemoryShort&) {
            m_triangleTree = {}; // falls back to the host
        }
    }
    timer = {};
    const Bvh& tree =
        kept(m_triangleTree, {of.mesh, false}, [&] { return cpu::buildTriangleBvh(mesh, run.stop); });
    quality->treeMs = timer.elapsedMs();
    timer = {};
    quality->distances = cpu::pointToMesh(points.span(), mesh, tree, run.stop);
    quality->distancesMs = timer.elapsedMs();
    return quality;
}

std::shared_ptr<const MeshQuality> Chain::knownQuality(const Snapshot& of) const {
    return m_quality.key == DistanceKey{of.mesh, of.voxels} ? m_quality.value : nullptr;
}

std::shared_ptr<const MeshQuality> Chain::quality(const RunContext& run, const Snapshot& of,
                                                  std::size_t mostPoints) {
    const DistanceKey key{of.mesh, of.voxels};
    const std::size_t points = of.points ? of.points->positions.size() : 0;
    const std::size_t stride = points > 0 ? chunkCount(points, std::min(points, mostPoints)) : 0;
    if (m_quality.value && m_quality.value->stride > stride)
        m_quality = {}; // more points are wanted than were measured
    return memoized(
        run, "quality", m_quality, key, [&] { return computeQuality(run, of, stride); },
        [](StageTiming& timing, const std::shared_ptr<const MeshQuality>& known) {
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
                timing.steps = {{"topology", quality.topologyMs},
                                {"tree", quality.treeMs},
                                {"distances", quality.distancesMs}};
        });
}

} // namespace scanloupe
