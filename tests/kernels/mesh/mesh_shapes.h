#pragma once
// Surfaces whose figures are known.
#include "tests/kernels/mesh/mesh_test_support.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace scanloupe::test {

/// A mesh from lists; normals point up.
inline TriangleMesh meshOf(const std::vector<Vec3f>& positions, const std::vector<std::uint32_t>& indices) {
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(positions));
    mesh.normals = Buffer<Vec3f>::host(positions.size());
    std::fill_n(mesh.normals.data(), positions.size(), Vec3f{0, 0, 1});
    mesh.indices = hostCopy(std::span(indices));
    return mesh;
}

/// The zero surface of `distance(Vec3d)`, which is negative inside, in a cube with edge 2 `half` and n nodes
/// along each axis.
template <class F>
TriangleMesh surfaceOf(int n, float half, F&& distance) {
    const float step = 2 * half / static_cast<float>(n - 1);
    const LatticeShape lattice{{-half, -half, -half}, {step, step, step}, {n, n, n}};
    return cpu::extractSurface(sampledField(lattice, distance), 0, {});
}
inline double unitSphere(Vec3d p) {
    return norm(p - Vec3d{0.01, -0.02, 0.005}) - 1;
}
inline double ringTorus(Vec3d p) { // radii 1 and 0.4
    return std::hypot(std::hypot(p.x, p.y) - 1, p.z) - 0.4;
}

/// A flat sheet of `wide` x `high` unit squares at height `z`, with two triangles per square, except the
/// squares `without` (x, y). Vertices of missing squares stay.
inline TriangleMesh sheet(int wide, int high, std::initializer_list<std::pair<int, int>> without = {},
                          float z = 0) {
    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> indices;
    for (int y = 0; y <= high; ++y)
        for (int x = 0; x <= wide; ++x)
            positions.push_back({float(x), float(y), z});
    for (int y = 0; y < high; ++y) {
        for (int x = 0; x < wide; ++x) {
            if (std::find(without.begin(), without.end(), std::pair(x, y)) != without.end())
                continue;
            const auto a = std::uint32_t(y * (wide + 1) + x), b = a + 1, d = a + std::uint32_t(wide) + 1,
                       c = d + 1;
            indices.insert(indices.end(), {a, b, c, a, c, d});
        }
    }
    return meshOf(positions, indices);
}

/// One mesh with the triangles of both.
inline TriangleMesh together(const TriangleMesh& a, const TriangleMesh& b) {
    std::vector<Vec3f> positions(a.positions.span().begin(), a.positions.span().end());
    std::vector<std::uint32_t> indices(a.indices.span().begin(), a.indices.span().end());
    positions.insert(positions.end(), b.positions.span().begin(), b.positions.span().end());
    for (const std::uint32_t index : b.indices.span())
        indices.push_back(index + std::uint32_t(a.vertexCount()));
    TriangleMesh mesh = meshOf(positions, indices);
    std::copy(a.normals.span().begin(), a.normals.span().end(), mesh.normals.data());
    std::copy(b.normals.span().begin(), b.normals.span().end(), mesh.normals.data() + a.vertexCount());
    return mesh;
}

/// Whether all arrays of two meshes have the same bytes.
inline bool sameMesh(const TriangleMesh& a, const TriangleMesh& b) {
    return std::ranges::equal(a.positions.span(), b.positions.span()) &&
           std::ranges::equal(a.normals.span(), b.normals.span()) &&
           std::ranges::equal(a.indices.span(), b.indices.span());
}

/// `count` random points in a cube with edge 2 `half`.
inline std::vector<Vec3f> randomPoints(std::mt19937_64& random, std::size_t count, float half) {
    std::uniform_real_distribution<float> along(-half, half);
    std::vector<Vec3f> points(count);
    for (Vec3f& p : points)
        p = {along(random), along(random), along(random)};
    return points;
}

} // namespace scanloupe::test
