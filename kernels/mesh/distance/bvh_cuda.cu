// Builds bounding volume hierarchies on the device, with the same boxes as on the CPU.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/hilbert_grid.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <type_traits>

namespace scanloupe::cuda {

namespace {

/// Copy of the table on the device, where the host's constexpr object has no storage.
__device__ const HilbertTable kTable;
using Numbers = thrust::counting_iterator<std::uint32_t>;

struct Join {
    __device__ Box3f operator()(const Box3f& a, const Box3f& b) const { return joined(a, b); }
};

/// The triangles of a mesh, as items.
struct Triangles {
    const Vec3f* positions;
    const std::uint32_t* indices;
    __device__ std::uint32_t item(std::uint64_t i) const { return static_cast<std::uint32_t>(i); }
    __device__ Box3f box(std::uint32_t t) const {
        const std::uint32_t* corners = indices + std::uint64_t{3} * t;
        const Vec3f a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
        return {min(min(a, b), c), max(max(a, b), c)};
    }
};

/// A subset of the points of an array, as items.
struct Points {
    const Vec3f* positions;
    const std::uint32_t* items; ///< indices of the points in the subset
    __device__ std::uint32_t item(std::uint64_t i) const { return items[i]; }
    __device__ Box3f box(std::uint32_t i) const { return {positions[i], positions[i]}; }
};

/// Returns the centre of the i-th item as a box without extent.
template <class Items>
struct Middle {
    Items items;
    __device__ Box3f operator()(std::uint32_t i) const {
        const Vec3f p = boxCentre(items.box(items.item(i)));
        return {p, p};
    }
};

struct IsFinite {
    const Vec3f* points;
    __device__ bool operator()(std::uint32_t i) const { return isFinite(points[i]); }
};

template <class Key, class Items>
__global__ void computeHilbertKeys(Items items, std::uint64_t count, const Box3f* bounds, int bits, Key* keys,
                                   std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const std::uint32_t item = items.item(i);
    keys[i] = static_cast<Key>(HilbertGrid(*bounds, bits).key(boxCentre(items.box(item)), kTable));
    order[i] = item;
}

template <class Items>
__global__ void buildLeaves(Items items, const std::uint32_t* order, std::uint64_t count, Box3f* boxes,
                            std::uint64_t leaves) {
    const std::size_t leaf = globalIndex();
    if (leaf >= leaves)
        return;
    Box3f box = emptyBox();
    const std::uint64_t begin = BvhView::leafBegin(leaf);
    for (std::uint64_t i = begin; i < begin + kLeafItems && i < count; ++i)
        box = joined(box, items.box(order[i]));
    boxes[leaf] = box;
}

__global__ void buildLevel(const Box3f* below, std::uint64_t belowSize, Box3f* boxes, std::uint64_t size) {
    const std::size_t i = globalIndex();
    if (i >= size)
        return;
    Box3f box = emptyBox();
    for (std::uint64_t child = i * kBvhWidth; child < (i + 1) * kBvhWidth && child < belowSize; ++child)
        box = joined(box, below[child]);
    boxes[i] = box;
}

void throwIf(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

/// Sorts items along the Hilbert curve. @tparam Key integer type with at least 3 * `bits` bits
template <class Key, class Items>
Buffer<std::uint32_t> orderAlong(const Items& items, std::uint64_t count, int bits,
                                 const std::stop_token& stop, StreamView stream) {
    const auto buffer = [&]<class T>(std::type_identity<T>, std::size_t size) {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    };
    throwIf(stop);
    auto bounds = buffer(std::type_identity<Box3f>{}, 1);
    runCub("cub::DeviceReduce::TransformReduce", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(scratch, bytes, Numbers(0), bounds.data(),
                                                  static_cast<std::int64_t>(count), Join{},
                                                  Middle<Items>{items}, emptyBox(), ownStream(stream));
    });
    auto keys = buffer(std::type_identity<Key>{}, count);
    auto otherKeys = buffer(std::type_identity<Key>{}, count);
    auto order = buffer(std::type_identity<std::uint32_t>{}, count);
    auto otherOrder = buffer(std::type_identity<std::uint32_t>{}, count);
    launch("computeHilbertKeys", count, stream, computeHilbertKeys<Key, Items>, items, count, bounds.data(),
           bits, keys.data(), order.data());
    cub::DoubleBuffer<Key> sortedKeys(keys.data(), otherKeys.data());
    cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
    runCub("cub::DeviceRadixSort::SortPairs", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sortedOrder, count, 0, 3 * bits,
                                               ownStream(stream));
    });
    if (sortedOrder.Current() != order.data())
        std::swap(order, otherOrder);
    return order;
}

template <class Items>
Bvh build(const Items& items, std::uint64_t count, const std::stop_token& stop, StreamView stream) {
    Bvh tree;
    tree.shape = bvhShape(count);
    if (count == 0)
        return tree;
    tree.order = orderAlong<std::uint64_t>(items, count, hilbertBits(count), stop, stream);
    throwIf(stop);
    const BvhView& shape = tree.shape;
    const int top = shape.levels - 1;
    tree.boxes =
        Buffer<Box3f>::in(MemorySpace::device, shape.levelBegins[top] + shape.levelSizes[top], stream);
    launch("buildLeaves", shape.levelSizes[0], stream, buildLeaves<Items>, items, tree.order.data(), count,
           tree.boxes.data(), shape.levelSizes[0]);
    for (int level = 1; level <= top; ++level)
        launch("buildLevel", shape.levelSizes[level], stream, buildLevel,
               tree.boxes.data() + shape.levelBegins[level - 1], shape.levelSizes[level - 1],
               tree.boxes.data() + shape.levelBegins[level], shape.levelSizes[level]);
    return tree;
}

} // namespace

Bvh buildTriangleBvh(const TriangleMesh& mesh, const std::stop_token& stop, StreamView stream) {
    return build(Triangles{mesh.positions.data(), mesh.indices.data()}, mesh.triangleCount(), stop, stream);
}

namespace {

/// Returns the indices of the finite points. @param found receives their number
Buffer<std::uint32_t> finitePoints(const Buffer<Vec3f>& points, std::uint64_t& found, StreamView stream) {
    auto finite = Buffer<std::uint32_t>::in(MemorySpace::device, points.size(), stream);
    auto count = Buffer<std::uint64_t>::in(MemorySpace::device, 1, stream);
    runCub("cub::DeviceSelect::If", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, Numbers(0), finite.data(), count.data(),
                                     static_cast<std::int64_t>(points.size()), IsFinite{points.data()},
                                     ownStream(stream));
    });
    scanloupe::detail::copyBytes(&found, MemorySpace::host, count.data(), MemorySpace::device, sizeof found,
                                 stream);
    stream.synchronize();
    return finite;
}

} // namespace

Bvh buildPointBvh(const Buffer<Vec3f>& points, const std::stop_token& stop, StreamView stream) {
    if (points.empty())
        return {};
    bvhShape(points.size()); // throws if there are too many points
    std::uint64_t found = 0;
    const Buffer<std::uint32_t> finite = finitePoints(points, found, stream);
    return build(Points{points.data(), finite.data()}, found, stop, stream);
}

Buffer<std::uint32_t> orderAlongCurve(const Buffer<Vec3f>& points, const std::stop_token& stop,
                                      StreamView stream) {
    constexpr int bits = 10; // bits per coordinate; so few that keys fit into 32 bits
    if (points.empty())
        return {};
    bvhShape(points.size()); // throws if there are too many points
    std::uint64_t found = 0;
    const Buffer<std::uint32_t> finite = finitePoints(points, found, stream);
    if (found == 0)
        return {};
    return orderAlong<std::uint32_t>(Points{points.data(), finite.data()}, found, bits, stop, stream);
}

} // namespace scanloupe::cuda
