// Computes signed distances from points to a mesh on the device.
#include "kernels/mesh/distance/cuda_triangle_packets.cuh"
#include "kernels/mesh/distance/signed_distance.h"

namespace scanloupe::cuda {

namespace {

__global__ void clearDistances(std::size_t count, float* values, std::uint8_t* features) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    values[i] = kNoDistance;
    features[i] = static_cast<std::uint8_t>(MeshFeature::none);
}

struct StoreSigned {
    SignedMeshView mesh;
    float* values;
    std::uint8_t* features;
    __device__ void operator()(std::size_t i, Vec3f p, NearestItem nearest) const {
        const SignedDistance one = signedDistanceTo(mesh, nearest, p);
        values[i] = one.value;
        features[i] = one.feature;
    }
};

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
    auto values = Buffer<float>::in(MemorySpace::device, points.size(), stream);
    auto features = Buffer<std::uint8_t>::in(MemorySpace::device, points.size(), stream);
    launch("clearDistances", points.size(), stream, clearDistances, points.size(), values.data(),
           features.data());
    measureAlongCurve(points, {view.tree, view.positions, view.indices}, double(largest) * double(largest),
                      stop, stream, [&](std::size_t first) {
                          return StoreSigned{view, values.data() + first, features.data() + first};
                      });
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
