// Smooths meshes.
#include "kernels/mesh/smooth/smooth_mesh.h"

#include "kernels/core/queue/queue_body.h"
#include "kernels/core/square_root.h"
#include "kernels/mesh/smooth/smooth_element.h"

namespace scanloupe {

namespace {

template <class T>
Buffer<T> zeros(Queue& q, std::size_t size) {
    auto buffer = bufferOn<T>(q, size);
    q.fillBytes(buffer.data(), buffer.bytes(), 0);
    return buffer;
}

/// The corners and the neighbours of all vertices, with their memory.
struct VertexRings {
    Buffer<std::uint64_t> firstCorner, firstNeighbour, corners;
    Buffer<std::uint32_t> neighbours;
    SmoothLists lists{};
};

VertexRings vertexRings(Queue& q, const TriangleMesh& mesh) {
    const std::size_t vertices = mesh.vertexCount(), count = mesh.indices.size();
    const std::uint32_t* const indices = mesh.indices.data();
    VertexRings rings;
    rings.firstCorner = zeros<std::uint64_t>(q, vertices + 1);
    std::uint64_t* const counts = rings.firstCorner.data();
    q.forEach(count, [=] HD(std::size_t corner) { Queue::add(counts + indices[corner], std::uint64_t{1}); });
    exclusiveScan(q, counts, vertices + 1);
    rings.corners = bufferOn<std::uint64_t>(q, count);
    std::uint64_t* const corners = rings.corners.data();
    {
        auto ends = rings.firstCorner.copyTo(q.space(), q.stream());
        std::uint64_t* const end = ends.data();
        // corners of a vertex come in any order; listEdges() sorts them
        q.forEach(count, [=] HD(std::size_t corner) {
            corners[Queue::add(end + indices[corner], std::uint64_t{1})] = corner;
        });
    }
    throwIfStopped(q);
    auto edges = bufferOn<std::uint64_t>(q, 2 * count);
    rings.firstNeighbour = zeros<std::uint64_t>(q, vertices + 1);
    std::uint64_t* const neighbourCounts = rings.firstNeighbour.data();
    SmoothLists lists{indices, counts, corners, edges.data(), nullptr, nullptr};
    q.forEach(vertices, [=] HD(std::size_t v) { neighbourCounts[v] = lists.listEdges(v); });
    exclusiveScan(q, neighbourCounts, vertices + 1);
    rings.neighbours = bufferOn<std::uint32_t>(q, readOne(q, neighbourCounts + vertices));
    lists.firstNeighbour = neighbourCounts;
    lists.neighbours = rings.neighbours.data();
    q.forEach(vertices, [=] HD(std::size_t v) { lists.packNeighbours(v); });
    lists.edges = nullptr;
    rings.lists = lists;
    return rings;
}

void moveVertices(Queue& q, const SmoothLists& lists, const Buffer<Vec3f>& before, Buffer<Vec3f>& after,
                  float factor) {
    const Vec3f* const from = before.data();
    Vec3f* const to = after.data();
    q.forEach(before.size(), [=] HD(std::size_t v) { to[v] = lists.moved(v, from, factor); });
}

} // namespace

SmoothedMesh smoothMesh(Queue& q, const TriangleMesh& mesh, const SmoothParams& params) {
    const SmoothingFactors factors = smoothingFactors(params.passBand);
    throwIfStopped(q);
    QueueTimer timer(q);
    const std::size_t vertices = mesh.vertexCount();
    const VertexRings rings = vertexRings(q, mesh);
    const SmoothLists lists = rings.lists;
    timer.endStep("neighbours");

    SmoothedMesh result;
    TriangleMesh& smooth = result.mesh;
    smooth.positions = mesh.positions.copyTo(q.space(), q.stream());
    smooth.normals = bufferOn<Vec3f>(q, vertices);
    smooth.indices = mesh.indices.copyTo(q.space(), q.stream());
    smooth.activeBricks = mesh.activeBricks;
    smooth.activeCells = mesh.activeCells;
    auto between = bufferOn<Vec3f>(q, vertices);
    for (std::uint32_t step = 0; step < params.steps; ++step) {
        throwIfStopped(q);
        moveVertices(q, lists, smooth.positions, between, factors.lambda);
        moveVertices(q, lists, between, smooth.positions, factors.mu);
    }
    timer.endStep("move");

    const Vec3f* const before = mesh.positions.data();
    const Vec3f* const after = smooth.positions.data();
    const Vec3f* const given = mesh.normals.data();
    Vec3f* const normals = smooth.normals.data();
    q.forEach(vertices, [=] HD(std::size_t v) { normals[v] = lists.normal(v, after, given[v]); });
    timer.stop();
    smooth.zeroAreaTriangles = q.sum<std::uint64_t>(mesh.triangleCount(), [=] HD(std::size_t t) {
        return std::uint64_t{lists.areaVector(t, after) == Vec3d{}};
    });
    result.maxMove =
        squareRoot(q.largest(vertices, [=] HD(std::size_t v) { return squaredNorm(after[v] - before[v]); }));
    timer.endStep("normals");
    throwIfStopped(q);
    smooth.cost = timer.cost(smooth.bytes());
    return result;
}

} // namespace scanloupe
