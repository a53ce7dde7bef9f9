// Allocates the device memory of a frame, and fills in the arguments of its kernels.
#include "kernels/raster/clusters/cuda_cluster_stages.cuh"
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/points/cuda_point_stages.cuh"
#include "kernels/raster/triangles/cuda_triangle_stages.cuh"
#include "kernels/raster/voxels/cuda_voxel_stages.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

constexpr std::size_t kMapColours = 256;

bool liesSomewhere(const VoxelGrid& grid) {
    return isFinite(grid.shape.origin) && isFinite(grid.shape.voxelSize);
}

template <class T>
void requireDevice(const Buffer<T>& buffer) {
    if (!buffer.empty() && buffer.space() != MemorySpace::device)
        throw Fault("the device was asked to draw what lies on the host");
}

void requireBatches(const PointBatches& batches, std::span<const Vec3f> points) {
    const std::size_t count = points.size(), blocks = batchesOf(count);
    if (batches.of != points.data() || batches.points != count)
        throw Fault("the batches are of another cloud than the scene's");
    const auto has = [](const auto& buffer, std::size_t size) { return buffer.size() == size; };
    const bool given = batches.ordered.empty() && batches.indices.empty();
    if (!has(batches.batches, blocks) || !has(batches.groups, blocks * kBatchGroups) ||
        !(given || (has(batches.ordered, count) && has(batches.indices, count))))
        throw Fault("the batches are not whole");
    requireDevice(batches.batches);
    requireDevice(batches.groups);
    requireDevice(batches.ordered);
    requireDevice(batches.indices);
}

/// Returns the arguments for drawing batches. @param work its view and points must be set
BatchWork batchWork(const PointBatches& batches, const RasterWork& work, const RasterTuning& tuning,
                    std::uint32_t* order) {
    const RasterView& view = work.scene.view;
    BatchWork b{};
    b.batches = batches.batches.data();
    b.groups = batches.groups.data();
    b.points = batches.ordered.empty() ? work.points : batches.ordered.data();
    b.indices = batches.indices.empty() ? nullptr : batches.indices.data();
    b.count = static_cast<std::uint32_t>(batches.batches.size());
    b.whole = batches.batches.size() >= tuning.wholeBatches;
    b.order = order;
    // depth range of the bounding box of all points
    const Vec3f half = (batches.high - batches.low) * 0.5f, middle = fromEye(view, batches.low + half);
    const float depth = dot(view.forward, middle), reach = std::fabs(view.forward.x) * half.x +
                                                           std::fabs(view.forward.y) * half.y +
                                                           std::fabs(view.forward.z) * half.z;
    b.nearest = std::bit_cast<std::uint32_t>(std::fmax(depth - reach, view.nearPlane));
    const auto farthest = std::bit_cast<std::uint32_t>(std::fmax(depth + reach, view.nearPlane));
    b.rangesPerBit = static_cast<float>(kDepthRanges) / static_cast<float>(farthest - b.nearest + 1);
    return b;
}

template <class T>
void make(Buffer<T>& buffer, std::size_t size, StreamView stream) {
    buffer = Buffer<T>::in(MemorySpace::device, size, stream);
}

} // namespace

RasterSpace::RasterSpace(const RasterScene& scene, std::size_t pixels, StreamView stream) {
    requireDrawable(scene);
    make(m_counts, 1, stream);
    make(m_maps, 3 * kMapColours, stream);
    if (averagesPoints(scene))
        make(m_sums, pixels, stream);
    if (scene.mesh) {
        requireDevice(scene.mesh->positions);
        requireDevice(scene.mesh->normals);
        requireDevice(scene.mesh->indices);
    }
    if (scene.mesh && scene.clusters) {
        requireDevice(scene.clusters->heads);
        if (scene.clusters->of != scene.mesh->positions.data() ||
            scene.clusters->order.size() != scene.mesh->triangleCount())
            throw Fault("the clusters are those of another mesh");
    }
    if (scene.voxels) {
        requireDevice(scene.voxels->keys);
        m_notFiniteVoxels = liesSomewhere(*scene.voxels) ? 0 : scene.voxels->size();
    }
    if (scene.batches)
        requireBatches(*scene.batches, scene.points);
    // The source is pageable memory: it is copied before the call returns.
    const ResolveView host = resolveView(scene, Projection(Camera{}, 1, 1), {});
    const std::uint32_t* const maps[] = {host.pointColour.map, host.voxelColour.map, host.meshColour.map};
    for (std::size_t i = 0; i < 3; ++i)
        detail::copyBytes(m_maps.data() + i * kMapColours, MemorySpace::device, maps[i], MemorySpace::host,
                          kMapColours * sizeof(std::uint32_t), stream);
}

RasterSpace::RasterSpace(const RasterScene& scene, std::size_t pixels, const RasterTuning& tuning,
                         StreamView stream)
    : RasterSpace(scene, pixels, stream) {
    m_tuning = tuning;
    if (scene.mesh) {
        const std::size_t count = scene.mesh->triangleCount();
        if (!scene.clusters && count > tuning.smallMeshTriangles) {
            make(m_screenPositions, scene.mesh->vertexCount(), stream);
            make(m_multiPixel, count, stream);
        }
        // clipping turns one triangle into up to several
        make(m_medium, std::min<std::size_t>(count * 4, tuning.mediumCapacity), stream);
        make(m_large, std::min<std::size_t>(count * 4, tuning.largeCapacity), stream);
    }
    const bool single = scene.pointSize <= 1 && scene.pointExtent <= 0;
    if (scene.batches && tuning.drawsBatches(scene)) {
        m_batches = scene.batches;
        make(m_batchOrder, kDepthRanges * m_batches->batches.size(), stream);
    } else if (single && scene.points.size() >= kHizPoints) {
        make(m_hizKeys, kMaxHizTiles, stream);
    }
    if (scene.voxels) {
        const std::size_t count = std::min<std::size_t>(scene.voxels->size(), tuning.voxelCapacity);
        make(m_mediumVoxels, count, stream);
        make(m_largeVoxels, count, stream);
    }
}

RasterWork RasterSpace::work(const RasterScene& scene, const Projection& projection, const Shading& shading,
                             std::uint64_t* pixels, std::uint32_t* image) const {
    const auto queue = [](const auto& buffer) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(buffer.data())>>;
        return Queue<T>{const_cast<T*>(buffer.data()), static_cast<std::uint32_t>(buffer.size())};
    };
    RasterWork work{};
    work.scene = resolveView(scene, projection, shading);
    work.scene.pointColour.map = m_maps.data();
    work.scene.voxelColour.map = m_maps.data() + kMapColours;
    work.scene.meshColour.map = m_maps.data() + 2 * kMapColours;
    if (m_notFiniteVoxels != 0)
        work.scene.voxels = 0;
    work.cull = cullView(work.scene.view);
    work.pixels = reinterpret_cast<Pixel*>(pixels);
    work.counts = const_cast<RasterCounts*>(m_counts.data());
    work.image = image;
    work.eyeDome = shading.eyeDome;
    work.eyeDomeStrength = shading.eyeDomeStrength;
    work.vertices = scene.mesh ? static_cast<std::uint32_t>(scene.mesh->vertexCount()) : 0;
    work.backFaces = scene.backFaces;
    work.screenPositions = const_cast<ScreenPosition*>(m_screenPositions.data());
    work.multiPixel = const_cast<std::uint32_t*>(m_multiPixel.data());
    if (scene.mesh && scene.clusters) {
        work.clusters = static_cast<std::uint32_t>(scene.clusters->heads.size());
        work.clusterHeads = scene.clusters->heads.data();
        work.clusterWords = scene.clusters->words.data();
        work.clusterOrder = scene.clusters->order.data();
    }
    work.maxSmallPixels = m_tuning.maxSmallPixels;
    work.maxSmallVoxelPixels = m_tuning.maxSmallVoxelPixels;
    work.maxMediumPixels = m_tuning.maxMediumPixels;
    work.medium = queue(m_medium);
    work.large = queue(m_large);
    work.mediumVoxels = queue(m_mediumVoxels);
    work.largeVoxels = queue(m_largeVoxels);
    work.points = scene.points.data();
    work.pointSize = scene.pointSize;
    work.pointExtent = scene.pointExtent;
    if (!m_hizKeys.empty()) {
        work.hiz = hizTiles(scene.points.size(), work.scene.view);
        if (work.hiz.count != 0)
            work.hiz.keys = const_cast<std::uint32_t*>(m_hizKeys.data());
    }
    if (m_batches)
        work.batches = batchWork(*m_batches, work, m_tuning, const_cast<std::uint32_t*>(m_batchOrder.data()));
    work.sums = image && !m_sums.empty() ? const_cast<PointSums*>(m_sums.data()) : nullptr;
    work.scene.sums = work.sums;
    return work;
}

RasterStats RasterSpace::stats(StreamView stream) const {
    RasterCounts counts{};
    detail::copyBytes(&counts, MemorySpace::host, m_counts.data(), MemorySpace::device, sizeof counts,
                      stream);
    stream.synchronize();
    if (counts.missingVertex != kNoTriangle)
        failMissingVertex(counts.missingVertex);
    if (counts.unknown != 0)
        failUnknownPrimitive();
    RasterStats stats;
    stats.drawnPixels = counts.drawnPixels;
    stats.rejectedNotFinite = counts.notFinite + m_notFiniteVoxels + (m_batches ? m_batches->notFinite : 0);
    stats.drawnInline = counts.drawnInline;
    return stats;
}

void queueDrawing(const RasterWork& work, StreamView stream) {
    if (work.screenPositions)
        queueLargeMesh(work, stream); // also clears the picture
    else
        // Waits for all previous work, so the following kernels may read the mesh immediately.
        queueClear(work, stream);
    if (work.scene.triangles != 0) {
        if (!work.screenPositions && work.clusters != 0)
            queueClusters(work, stream);
        else if (!work.screenPositions)
            queueSmallMesh(work, stream);
        queueQueuedTriangles(work, stream);
    }
    if (work.scene.voxels != 0)
        queueVoxels(work, stream);
    if (work.scene.points != 0)
        queuePoints(work, stream);
}

} // namespace scanloupe::cuda
