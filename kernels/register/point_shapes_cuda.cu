// Samples points evenly and finds the planes around them on the GPU, with one thread per point.
#include "kernels/change/tree_points.h"
#include "kernels/core/cuda_check.h"
#include "kernels/core/device_copy.h"
#include "kernels/register/cuda_voxel_means.cuh"
#include "kernels/register/point_plane.h"
#include "kernels/register/surface_device.h"

#include <array>
#include <utility>
#include <vector>

namespace scanloupe::cuda {

namespace {

/// Points from which neighbours are selected.
struct NeighbourSource {
    VoxelKeys grid;
    const std::uint64_t* keys; // [count] keys of the points' cells
    std::uint32_t count;
    TreePoints points; ///< tree of the points; empty if neighbours are the points in the surrounding cells
};
struct NeighbourSources {
    NeighbourSource samplings[kSamplings];
    int wanted;
    bool hasViewpoint;
    Vec3d viewpoint;

    template <bool kNearest>
    __device__ NeighbourPlane planeAround(int sampling, Vec3f place) const {
        const NeighbourSource& from = samplings[sampling];
        NdtSums sums;
        const Vec3d origin = place.as<double>();
        const auto add = [&](std::uint32_t i) { sums.add(from.points.points[i].as<double>() - origin); };
        if constexpr (kNearest) {
            const auto near = nearestPoints(from.points, place, wanted);
            for (int i = 0; i < near.count; ++i)
                add(near.items[i].item);
        } else {
            forCellsAround(from.grid, from.keys, from.count, place, add);
        }
        return planeThrough(sums);
    }
};

template <bool kNearest>
__global__ void findPlanes(const __grid_constant__ NeighbourSources sources, Vec3f* normals, float* planarity,
                           float* thickness) {
    const std::size_t i = globalIndex();
    if (i >= sources.samplings[0].count)
        return;
    const Vec3f p = sources.samplings[0].points.points[i];
    NeighbourPlane plane;
    for (int sampling = 0; sampling < int(kSamplings) && !plane.spansPlane; ++sampling)
        plane = sources.planeAround<kNearest>(sampling, p);
    if (!plane.spansPlane)
        plane = {};
    normals[i] = normalTowards(plane.normal, p, sources.hasViewpoint ? &sources.viewpoint : nullptr);
    planarity[i] = plane.planarity;
    thickness[i] = plane.thickness;
}

} // namespace

PointShapes DevicePointShapes::download(StreamView stream) const {
    PointShapes shapes;
    const auto copy = [&]<class T>(const Buffer<T>& from, std::vector<T>& to) {
        to.resize(from.size());
        scanloupe::detail::copyBytes(to.data(), MemorySpace::host, from.data(), MemorySpace::device,
                                     from.bytes(), stream);
    };
    copy(points, shapes.points);
    copy(normals, shapes.normals);
    copy(planarity, shapes.planarity);
    copy(thickness, shapes.thickness);
    stream.synchronize();
    return shapes;
}

DevicePointShapes DevicePointShapes::upload(const PointShapes& shapes, StreamView stream) {
    const auto copy = [stream]<class T>(const std::vector<T>& values) {
        return deviceCopy(std::span<const T>(values), stream);
    };
    DevicePointShapes there{copy(shapes.points), copy(shapes.normals), copy(shapes.planarity),
                            copy(shapes.thickness)};
    stream.synchronize();
    return there;
}

DevicePointShapes findPointShapes(const Buffer<Vec3f>& points, const PointShapeParams& params,
                                  const std::stop_token& stop, StreamView stream) {
    checkPointShapes(params);
    std::array<double, kSamplings> edges{params.edge};
    for (std::size_t i = 1; i < kSamplings; ++i)
        edges[i] = edges[i - 1] * kWiden;
    std::vector<DeviceVoxelMeans> cells = voxelMeans(points, edges, stop, stream);
    std::array<Bvh, kSamplings> trees;
    NeighbourSources sources{};
    sources.wanted = params.neighbours;
    sources.hasViewpoint = params.viewpoint.has_value();
    sources.viewpoint = params.viewpoint.value_or(Vec3d{});
    for (std::size_t i = 0; i < kSamplings; ++i) {
        if (params.neighbours > 0)
            trees[i] = buildPointBvh(cells[i].means, stop, stream);
        sources.samplings[i] = {cells[i].grid,
                                cells[i].keys.data(),
                                static_cast<std::uint32_t>(cells[i].keys.size()),
                                {trees[i].view(), cells[i].means.data()}};
    }
    const std::size_t count = cells.front().means.size();
    DevicePointShapes shapes{{},
                             Buffer<Vec3f>::in(MemorySpace::device, count, stream),
                             Buffer<float>::in(MemorySpace::device, count, stream),
                             Buffer<float>::in(MemorySpace::device, count, stream)};
    launch("findPlanes", count, stream, params.neighbours > 0 ? findPlanes<true> : findPlanes<false>, sources,
           shapes.normals.data(), shapes.planarity.data(), shapes.thickness.data());
    shapes.points = std::move(cells.front().means);
    return shapes;
}

} // namespace scanloupe::cuda
