// Smooths meshes on the device.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/core/square_root.h"
#include "kernels/mesh/smooth/smooth_element.h"
#include "kernels/mesh/smooth/smooth_mesh.h"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

/// Type for atomics: CUDA has no overloads for std::uint64_t, but for this type of the same size.
using Counter = unsigned long long;
static_assert(sizeof(Counter) == sizeof(std::uint64_t));

__device__ std::uint64_t increment(std::uint64_t* counter) {
    return atomicAdd(reinterpret_cast<Counter*>(counter), Counter{1});
}

__global__ void countCorners(const std::uint32_t* indices, std::size_t count, std::uint64_t* counts) {
    const std::size_t corner = globalIndex();
    if (corner < count)
        increment(counts + indices[corner]);
}

/// Writes the corners of each vertex in arbitrary order; listVertexEdges() sorts them.
__global__ void placeCorners(const std::uint32_t* indices, std::size_t count, std::uint64_t* ends,
                             std::uint64_t* corners) {
    const std::size_t corner = globalIndex();
    if (corner < count)
        corners[increment(ends + indices[corner])] = corner;
}

__global__ void listVertexEdges(SmoothLists lists, std::size_t vertices, std::uint64_t* counts) {
    const std::size_t v = globalIndex();
    if (v < vertices)
        counts[v] = lists.listEdges(v);
}

__global__ void packVertexNeighbours(SmoothLists lists, std::size_t vertices) {
    const std::size_t v = globalIndex();
    if (v < vertices)
        lists.packNeighbours(v);
}

__global__ void moveVertices(SmoothLists lists, std::size_t vertices, const Vec3f* from, Vec3f* to,
                             float factor) {
    const std::size_t v = globalIndex();
    if (v < vertices)
        to[v] = lists.moved(v, from, factor);
}

__global__ void updateNormals(SmoothLists lists, std::size_t vertices, const Vec3f* positions,
                              const Vec3f* given, Vec3f* normals) {
    const std::size_t v = globalIndex();
    if (v < vertices)
        normals[v] = lists.normal(v, positions, given[v]);
}

__global__ void countWithoutArea(SmoothLists lists, std::size_t triangles, const Vec3f* positions,
                                 std::uint64_t* count) {
    const std::size_t t = globalIndex();
    if (t < triangles && lists.areaVector(t, positions) == Vec3d{})
        increment(count);
}

__global__ void squareMoves(std::size_t vertices, const Vec3f* before, const Vec3f* now, float* moves) {
    const std::size_t v = globalIndex();
    if (v < vertices)
        moves[v] = squaredNorm(now[v] - before[v]);
}

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

template <class T>
Buffer<T> onDevice(std::size_t size, StreamView stream) {
    return Buffer<T>::in(MemorySpace::device, size, stream);
}

template <class T>
Buffer<T> zeros(std::size_t size, StreamView stream) {
    auto buffer = onDevice<T>(size, stream);
    check(cudaMemsetAsync(buffer.data(), 0, buffer.bytes(), ownStream(stream)), "cudaMemsetAsync");
    return buffer;
}

/// Returns the exclusive prefix sums of `counts`.
Buffer<std::uint64_t> firstOf(const Buffer<std::uint64_t>& counts, StreamView stream) {
    auto first = onDevice<std::uint64_t>(counts.size(), stream);
    runCub("DeviceScan", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, counts.data(), first.data(), counts.size(),
                                             ownStream(stream));
    });
    return first;
}

/// The corners and neighbours of all vertices.
struct VertexRings {
    Buffer<std::uint64_t> firstCorner, firstNeighbour, corners;
    Buffer<std::uint32_t> neighbours;
    SmoothLists lists{};

    VertexRings(const TriangleMesh& mesh, const std::stop_token& stop, StreamView stream) {
        const std::size_t vertices = mesh.vertexCount(), count = mesh.indices.size();
        const std::uint32_t* const indices = mesh.indices.data();
        auto counts = zeros<std::uint64_t>(vertices + 1, stream);
        launch("countCorners", count, stream, countCorners, indices, count, counts.data());
        firstCorner = firstOf(counts, stream);
        auto ends = firstCorner.copyTo(MemorySpace::device, stream);
        corners = onDevice<std::uint64_t>(count, stream);
        launch("placeCorners", count, stream, placeCorners, indices, count, ends.data(), corners.data());
        ends = {};
        throwIfStopped(stop);
        auto edges = onDevice<std::uint64_t>(2 * count, stream);
        lists = {indices, firstCorner.data(), corners.data(), edges.data(), nullptr, nullptr};
        check(cudaMemsetAsync(counts.data(), 0, counts.bytes(), ownStream(stream)), "cudaMemsetAsync");
        launch("listVertexEdges", vertices, stream, listVertexEdges, lists, vertices, counts.data());
        firstNeighbour = firstOf(counts, stream);
        std::uint64_t sum = 0;
        detail::copyBytes(&sum, MemorySpace::host, firstNeighbour.data() + vertices, MemorySpace::device,
                          sizeof sum, stream);
        neighbours = onDevice<std::uint32_t>(sum, stream);
        lists.firstNeighbour = firstNeighbour.data();
        lists.neighbours = neighbours.data();
        launch("packVertexNeighbours", vertices, stream, packVertexNeighbours, lists, vertices);
        lists.edges = nullptr;
    }
};

/// Returns the largest distance between previous and new positions, metres.
float largestMove(const Buffer<Vec3f>& before, const Buffer<Vec3f>& now, StreamView stream) {
    if (now.empty())
        return 0;
    auto moves = onDevice<float>(now.size(), stream);
    auto largest = onDevice<float>(1, stream);
    launch("squareMoves", now.size(), stream, squareMoves, now.size(), before.data(), now.data(),
           moves.data());
    runCub("DeviceReduce", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::Max(scratch, bytes, moves.data(), largest.data(), moves.size(),
                                      ownStream(stream));
    });
    return squareRoot(largest.copyTo(MemorySpace::host, stream)[0]);
}

} // namespace

SmoothedMesh smoothMesh(const TriangleMesh& mesh, const SmoothParams& params, const std::stop_token& stop,
                        StreamView stream) {
    const WallTimer timer;
    const SmoothingFactors factors = smoothingFactors(params.passBand);
    throwIfStopped(stop);
    EventTimer whole(stream);
    const std::size_t vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    const VertexRings rings(mesh, stop, stream);
    SmoothedMesh result;
    TriangleMesh& smooth = result.mesh;
    smooth.positions = mesh.positions.copyTo(MemorySpace::device, stream);
    smooth.normals = onDevice<Vec3f>(vertices, stream);
    smooth.indices = mesh.indices.copyTo(MemorySpace::device, stream);
    smooth.activeBricks = mesh.activeBricks;
    smooth.activeCells = mesh.activeCells;
    auto between = onDevice<Vec3f>(vertices, stream);
    const auto move = [&](const Buffer<Vec3f>& from, Buffer<Vec3f>& to, float factor) {
        launch("moveVertices", vertices, stream, moveVertices, rings.lists, vertices, from.data(), to.data(),
               factor);
    };
    for (std::uint32_t step = 0; step < params.steps; ++step) {
        throwIfStopped(stop);
        move(smooth.positions, between, factors.lambda);
        move(between, smooth.positions, factors.mu);
    }
    launch("updateNormals", vertices, stream, updateNormals, rings.lists, vertices, smooth.positions.data(),
           mesh.normals.data(), smooth.normals.data());
    auto withoutArea = zeros<std::uint64_t>(1, stream);
    launch("countWithoutArea", triangles, stream, countWithoutArea, rings.lists, triangles,
           smooth.positions.data(), withoutArea.data());
    whole.stop();
    result.maxMove = largestMove(mesh.positions, smooth.positions, stream);
    smooth.zeroAreaTriangles = withoutArea.copyTo(MemorySpace::host, stream)[0];
    throwIfStopped(stop);
    smooth.cost.deviceMs = whole.elapsedMs();
    smooth.cost.bytes = smooth.bytes();
    smooth.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
