#include "kernels/core/parallel.h"
#include "kernels/mesh/triangle_mesh.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace scanloupe {

namespace {

std::uint32_t rootOf(std::vector<std::uint32_t>& parents, std::uint32_t vertex) {
    while (parents[vertex] != vertex)
        vertex = parents[vertex] = parents[parents[vertex]];
    return vertex;
}

/// Targets of the directed edges that leave each vertex, sorted.
struct OutgoingEdges {
    std::vector<std::uint64_t> begins; // [M + 1]
    std::vector<std::uint32_t> targets;

    explicit OutgoingEdges(const TriangleMesh& mesh) : begins(mesh.vertexCount() + 1, 0) {
        const auto indices = mesh.indices.span();
        for (const std::uint32_t from : indices)
            ++begins[from];
        exclusiveScan(std::span<std::uint64_t>(begins));
        targets.resize(indices.size());
        auto next = begins;
        for (std::size_t i = 0; i < indices.size(); ++i)
            targets[next[indices[i]]++] = indices[i % 3 == 2 ? i - 2 : i + 1];
        for (std::size_t v = 0; v + 1 < begins.size(); ++v) {
            const auto mine = of(v);
            std::sort(mine.begin(), mine.end());
        }
    }
    std::span<std::uint32_t> of(std::size_t vertex) {
        return {targets.data() + begins[vertex],
                static_cast<std::size_t>(begins[vertex + 1] - begins[vertex])};
    }
    std::uint64_t count(std::uint32_t from, std::uint32_t to) {
        const auto mine = of(from);
        const auto range = std::equal_range(mine.begin(), mine.end(), to);
        return static_cast<std::uint64_t>(range.second - range.first);
    }
};

void measure(const TriangleMesh& mesh, MeshTopology& result) {
    if (mesh.triangleCount() == 0)
        return;
    const Vec3d centre =
        mesh.positions[mesh.indices[0]].as<double>(); // near the mesh: small numbers lose little
    double volume = 0;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](std::size_t i) {
            return mesh.positions[mesh.indices[3 * t + i]].as<double>() - centre;
        };
        const Vec3d a = corner(0), b = corner(1), c = corner(2);
        result.area += 0.5 * norm(cross(b - a, c - a));
        volume += dot(a, cross(b, c)) / 6;
    }
    if (result.boundaryEdges == 0)
        result.volume = volume;
}

} // namespace

MeshTopology analyseTopology(const TriangleMesh& mesh) {
    MeshTopology result;
    OutgoingEdges edges(mesh);
    std::vector<std::uint32_t> parents(mesh.vertexCount());
    std::iota(parents.begin(), parents.end(), 0u);
    std::vector<bool> used(mesh.vertexCount(), false);
    std::uint64_t undirected = 0;
    for (std::uint32_t from = 0; from < mesh.vertexCount(); ++from) {
        const auto targets = edges.of(from);
        for (std::size_t i = 0, next; i < targets.size(); i = next) {
            const std::uint32_t to = targets[i];
            for (next = i + 1; next < targets.size() && targets[next] == to;)
                ++next;
            const std::uint64_t here = next - i, back = edges.count(to, from);
            result.nonManifoldEdges += here > 1;
            result.boundaryEdges += here > back ? here - back : 0;
            undirected += from < to || back == 0; // the pair is counted from its lower end
            used[from] = used[to] = true;
            parents[rootOf(parents, from)] = rootOf(parents, to);
        }
    }
    std::int64_t vertices = 0;
    for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
        if (!used[v])
            continue;
        ++vertices;
        result.components += rootOf(parents, v) == v;
    }
    result.euler =
        vertices - static_cast<std::int64_t>(undirected) + static_cast<std::int64_t>(mesh.triangleCount());
    measure(mesh, result);
    return result;
}

} // namespace scanloupe
