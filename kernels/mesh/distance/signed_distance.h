#pragma once
// Declares signed distances from points to a mesh: positive on the side that the triangles face.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The part of a triangle that is nearest to a point.
enum class MeshFeature : std::uint8_t {
    face,
    edgeAB,
    edgeBC,
    edgeCA,
    vertexA,
    vertexB,
    vertexC,
    none ///< the point is not finite or too far away, or there are no triangles
};
/// Flag added to a feature that is at the border of an open mesh. There, the sign only distinguishes the two
/// sides.
inline constexpr std::uint8_t kAtBorder = 0x80;

/// Normals at the edges and vertices of a mesh that give distances the correct sign. For an edge: the sum of
/// the normals of its faces. For a vertex: the sum of the face normals weighted by the angles at the vertex
/// (Baerentzen and Aanaes, "Signed distance computation using the angle weighted pseudonormal", 2005).
struct Pseudonormals {
    Buffer<Vec3f> edges;          ///< [T, 3] normals of the edges ab, bc, ca of each triangle; not normalized
    Buffer<Vec3f> vertices;       ///< [M] normals of the vertices
    Buffer<std::uint8_t> borders; ///< [T] bits 0 to 2: edge ab, bc, ca has only one triangle; bits 3 to 5:
                                  ///< vertex a, b, c has such an edge

    std::uint64_t bytes() const { return edges.bytes() + vertices.bytes() + borders.bytes(); }
    Pseudonormals copyTo(MemorySpace space, StreamView stream) const {
        return {edges.copyTo(space, stream), vertices.copyTo(space, stream), borders.copyTo(space, stream)};
    }
};

/// A mesh to measure distances from, in the memory of the backend.
struct SignedMeshView {
    BvhView tree;
    const Vec3f* positions;
    const std::uint32_t* indices;
    const Vec3f *edges, *vertices;
    const std::uint8_t* borders;

    HD Vec3f corner(std::uint32_t triangle, int i) const {
        return positions[indices[std::uint64_t{3} * triangle + static_cast<std::uint64_t>(i)]];
    }
};

inline constexpr float kNoDistance = std::numeric_limits<float>::quiet_NaN();

/// A signed distance, and the nearest feature of the mesh.
struct SignedDistance {
    float value;
    std::uint8_t feature; ///< a MeshFeature, possibly combined with kAtBorder
};

/// Finds the point of the segment from `a` along `ab` that is nearest to the origin. Returns 0 at its begin,
/// 1 in between, 2 at its end. Consistent with squaredDistanceToSegment().
HD inline int nearestOfSegment(Vec3d a, Vec3d ab, Vec3d& nearest) {
    const double along = -dot(a, ab), whole = squaredNorm(ab);
    if (!(along > 0.0)) {
        nearest = a;
        return 0;
    }
    nearest = a + ab * (along < whole ? along / whole : 1.0);
    return along < whole ? 1 : 2;
}

/// Returns the signed distance from `p` to its nearest triangle of the mesh.
HD inline SignedDistance signedDistanceToTriangle(const SignedMeshView& mesh, std::uint32_t triangle, Vec3f p,
                                                  double squaredDistance) {
    const std::uint32_t* corners = mesh.indices + std::uint64_t{3} * triangle;
    const Vec3d origin = p.as<double>();
    const Vec3d a = mesh.positions[corners[0]].as<double>() - origin,
                b = mesh.positions[corners[1]].as<double>() - origin,
                c = mesh.positions[corners[2]].as<double>() - origin;
    const Vec3d ab = b - a, bc = c - b, ca = a - c;
    const Vec3d normal = cross(ab, bc);
    const auto distance = static_cast<float>(std::sqrt(squaredDistance));
    const auto signedBy = [&](double side) { return side < 0.0 ? -distance : distance; };
    if (squaredNorm(normal) > 0.0 && dot(cross(a, ab), normal) >= 0.0 && dot(cross(b, bc), normal) >= 0.0 &&
        dot(cross(c, ca), normal) >= 0.0)
        return {signedBy(-dot(a, normal)), static_cast<std::uint8_t>(MeshFeature::face)};
    Vec3d nearest[3];
    const int at[3] = {nearestOfSegment(a, ab, nearest[0]), nearestOfSegment(b, bc, nearest[1]),
                       nearestOfSegment(c, ca, nearest[2])};
    int edge = squaredNorm(nearest[0]) < squaredNorm(nearest[1]) ? 0 : 1;
    edge = squaredNorm(nearest[edge]) < squaredNorm(nearest[2]) ? edge : 2;
    const std::uint8_t borders = mesh.borders[triangle];
    const auto featureAt = [&](MeshFeature first, int place, int bit) {
        const auto code = static_cast<std::uint8_t>(static_cast<int>(first) + place);
        return static_cast<std::uint8_t>(borders >> bit & 1 ? code | kAtBorder : code);
    };
    if (at[edge] == 1) {
        const Vec3d by =
            mesh.edges[std::uint64_t{3} * triangle + static_cast<std::uint64_t>(edge)].as<double>();
        return {signedBy(-dot(nearest[edge], by)), featureAt(MeshFeature::edgeAB, edge, edge)};
    }
    const int vertex = (edge + at[edge] / 2) % 3;
    const Vec3d by = mesh.vertices[corners[vertex]].as<double>();
    return {signedBy(-dot(nearest[edge], by)), featureAt(MeshFeature::vertexA, vertex, 3 + vertex)};
}

/// Returns the signed distance from `p` to the nearest triangle; NaN if no triangle was found.
HD inline SignedDistance signedDistanceTo(const SignedMeshView& mesh, NearestItem nearest, Vec3f p) {
    if (nearest.item == kNoItem)
        return {kNoDistance, static_cast<std::uint8_t>(MeshFeature::none)};
    return signedDistanceToTriangle(mesh, nearest.item, p, nearest.squaredDistance);
}

/// Signed distances from points to a mesh, on the host.
struct SignedDistances {
    Buffer<float> values;          ///< [N] metres; NaN where `features` is MeshFeature::none
    Buffer<std::uint8_t> features; ///< [N] see SignedDistance::feature
    Cost cost;
};

/// Returns the mesh with coinciding vertices merged, so that adjacent triangles share vertices; triangles
/// keep their order. @throws KernelError if a triangle refers to a missing vertex; Cancelled
TriangleMesh weldedMesh(const TriangleMesh& mesh, const std::stop_token& stop);

/// Computes pseudonormals on the host, for both backends. Triangles without area, and triangles that fold
/// back onto a neighbour, get normals from their neighbours. @param mesh welded, see weldedMesh() @throws
/// Cancelled
Pseudonormals pseudonormalsOf(const TriangleMesh& mesh, const std::stop_token& stop);

/// Value for an unlimited distance, metres.
inline constexpr float kAnyDistance = std::numeric_limits<float>::infinity();

namespace cpu {
/// Returns the signed distance from each point of [N, 3] to the closest point of a mesh.
/// @param tree search tree over the mesh @param largest metres; points farther away get no distance @throws
/// Fault if the tree belongs to another mesh; Cancelled.
SignedDistances signedDistances(std::span<const Vec3f> points, const TriangleMesh& mesh, const Bvh& tree,
                                const Pseudonormals& normals, float largest, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::signedDistances, with an identical result. All input is on the device, the distances are on
/// the host. @note Synchronizes with `stream`.
SignedDistances signedDistances(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                const Pseudonormals& normals, float largest, const std::stop_token& stop,
                                StreamView stream);
} // namespace cuda

} // namespace scanloupe
