// Computes distances between points and meshes on the device.
#include "kernels/mesh/distance/cuda_triangle_packets.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void fillMissing(std::size_t count, float* values) {
    const std::size_t i = globalIndex();
    if (i < count)
        values[i] = __int_as_float(0x7fc00000); // NaN
}

struct StoreDistance {
    float* values;
    __device__ void operator()(std::size_t i, Vec3f, NearestItem nearest) const {
        values[i] = static_cast<float>(std::sqrt(nearest.squaredDistance));
    }
};

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

} // namespace scanloupe::cuda
