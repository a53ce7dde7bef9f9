// Sorts triangles along a Hilbert curve through the centres of their longest edges.
#include "kernels/raster/clusters/cuda_triangle_order.cuh"

#include "kernels/core/cuda_check.h"
#include "kernels/core/cuda_cub.cuh"
#include "kernels/mesh/distance/hilbert_grid.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace scanloupe::cuda {

namespace {

/// Copy of the curve's table in device memory; kernels cannot access the host's constexpr object.
__device__ const HilbertTable kTableOfCurve;
constexpr int kCurveBits = 10; ///< number of bits per axis; triangles in one cell of the curve keep the
                               ///< mesh's order

/// Functor that returns the centre of a triangle's longest edge as a box without extent; an empty box if a
/// corner is missing or not finite. Two triangles with the same longest edge get the same position, and so
/// become neighbours on the curve.
struct Middle {
    MeshView mesh;
    __device__ Box3f operator()(std::uint32_t triangle) const {
        Vec3f p[3];
        for (unsigned k = 0; k < 3; ++k) {
            const std::uint32_t vertex = mesh.indices[std::size_t{triangle} * 3 + k];
            if (vertex >= mesh.vertices)
                return emptyBox();
            p[k] = mesh.positions[vertex];
        }
        const float ab = squaredNorm(p[1] - p[0]), bc = squaredNorm(p[2] - p[1]),
                    ca = squaredNorm(p[0] - p[2]);
        const bool isAb = ab >= bc && ab >= ca, isBc = bc >= ca;
        const Vec3f middle = (isAb ? p[0] + p[1] : isBc ? p[1] + p[2] : p[2] + p[0]) * 0.5f;
        // with NaN, no edge would compare as the longest
        const bool isSomewhere = isFinite(p[0] + p[1] + p[2]);
        return isSomewhere ? Box3f{middle, middle} : emptyBox();
    }
};
struct Join {
    __device__ Box3f operator()(const Box3f& a, const Box3f& b) const { return joined(a, b); }
};

__global__ void placeOnCurve(Middle middles, const Box3f* bounds, std::uint32_t* keys, std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= middles.mesh.triangles)
        return;
    const auto triangle = static_cast<std::uint32_t>(i);
    const Vec3f p = middles(triangle).low;
    keys[i] = p.x <= bounds->high.x // false for an empty box
                  ? static_cast<std::uint32_t>(HilbertGrid(*bounds, kCurveBits).key(p, kTableOfCurve))
                  : 0;
    order[i] = triangle;
}

} // namespace

Buffer<std::uint32_t> orderTrianglesAlongCurve(const MeshView& mesh, StreamView stream) {
    const std::size_t count = mesh.triangles;
    const auto buffer = [&] { return Buffer<std::uint32_t>::in(MemorySpace::device, count, stream); };
    auto bounds = Buffer<Box3f>::in(MemorySpace::device, 1, stream);
    runCub("cub::DeviceReduce::TransformReduce", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<std::uint32_t>(0),
                                                  bounds.data(), static_cast<std::int64_t>(count), Join{},
                                                  Middle{mesh}, emptyBox(), ownStream(stream));
    });
    auto keys = buffer(), otherKeys = buffer(), order = buffer(), otherOrder = buffer();
    launch("placeOnCurve", count, stream, placeOnCurve, Middle{mesh}, bounds.data(), keys.data(),
           order.data());
    cub::DoubleBuffer<std::uint32_t> sortedKeys(keys.data(), otherKeys.data());
    cub::DoubleBuffer<std::uint32_t> sorted(order.data(), otherOrder.data());
    runCub("cub::DeviceRadixSort::SortPairs", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sorted, count, 0, 3 * kCurveBits,
                                               ownStream(stream));
    });
    if (sorted.Current() != order.data())
        std::swap(order, otherOrder);
    return order;
}

} // namespace scanloupe::cuda
