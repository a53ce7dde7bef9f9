// Analyses the topology of meshes: components, boundary loops, Euler characteristic, genus, area and volume.
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/boundary_loops.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/cleanup/edge_table.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <algorithm>
#include <atomic>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kMeshTopologyGrain = std::size_t{1} << 14;

/// Counts and lists the edges of a range of vertices.
struct EdgeCounts {
    std::uint64_t boundary = 0, nonManifold = 0, undirected = 0;
    std::vector<BoundaryEdge> rim;
    std::vector<std::uint32_t> branching; ///< one vertex of each branching edge
};

/// Area and volume of a range of triangles.
struct AreaAndVolume {
    double area = 0, volume = 0;
};

AreaAndVolume measure(const TriangleMesh& mesh, const std::stop_token& stop) {
    if (mesh.triangleCount() == 0)
        return {};
    const auto positions = mesh.positions.span();
    const auto indices = mesh.indices.span();
    const Vec3d centre = positions[indices[0]].as<double>(); // a point near the mesh, to avoid cancellation
                                                             // in the volume
    return parallelReduce(
        mesh.triangleCount(), kMeshTopologyGrain, stop, AreaAndVolume{},
        [&](std::size_t begin, std::size_t end) {
            AreaAndVolume sum;
            for (std::size_t t = begin; t < end; ++t) {
                const auto corner = [&](std::size_t i) {
                    return positions[indices[3 * t + i]].template as<double>() - centre;
                };
                const Vec3d a = corner(0), b = corner(1), c = corner(2);
                sum.area += 0.5 * norm(cross(b - a, c - a));
                sum.volume += dot(a, cross(b, c)) / 6;
            }
            return sum;
        },
        [](AreaAndVolume a, AreaAndVolume b) {
            return AreaAndVolume{a.area + b.area, a.volume + b.volume};
        });
}

/// Number of used vertices, and number of connected components.
struct PartCounts {
    std::uint64_t vertices = 0, components = 0;
};

PartCounts countParts(DisjointSets& sets, std::span<const std::uint8_t> used, const std::stop_token& stop) {
    return parallelReduce(
        used.size(), kMeshTopologyGrain, stop, PartCounts{},
        [&](std::size_t begin, std::size_t end) {
            PartCounts counts;
            for (std::size_t v = begin; v < end; ++v) {
                counts.vertices += used[v];
                counts.components += used[v] && sets.root(static_cast<std::uint32_t>(v)) == v;
            }
            return counts;
        },
        [](PartCounts a, PartCounts b) {
            return PartCounts{a.vertices + b.vertices, a.components + b.components};
        });
}

/// Reasons why a component has no genus; stored for the root vertex of the component.
enum PartFlags : std::uint8_t { kRegular = 0, kOpen = 1, kBranching = 2 };

/// Sums over the components that are closed and have no branching edges.
struct ClosedParts {
    std::int64_t euler = 0, parts = 0;
};

ClosedParts countClosed(const TriangleMesh& mesh, EdgeTable& edges, DisjointSets& sets,
                        std::span<const std::uint8_t> used, std::span<const std::uint8_t> flags,
                        const std::stop_token& stop) {
    const auto isClosed = [&](std::size_t v) {
        return flags[sets.root(static_cast<std::uint32_t>(v))] == kRegular;
    };
    const auto join = [](ClosedParts a, ClosedParts b) {
        return ClosedParts{a.euler + b.euler, a.parts + b.parts};
    };
    const ClosedParts verticesLessEdges = parallelReduce(
        used.size(), kMeshTopologyGrain, stop, ClosedParts{},
        [&](std::size_t begin, std::size_t end) {
            ClosedParts sum;
            for (std::size_t v = begin; v < end; ++v) {
                if (!used[v] || !isClosed(v))
                    continue;
                ++sum.euler;
                sum.parts += sets.root(static_cast<std::uint32_t>(v)) == v;
            }
            edges.forEach(begin, end, [&](const EdgeTable::Pair& pair) { sum.euler -= isClosed(pair.low); });
            return sum;
        },
        join);
    const ClosedParts faces = parallelReduce(
        mesh.triangleCount(), kMeshTopologyGrain, stop, ClosedParts{},
        [&](std::size_t begin, std::size_t end) {
            ClosedParts sum;
            for (std::size_t t = begin; t < end; ++t)
                sum.euler += isClosed(mesh.indices[3 * t]);
            return sum;
        },
        join);
    return join(verticesLessEdges, faces);
}

} // namespace

MeshTopology analyseTopology(const TriangleMesh& mesh, const std::stop_token& stop) {
    const std::size_t vertices = mesh.vertexCount();
    EdgeTable edges(mesh, stop);
    DisjointSets sets(vertices, stop);
    std::vector<std::uint8_t> used(vertices, 0);
    const auto use = [&used](std::uint32_t v) {
        std::atomic_ref(used[v]).store(1, std::memory_order_relaxed);
    };
    std::vector<EdgeCounts> parts(chunkCount(vertices, kMeshTopologyGrain));
    parallelChunks(vertices, kMeshTopologyGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       EdgeCounts& part = parts[chunk];
                       edges.forEach(begin, end, [&](const EdgeTable::Pair& pair) {
                           part.nonManifold += pair.branching();
                           if (pair.branching() > 0)
                               part.branching.push_back(pair.low);
                           ++part.undirected;
                           for (std::uint64_t i = pair.downwards; i < pair.upwards; ++i)
                               part.rim.push_back({pair.low, pair.high});
                           for (std::uint64_t i = pair.upwards; i < pair.downwards; ++i)
                               part.rim.push_back({pair.high, pair.low});
                           use(pair.low);
                           use(pair.high);
                           sets.join(pair.low, pair.high);
                       });
                       part.boundary = part.rim.size();
                   });
    MeshTopology result;
    std::uint64_t undirected = 0;
    std::vector<BoundaryEdge> rim;
    for (const EdgeCounts& part : parts) {
        result.boundaryEdges += part.boundary;
        result.nonManifoldEdges += part.nonManifold;
        undirected += part.undirected;
        rim.insert(rim.end(), part.rim.begin(), part.rim.end());
    }
    const PartCounts counts = countParts(sets, used, stop);
    result.components = counts.components;
    result.euler = static_cast<std::int64_t>(counts.vertices) - static_cast<std::int64_t>(undirected) +
                   static_cast<std::int64_t>(mesh.triangleCount());
    ClosedParts closed{result.euler, static_cast<std::int64_t>(result.components)};
    if (result.boundaryEdges + result.nonManifoldEdges > 0) {
        std::vector<std::uint8_t> flags(vertices, kRegular);
        std::uint64_t open = 0;
        for (const BoundaryEdge& edge : rim) {
            std::uint8_t& flag = flags[sets.root(edge.from)];
            open += flag == kRegular;
            flag = kOpen;
        }
        for (const EdgeCounts& part : parts) {
            for (const std::uint32_t vertex : part.branching)
                flags[sets.root(vertex)] |= kBranching;
        }
        closed = countClosed(mesh, edges, sets, used, flags, stop);
        result.rims = measureRims(std::move(rim), mesh.positions.span(), stop);
        result.gaps = result.rims.count - open;
    }
    result.tunnels = static_cast<std::uint64_t>(std::max<std::int64_t>(closed.parts - closed.euler / 2, 0));
    const AreaAndVolume measures = measure(mesh, stop);
    result.area = measures.area;
    if (result.boundaryEdges == 0)
        result.volume = measures.volume;
    return result;
}

} // namespace scanloupe
