// Computes signed distances of points to a mesh on the device, a thread a point.
#include "kernels/core/cuda_check.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Queries of one launch at most: it ends within some 20 ms, and can't be stopped.
constexpr std::size_t kMaxQueriesPerLaunch = std::size_t{1} << 23;
/// A query needs registers for its stack and its doubles, rather than many threads.
constexpr unsigned kQueryBlock = 128;

__global__ void clearDistances(std::size_t count, float* values, std::uint8_t* features) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    values[i] = kNoDistance;
    features[i] = static_cast<std::uint8_t>(MeshFeature::none);
}

/// `order`: [count] the points along a curve through space, so that the threads of a warp look at the same
/// boxes and triangles.
__global__ void __launch_bounds__(kQueryBlock)
    measureSigned(const Vec3f* points, const std::uint32_t* order, std::size_t count, SignedMeshView mesh,
                  double squaredLimit, float* values, std::uint8_t* features) {
    const std::size_t k = globalIndex();
    if (k >= count)
        return;
    const std::uint32_t i = order[k];
    const NearestItem nearest =
        nearestTriangle(mesh.tree, mesh.positions, mesh.indices, points[i], {kNoItem, squaredLimit});
    const SignedDistance one = signedDistanceTo(mesh, nearest, points[i]);
    values[i] = one.value;
    features[i] = one.feature;
}

/// A copy of a part of the points.
Buffer<Vec3f> partOf(const Buffer<Vec3f>& points, std::size_t begin, std::size_t count, StreamView stream) {
    auto part = Buffer<Vec3f>::in(MemorySpace::device, count, stream);
    detail::copyBytes(part.data(), MemorySpace::device, points.data() + begin, MemorySpace::device,
                      part.bytes(), stream);
    return part;
}

} // namespace

SignedDistances signedDistances(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                const Pseudonormals& normals, float largest, const std::stop_token& stop,
                                StreamView stream) {
    if (tree.shape.items != mesh.triangleCount() || normals.borders.size() != mesh.triangleCount())
        throw Fault("signed distances to a mesh want tree and normals of that mesh");
    const WallTimer wall;
    EventTimer device(stream);
    const SignedMeshView view{tree.view(),          mesh.positions.data(),   mesh.indices.data(),
                              normals.edges.data(), normals.vertices.data(), normals.borders.data()};
    const double limit = double(largest) * double(largest);
    auto values = Buffer<float>::in(MemorySpace::device, points.size(), stream);
    auto features = Buffer<std::uint8_t>::in(MemorySpace::device, points.size(), stream);
    for (std::size_t begin = 0; begin < points.size(); begin += kMaxQueriesPerLaunch) {
        if (begin > 0)
            stream.synchronize();
        if (stop.stop_requested())
            throw Cancelled();
        const std::size_t count = std::min(kMaxQueriesPerLaunch, points.size() - begin);
        launch("clearDistances", count, stream, clearDistances, count, values.data() + begin,
               features.data() + begin);
        const Buffer<Vec3f> part = partOf(points, begin, count, stream);
        const Bvh curve = buildPointBvh(part, stop, stream); // orders those that are finite
        if (curve.order.empty())
            continue;
        const auto blocks = static_cast<unsigned>((curve.order.size() + kQueryBlock - 1) / kQueryBlock);
        measureSigned<<<blocks, kQueryBlock, 0, ownStream(stream)>>>(
            part.data(), curve.order.data(), curve.order.size(), view, limit, values.data() + begin,
            features.data() + begin);
        check(cudaGetLastError(), "measureSigned");
    }
    device.stop();
    SignedDistances result;
    result.values = values.copyTo(MemorySpace::host, stream);
    result.features = features.copyTo(MemorySpace::host, stream);
    result.cost.deviceMs = device.elapsedMs();
    result.cost.bytes = result.values.bytes() + result.features.bytes();
    result.cost.wallMs = wall.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
