#pragma once
// Fields built by tests, and meshes in a form that can be compared.
#include "kernels/field/core/scalar_field.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <vector>

namespace scanloupe::test {

/// A dense field with the value `valueAt(x, y, z)` at each node.
template <class F>
ScalarField denseField(Vec3i dims, F&& valueAt, bool insideBelow = false, Vec3f origin = {},
                       Vec3f spacing = {1, 1, 1}) {
    std::vector<float> values;
    for (int z = 0; z < dims.z; ++z)
        for (int y = 0; y < dims.y; ++y)
            for (int x = 0; x < dims.x; ++x)
                values.push_back(static_cast<float>(valueAt(x, y, z)));
    return cpu::volumeField(values, {origin, spacing, dims}, false, insideBelow, {});
}

/// As denseField, but `valueAt` gets positions instead of nodes.
template <class F>
ScalarField sampledField(const LatticeShape& lattice, F&& valueAt, bool insideBelow = true) {
    return denseField(
        lattice.dims,
        [&](int x, int y, int z) {
            return valueAt(lattice.position({x, y, z}).template as<double>());
        },
        insideBelow, lattice.origin, lattice.spacing);
}

/// The field without the bricks for which `keep(values)` is false.
template <class F>
ScalarField withoutBricks(const ScalarField& field, F&& keep) {
    std::vector<std::uint64_t> keys, cells;
    std::vector<float> values;
    for (std::size_t b = 0; b < field.brickCount(); ++b) {
        const auto mine = field.values.span().subspan(b * kBrickNodes, kBrickNodes);
        if (!keep(mine))
            continue;
        keys.push_back(field.brickKeys[b]);
        values.insert(values.end(), mine.begin(), mine.end());
        cells.insert(cells.end(), &field.cellMask[b * 8], &field.cellMask[b * 8] + 8);
    }
    ScalarField sparse;
    sparse.kind = field.kind;
    sparse.insideBelow = field.insideBelow;
    sparse.lattice = field.lattice;
    sparse.brickDims = field.brickDims;
    sparse.brickKeys = hostCopy(std::span<const std::uint64_t>(keys));
    sparse.values = hostCopy(std::span<const float>(values));
    sparse.cellMask = hostCopy(std::span<const std::uint64_t>(cells));
    return sparse;
}

using Triple = std::array<float, 3>;
inline Triple triple(Vec3f v) {
    return {v.x, v.y, v.z};
}

/// Sorted triangles as positions. Each starts with its smallest corner, which keeps its orientation.
inline std::vector<std::array<Triple, 3>> sortedTriangles(const TriangleMesh& mesh) {
    std::vector<std::array<Triple, 3>> triangles;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        std::array<Triple, 3> corners;
        for (std::size_t i = 0; i < 3; ++i)
            corners[i] = triple(mesh.positions[mesh.indices[3 * t + i]]);
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        triangles.push_back(corners);
    }
    std::sort(triangles.begin(), triangles.end());
    return triangles;
}

/// How often each directed edge occurs.
inline std::map<std::pair<std::uint32_t, std::uint32_t>, int> directedEdges(const TriangleMesh& mesh) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (std::size_t i = 0; i < mesh.indices.size(); ++i)
        ++edges[{mesh.indices[i], mesh.indices[i % 3 == 2 ? i - 2 : i + 1]}];
    return edges;
}

/// V - E + F of each connected part.
inline std::vector<long> eulerNumbers(const TriangleMesh& mesh) {
    std::vector<std::uint32_t> parent(mesh.vertexCount());
    for (std::uint32_t v = 0; v < parent.size(); ++v)
        parent[v] = v;
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v)
            v = parent[v] = parent[parent[v]];
        return v;
    };
    const auto edges = directedEdges(mesh);
    for (const auto& [edge, count] : edges)
        parent[root(edge.first)] = root(edge.second);
    std::map<std::uint32_t, long> numbers;
    for (std::uint32_t v = 0; v < parent.size(); ++v)
        ++numbers[root(v)];
    for (const auto& [edge, count] : edges)
        if (edge.first < edge.second || !edges.contains({edge.second, edge.first}))
            --numbers[root(edge.first)];
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        ++numbers[root(mesh.indices[3 * t])];
    std::vector<long> result;
    for (const auto& [part, number] : numbers)
        result.push_back(number);
    return result;
}

/// No index twice in a triangle, all in range, unit normals, everything finite.
inline bool wellFormed(const TriangleMesh& mesh) {
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const std::uint32_t* i = &mesh.indices[3 * t];
        if (i[0] == i[1] || i[1] == i[2] || i[2] == i[0])
            return false;
        if (std::max({i[0], i[1], i[2]}) >= mesh.vertexCount())
            return false;
    }
    for (std::size_t v = 0; v < mesh.vertexCount(); ++v)
        if (!isFinite(mesh.positions[v]) || !(std::abs(norm(mesh.normals[v]) - 1) < 1e-5f))
            return false;
    return true;
}

} // namespace scanloupe::test
