// Computes distances between points and meshes on the device.
#include "kernels/mesh/distance/cuda_triangle_packets.cuh"

namespace scanloupe::cuda {

namespace {

/// Number of threads per block; small, since a query needs many registers for its stack and for double
/// precision.
constexpr unsigned kQueryBlock = 128;

__global__ void fillMissing(std::size_t count, float* values) {
    const std::size_t i = globalIndex();
    if (i < count)
        values[i] = __int_as_float(0x7fc00000); // NaN
}

template <class Distance>
__global__ void __launch_bounds__(kQueryBlock)
    measureDistances(const Vec3f* points, std::size_t count, bool any, Distance distance, float* values) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const Vec3f p = points[i];
    values[i] = any && isFinite(p) ? distance(p) : __int_as_float(0x7fc00000); // NaN if the tree has no items
}

struct StoreDistance {
    float* values;
    __device__ void operator()(std::size_t i, Vec3f, NearestItem nearest) const {
        values[i] = static_cast<float>(std::sqrt(nearest.squaredDistance));
    }
};

struct ToPoints {
    BvhView tree;
    const Vec3f* points;
    __device__ float operator()(Vec3f p) const { return distanceToPoints(tree, points, p); }
};

/// Measures the distances of points, and copies them to the host.
template <class Distance>
Buffer<float> measure(const Buffer<Vec3f>& points, const Distance& distance, const std::stop_token& stop,
                      StreamView stream) {
    auto values = Buffer<float>::in(MemorySpace::device, points.size(), stream);
    forLaunches(points.size(), kMaxQueriesPerLaunch, stop, stream, [&](std::size_t begin, std::size_t count) {
        const auto blocks = static_cast<unsigned>((count + kQueryBlock - 1) / kQueryBlock);
        measureDistances<<<blocks, kQueryBlock, 0, ownStream(stream)>>>(
            points.data() + begin, count, distance.tree.items > 0, distance, values.data() + begin);
        check(cudaGetLastError(), "measureDistances");
    });
    return values;
}

} // namespace

PointDistances pointToMesh(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                           const std::stop_token& stop, StreamView stream) {
    if (tree.shape.items != mesh.triangleCount())
        throw Fault("distances to a mesh want the tree of that mesh");
    const WallTimer wall;
    EventTimer device(stream);
    PointDistances result;
    auto values = Buffer<float>::in(MemorySpace::device, points.size(), stream);
    launch("fillMissing", points.size(), stream, fillMissing, points.size(), values.data());
    measureAlongCurve(points, {tree.view(), mesh.positions.data(), mesh.indices.data()}, HUGE_VAL, stop,
                      stream, [&](std::size_t first) { return StoreDistance{values.data() + first}; });
    device.stop();
    result.values = values.copyTo(MemorySpace::host, stream);
    result.cost.deviceMs = device.elapsedMs();
    result.stats = cpu::statisticsOf(result.values.span(), stop);
    result.cost.bytes = result.values.bytes();
    result.cost.wallMs = wall.elapsedMs();
    return result;
}

Buffer<float> distancesToPoints(const Buffer<Vec3f>& positions, const Buffer<Vec3f>& points, const Bvh& tree,
                                const std::stop_token& stop, StreamView stream) {
    return measure(positions, ToPoints{tree.view(), points.data()}, stop, stream)
        .copyTo(MemorySpace::host, stream);
}

} // namespace scanloupe::cuda
