// Computes pseudonormals, and signed distances from points to a mesh, on the CPU.
#include "kernels/mesh/distance/signed_distance.h"

#include "kernels/core/error.h"
#include "kernels/core/first_occurrences.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kSignedDistanceGrain = std::size_t{1} << 14;

/// A corner of a triangle.
struct Corner {
    std::uint32_t triangle = 0;
    std::uint8_t place = 0; ///< 0: a, 1: b, 2: c
};

/// The corners of triangles at each vertex.
class CornerTable {
public:
    explicit CornerTable(const TriangleMesh& mesh)
        : m_ends(mesh.vertexCount() + 1), m_corners(mesh.indices.size()) {
        for (const std::uint32_t vertex : mesh.indices.span())
            ++m_ends[vertex + 1];
        for (std::size_t v = 1; v < m_ends.size(); ++v)
            m_ends[v] += m_ends[v - 1];
        std::vector<std::uint64_t> next(m_ends.begin(), m_ends.end() - 1);
        for (std::size_t i = 0; i < mesh.indices.size(); ++i)
            m_corners[next[mesh.indices[i]]++] = {std::uint32_t(i / 3), std::uint8_t(i % 3)};
    }
    std::span<const Corner> at(std::size_t vertex) const {
        return std::span(m_corners).subspan(m_ends[vertex], m_ends[vertex + 1] - m_ends[vertex]);
    }

private:
    std::vector<std::uint64_t> m_ends; // [M + 1] begin of the corners of each vertex; last, the total number
                                       // of corners
    std::vector<Corner> m_corners;     // [3 T] corners grouped by vertex, ascending by triangle
};

/// Returns the unit normal of a triangle; zero if it has no area.
Vec3d faceNormal(const TriangleMesh& mesh, std::size_t triangle) {
    const auto corner = [&](std::size_t i) {
        return mesh.positions[mesh.indices[3 * triangle + i]].as<double>();
    };
    const Vec3d a = corner(0), normal = cross(corner(1) - a, corner(2) - a);
    const double length = norm(normal);
    return length > 0 ? normal / length : Vec3d{};
}

/// Returns the angle of a triangle at one of its corners, radians.
double angleAt(const TriangleMesh& mesh, Corner corner) {
    const auto at = [&](int i) {
        return mesh
            .positions[mesh.indices[3 * std::size_t{corner.triangle} + std::size_t((corner.place + i) % 3)]]
            .as<double>();
    };
    const Vec3d one = at(1) - at(0), other = at(2) - at(0);
    return std::atan2(norm(cross(one, other)), dot(one, other));
}

/// Returns the vertex at the end of a triangle's edge; `edge` is the number of the edge's first corner.
std::uint32_t endOfEdge(const TriangleMesh& mesh, std::size_t triangle, std::size_t edge) {
    return mesh.indices[3 * triangle + (edge + 1) % 3];
}

} // namespace

TriangleMesh weldedMesh(const TriangleMesh& mesh, const std::stop_token& stop) {
    const std::size_t vertices = mesh.vertexCount();
    const auto keyOf = [&](std::size_t v) { return positionKey(mesh.positions[v]); };
    // for each vertex, the first of all coinciding vertices
    const auto first = firstOccurrences(vertices, keyOf, stop);
    std::vector<std::uint32_t> places(vertices);
    std::uint32_t kept = 0;
    for (std::size_t v = 0; v < vertices; ++v)
        places[v] = first[v] == v ? kept++ : places[first[v]];
    TriangleMesh welded;
    welded.positions = Buffer<Vec3f>::host(kept);
    for (std::size_t v = 0; v < vertices; ++v)
        welded.positions[places[v]] = mesh.positions[first[v]];
    welded.indices = Buffer<std::uint32_t>::host(mesh.indices.size());
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        if (mesh.indices[i] >= vertices)
            throw KernelError("triangle " + std::to_string(i / 3) + " refers to vertex " +
                                  std::to_string(mesh.indices[i]) + ", but the mesh has " +
                                  std::to_string(vertices) + " vertices",
                              "Export the mesh again from its original program.");
        welded.indices[i] = places[mesh.indices[i]];
    }
    return welded;
}

Pseudonormals pseudonormalsOf(const TriangleMesh& mesh, const std::stop_token& stop) {
    const std::size_t triangles = mesh.triangleCount(), vertices = mesh.vertexCount();
    const CornerTable corners(mesh);
    auto faces = Buffer<Vec3d>::host(triangles);
    parallelFor(triangles, kSignedDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            faces[t] = faceNormal(mesh, t);
    });
    Pseudonormals result{Buffer<Vec3f>::host(3 * triangles), Buffer<Vec3f>::host(vertices),
                         Buffer<std::uint8_t>::host(triangles)};
    std::vector<std::uint8_t> isAtBorder(vertices), edgeBorders(triangles);
    // sort the edges, so that edges between the same two vertices become adjacent
    auto edges = Buffer<KeyIndex>::host(3 * triangles), scratch = Buffer<KeyIndex>::host(3 * triangles);
    parallelFor(triangles, kSignedDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            for (std::size_t edge = 0; edge < 3; ++edge) {
                const std::uint64_t from = mesh.indices[3 * t + edge], to = endOfEdge(mesh, t, edge);
                edges[3 * t + edge] = {std::uint64_t{std::min(from, to)} << 32 | std::max(from, to),
                                       3 * t + edge};
            }
    });
    parallelSortByKey(edges.span(), scratch.span(), 32 + int(std::bit_width(vertices)), stop);
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t last = i;
        Vec3d sum;
        for (; last < edges.size() && edges[last].key == edges[i].key; ++last)
            sum = sum + faces[edges[last].index / 3];
        for (std::size_t one = i; one < last; ++one)
            result.edges[edges[one].index] = sum.as<float>();
        if (last == i + 1)
            edgeBorders[edges[i].index / 3] |= std::uint8_t(1u << edges[i].index % 3);
        i = last;
    }
    for (std::size_t t = 0; t < triangles; ++t)
        for (std::size_t edge = 0; edge < 3; ++edge)
            if (edgeBorders[t] >> edge & 1)
                isAtBorder[mesh.indices[3 * t + edge]] = isAtBorder[endOfEdge(mesh, t, edge)] = 1;
    parallelFor(vertices, kSignedDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            Vec3d sum;
            for (const Corner& corner : corners.at(v))
                sum = sum + faces[corner.triangle] * angleAt(mesh, corner);
            result.vertices[v] = sum.as<float>();
        }
    });
    parallelFor(triangles, kSignedDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            std::uint8_t bits = edgeBorders[t];
            for (std::size_t corner = 0; corner < 3; ++corner)
                bits |= std::uint8_t(isAtBorder[mesh.indices[3 * t + corner]] << (3 + corner));
            result.borders[t] = bits;
        }
    });
    return result;
}

namespace cpu {

SignedDistances signedDistances(std::span<const Vec3f> points, const TriangleMesh& mesh, const Bvh& tree,
                                const Pseudonormals& normals, float largest, const std::stop_token& stop) {
    if (tree.shape.items != mesh.triangleCount() || normals.borders.size() != mesh.triangleCount())
        throw Fault("signed distances to a mesh want tree and normals of that mesh");
    const WallTimer timer;
    SignedDistances result{Buffer<float>::host(points.size()), Buffer<std::uint8_t>::host(points.size()), {}};
    const SignedMeshView view{tree.view(),          mesh.positions.data(),   mesh.indices.data(),
                              normals.edges.data(), normals.vertices.data(), normals.borders.data()};
    const double limit = double(largest) * double(largest);
    parallelFor(points.size(), kSignedDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
        std::fill(result.values.data() + begin, result.values.data() + end, kNoDistance);
        std::fill(result.features.data() + begin, result.features.data() + end,
                  std::uint8_t(MeshFeature::none));
    });
    if (mesh.triangleCount() > 0)
        forNearestTriangles(points, TriangleSearch(mesh, tree, stop), limit, stop,
                            [&](std::size_t i, NearestItem nearest) {
                                const SignedDistance one = signedDistanceTo(view, nearest, points[i]);
                                result.values[i] = one.value;
                                result.features[i] = one.feature;
                            });
    result.cost = {timer.elapsedMs(), 0.0, result.values.bytes() + result.features.bytes()};
    return result;
}

} // namespace cpu

} // namespace scanloupe
