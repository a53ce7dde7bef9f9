// Smooths meshes on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/smooth/smooth_element.h"
#include "kernels/mesh/smooth/smooth_mesh.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kSmoothGrain = std::size_t{1} << 14;

/// The corners and the neighbours of all vertices.
class VertexRings {
public:
    VertexRings(const TriangleMesh& mesh, const std::stop_token& stop)
        : m_firstCorner(mesh.vertexCount() + 1, 0), m_firstNeighbour(mesh.vertexCount() + 1, 0) {
        placeCorners(mesh.indices.span(), stop);
        std::vector<std::uint64_t> edges(2 * m_corners.size());
        m_lists = {mesh.indices.data(), m_firstCorner.data(),    m_corners.data(),
                   edges.data(),        m_firstNeighbour.data(), nullptr};
        forEach(stop, [this](std::size_t v) { m_firstNeighbour[v] = m_lists.listEdges(v); });
        m_neighbours.resize(exclusiveScan(std::span<std::uint64_t>(m_firstNeighbour)));
        m_lists.neighbours = m_neighbours.data();
        forEach(stop, [this](std::size_t v) { m_lists.packNeighbours(v); });
        m_lists.edges = nullptr;
    }

    const SmoothLists& lists() const { return m_lists; }
    /// Calls `visit(vertex)` for each vertex. @throws Cancelled
    template <class Visit>
    void forEach(const std::stop_token& stop, Visit&& visit) const {
        parallelFor(m_firstCorner.size() - 1, kSmoothGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t v = begin; v < end; ++v)
                visit(v);
        });
    }

private:
    void placeCorners(std::span<const std::uint32_t> indices, const std::stop_token& stop) {
        const auto forEachCorner = [&](auto&& visit) {
            parallelFor(indices.size(), 3 * kSmoothGrain, stop, [&](std::size_t begin, std::size_t end) {
                for (std::size_t corner = begin; corner < end; ++corner)
                    visit(corner);
            });
        };
        const auto next = [&](std::vector<std::uint64_t>& counts, std::size_t corner) {
            return std::atomic_ref(counts[indices[corner]]).fetch_add(1, std::memory_order_relaxed);
        };
        forEachCorner([&](std::size_t corner) { next(m_firstCorner, corner); });
        m_corners.resize(exclusiveScan(std::span<std::uint64_t>(m_firstCorner)));
        // threads append in arbitrary order; listEdges() sorts the few corners of each vertex
        std::vector<std::uint64_t> ends = m_firstCorner;
        forEachCorner([&](std::size_t corner) { m_corners[next(ends, corner)] = corner; });
    }

    // [M + 1] index of each vertex's first corner and first neighbour
    std::vector<std::uint64_t> m_firstCorner, m_firstNeighbour;
    std::vector<std::uint64_t> m_corners; // [3 T] corners grouped by vertex
    std::vector<std::uint32_t> m_neighbours;
    SmoothLists m_lists{};
};

} // namespace

SmoothedMesh smoothMesh(const TriangleMesh& mesh, const SmoothParams& params, const std::stop_token& stop) {
    const WallTimer timer;
    const SmoothingFactors factors = smoothingFactors(params.passBand);
    SmoothedMesh result;
    TriangleMesh& smooth = result.mesh;
    StepTimer steps(smooth.cost.steps);
    const VertexRings rings(mesh, stop);
    const SmoothLists& lists = rings.lists();
    steps.end("neighbours");

    smooth.positions = hostCopy(mesh.positions.span());
    smooth.normals = Buffer<Vec3f>::host(mesh.vertexCount());
    smooth.indices = hostCopy(mesh.indices.span());
    smooth.activeBricks = mesh.activeBricks;
    smooth.activeCells = mesh.activeCells;
    auto between = Buffer<Vec3f>::host(mesh.vertexCount());
    const auto move = [&](const Buffer<Vec3f>& from, Buffer<Vec3f>& to, float factor) {
        rings.forEach(stop, [&](std::size_t v) { to[v] = lists.moved(v, from.data(), factor); });
    };
    for (std::uint32_t step = 0; step < params.steps; ++step) {
        move(smooth.positions, between, factors.lambda);
        move(between, smooth.positions, factors.mu);
    }
    steps.end("move");

    rings.forEach(stop, [&](std::size_t v) {
        smooth.normals[v] = lists.normal(v, smooth.positions.data(), mesh.normals[v]);
    });
    smooth.zeroAreaTriangles = countZeroArea(smooth.positions.span(), smooth.indices.span(), stop);
    const float farthest = parallelReduce(
        mesh.vertexCount(), kSmoothGrain, stop, 0.0f,
        [&](std::size_t begin, std::size_t end) {
            float most = 0;
            for (std::size_t v = begin; v < end; ++v)
                most = std::max(most, squaredNorm(smooth.positions[v] - mesh.positions[v]));
            return most;
        },
        [](float a, float b) { return std::max(a, b); });
    result.maxMove = std::sqrt(farthest);
    steps.end("normals");
    smooth.cost.bytes = smooth.bytes();
    smooth.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
