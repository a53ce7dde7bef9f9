// Finds the nearest triangles of many places on the device.
#include "kernels/mesh/distance/cuda_triangle_packets.cuh"
#include "kernels/mesh/distance/nearest_triangles.h"

namespace scanloupe::cuda {

namespace {

struct StoreTriangle {
    std::uint32_t* items;
    __device__ void operator()(std::size_t i, Vec3f, NearestItem nearest) const { items[i] = nearest.item; }
};

} // namespace

Buffer<std::uint32_t> nearestTrianglesOf(const Buffer<Vec3f>& places, const TriangleMesh& mesh,
                                         const Bvh& tree, float largest, const std::stop_token& stop,
                                         StreamView stream) {
    auto items = noItems(places.size(), stream);
    measureAlongCurve(places, {tree.view(), mesh.positions.data(), mesh.indices.data()},
                      double(largest) * double(largest), stop, stream,
                      [&](std::size_t first) { return StoreTriangle{items.data() + first}; });
    return items;
}

} // namespace scanloupe::cuda
