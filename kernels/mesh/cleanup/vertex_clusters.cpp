// Clusters the vertices of meshes on the CPU.
#include "kernels/mesh/cleanup/vertex_clusters.h"

#include <algorithm>
#include <atomic>
#include <limits>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kVertexClustersGrain = std::size_t{1} << 14;

struct Box {
    Vec3f low, high;
};

Box boundsOf(std::span<const Vec3f> positions, const std::stop_token& stop) {
    constexpr float far = std::numeric_limits<float>::max();
    const Box none{{far, far, far}, {-far, -far, -far}};
    return parallelReduce(
        positions.size(), kVertexClustersGrain, stop, none,
        [&](std::size_t begin, std::size_t end) {
            Box box = none;
            for (std::size_t i = begin; i < end; ++i) {
                box.low = min(positions[i], box.low); // with this order of arguments, NaN is ignored
                box.high = max(positions[i], box.high);
            }
            return box;
        },
        [](const Box& a, const Box& b) {
            return Box{min(a.low, b.low), max(a.high, b.high)};
        });
}

double areaOf(const TriangleMesh& mesh, const std::stop_token& stop) {
    const auto positions = mesh.positions.span();
    const auto indices = mesh.indices.span();
    return parallelReduce(
        mesh.triangleCount(), kVertexClustersGrain, stop, 0.0,
        [&](std::size_t begin, std::size_t end) {
            double area = 0;
            for (std::size_t t = begin; t < end; ++t) {
                const Vec3d a = positions[indices[3 * t]].as<double>();
                const Vec3d b = positions[indices[3 * t + 1]].as<double>();
                const Vec3d c = positions[indices[3 * t + 2]].as<double>();
                area += 0.5 * norm(cross(b - a, c - a));
            }
            return area;
        },
        [](double a, double b) { return a + b; });
}

/// Accumulates the position and normal of the vertex that represents a cluster.
class Representative {
public:
    void addCorner(Vec3f position, Vec3f normal) {
        m_sum += position.as<double>();
        m_normals += normal.as<double>();
        m_corners += 1;
    }
    Vec3d mean() const { return m_sum / m_corners; }
    void addPlane(Vec3d a, Vec3d b, Vec3d c) {
        const Vec3d normal = cross(b - a, c - a);
        m_planes.add(a, normal);
        m_faces += normal;
    }
    Vec3f vertex(const ClusteringGrid& cubes, std::uint64_t cube) const {
        return cubes.clampStep(cube, mean(), m_planes.minimizer()).as<float>();
    }
    Vec3f normal() const {
        for (const Vec3d& wanted : {m_normals, m_faces}) {
            const Vec3d unit = normalized(wanted);
            if (isFinite(unit) && squaredNorm(unit) > 0.5)
                return unit.as<float>();
        }
        return {0, 0, 1}; // the normals cancel each other: return an arbitrary direction
    }

private:
    Vec3d m_sum, m_normals, m_faces;
    double m_corners = 0;
    QuadricError m_planes;
};

} // namespace

VertexClusters::VertexClusters(const TriangleMesh& mesh, const std::stop_token& stop)
    : m_mesh(mesh), m_stop(stop), m_area(areaOf(mesh, stop)), m_sets(mesh.vertexCount(), stop),
      m_keys(mesh.vertexCount()) {
    const Box box = boundsOf(mesh.positions.span(), stop);
    const Vec3f extent = box.high - box.low;
    m_low = box.low;
    m_smallestEdge = std::max({extent.x, extent.y, extent.z}) / (ClusteringGrid::kMaxCubes - 1);
}

std::uint64_t VertexClusters::cluster(float edge) {
    // If the grid started at the box's corner, rows of cubes would end on both sides of a shape
    // simultaneously, and the number of triangles would jump as the edge length grows. Therefore the grid is
    // shifted.
    constexpr Vec3f shift{0.29f, 0.51f, 0.73f};
    m_cubes.edge = std::max(edge, m_smallestEdge);
    m_cubes.low = m_low - shift * m_cubes.edge;
    const auto positions = m_mesh.positions.span();
    const auto indices = m_mesh.indices.span();
    m_sets.reset(m_stop);
    parallelFor(positions.size(), kVertexClustersGrain, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            m_keys[v] = m_cubes.key(positions[v]);
    });
    parallelFor(
        m_mesh.triangleCount(), kVertexClustersGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                const std::uint32_t a = indices[3 * t], b = indices[3 * t + 1], c = indices[3 * t + 2];
                const std::uint64_t ka = m_keys[a], kb = m_keys[b], kc = m_keys[c];
                if (ka == kb)
                    m_sets.join(a, b);
                if (kb == kc)
                    m_sets.join(b, c);
                if (kc == ka)
                    m_sets.join(c, a);
            }
        });
    m_cluster = m_sets.roots(m_stop);
    return parallelReduce(
        m_mesh.triangleCount(), kVertexClustersGrain, m_stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t t = begin; t < end; ++t) {
                const std::uint32_t a = m_cluster[indices[3 * t]], b = m_cluster[indices[3 * t + 1]],
                                    c = m_cluster[indices[3 * t + 2]];
                count += a != b && b != c && c != a;
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

std::vector<std::uint32_t> VertexClusters::triangles() const {
    const auto indices = m_mesh.indices.span();
    const auto clusterOf = [&](std::uint64_t corner) { return m_cluster[indices[corner]]; };
    const auto kept = selectIndices(m_mesh.triangleCount(), m_stop, [&](std::size_t t) {
        const std::uint32_t a = clusterOf(3 * t), b = clusterOf(3 * t + 1), c = clusterOf(3 * t + 2);
        return a != b && b != c && c != a;
    });
    std::vector<std::uint32_t> named(3 * kept.size());
    parallelFor(kept.size(), kVertexClustersGrain, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            for (std::size_t i = 0; i < 3; ++i)
                named[3 * t + i] = clusterOf(3 * kept[t] + i);
    });
    return named;
}

VertexClusters::IncidentTriangles VertexClusters::incidentTriangles(const VertexRemap& used) const {
    const auto indices = m_mesh.indices.span();
    IncidentTriangles lists;
    lists.ends.assign(used.old.size(), 0);
    const auto forEach = [&](auto&& visit) {
        parallelFor(m_mesh.triangleCount(), kVertexClustersGrain, m_stop,
                    [&](std::size_t begin, std::size_t end) {
                        for (std::size_t t = begin; t < end; ++t) {
                            const auto number = [&](std::size_t i) {
                                return used.numbers[m_cluster[indices[3 * t + i]]];
                            };
                            const std::uint32_t a = number(0), b = number(1), c = number(2);
                            if (a != kUnused)
                                visit(a, t);
                            if (b != kUnused && b != a)
                                visit(b, t);
                            if (c != kUnused && c != a && c != b)
                                visit(c, t);
                        }
                    });
    };
    const auto next = [&](std::uint32_t u) {
        return std::atomic_ref(lists.ends[u]).fetch_add(1, std::memory_order_relaxed);
    };
    forEach([&](std::uint32_t u, std::size_t) { next(u); });
    lists.triangles.resize(exclusiveScan(std::span<std::uint64_t>(lists.ends)));
    forEach([&](std::uint32_t u, std::size_t t) { lists.triangles[next(u)] = t; });
    return lists;
}

void VertexClusters::placeVertices(const VertexRemap& used, TriangleMesh& coarse) const {
    coarse.positions = Buffer<Vec3f>::host(used.old.size());
    coarse.normals = Buffer<Vec3f>::host(used.old.size());
    IncidentTriangles lists = incidentTriangles(used);
    const auto positions = m_mesh.positions.span(), normals = m_mesh.normals.span();
    const auto indices = m_mesh.indices.span();
    parallelFor(used.old.size(), kVertexClustersGrain / 16, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t u = begin; u < end; ++u) {
            const auto cluster = static_cast<std::uint32_t>(used.old[u]);
            const std::uint64_t first = u == 0 ? 0 : lists.ends[u - 1];
            const std::span mine(lists.triangles.data() + first, lists.ends[u] - first);
            std::sort(mine.begin(), mine.end()); // sorted order makes the sums deterministic
            Representative sum;
            for (const std::uint64_t t : mine) {
                for (std::size_t i = 3 * t; i < 3 * t + 3; ++i)
                    if (m_cluster[indices[i]] == cluster)
                        sum.addCorner(positions[indices[i]], normals[indices[i]]);
            }
            const Vec3d mean = sum.mean();
            for (const std::uint64_t t : mine) {
                const auto corner = [&](std::size_t i) {
                    return positions[indices[3 * t + i]].template as<double>() - mean;
                };
                sum.addPlane(corner(0), corner(1), corner(2));
            }
            coarse.positions[u] = sum.vertex(m_cubes, m_keys[cluster]);
            coarse.normals[u] = sum.normal();
        }
    });
}

} // namespace scanloupe::cpu
