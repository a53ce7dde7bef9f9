#pragma once
// Generates the 256 cases of marching cubes (Lorensen and Cline, 1987) at compile time from the topology of
// the cube.
//
// Corner c is at x = c & 1, y = c >> 1 & 1, z = c >> 2. Edge e = 4 * axis + n runs along `axis`; n numbers
// the four edges along that axis by their position on the other two axes, the lower of these axes first. Bit
// c of a case is set if corner c is inside.
//
// On ambiguous faces (two inside corners on a diagonal), the inside corners are always separated. This rule
// depends only on the corners of the face, so the two cells that share a face always agree. The segments on
// the six faces are linked to closed loops. Each loop is cut into triangles by diagonals that are never on a
// face of the cube, since a diagonal on a face could coincide with a diagonal of the adjacent cell. Therefore
// each mesh edge has exactly two triangles.
#include "kernels/core/vec3.h"

#include <array>
#include <cstdint>

namespace scanloupe {

inline constexpr int kCubeEdges = 12;
inline constexpr int kMaxCaseTriangles = 5; ///< the generator checks that no case needs more triangles

/// The triangles of all cases, counter-clockwise seen from outside.
struct CubeTables {
    std::array<std::uint8_t, 256> triangleCount{};
    std::array<std::array<std::uint8_t, 3 * kMaxCaseTriangles>, 256> edges{}; ///< 3 edges per triangle
    bool complete = true; ///< whether all loops could be cut according to the rule above
};

/// An edge's axis and lower corner.
struct CubeEdge {
    int axis, corner;
};
HD constexpr CubeEdge cubeEdge(int edge) {
    const int axis = edge / 4, n = edge % 4;
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    return {axis, (n & 1) << first | (n >> 1) << second};
}

namespace detail {

constexpr int edgeBetween(int a, int b) {
    const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
    for (int n = 0; n < 4; ++n)
        if (cubeEdge(4 * axis + n).corner == (a & b))
            return 4 * axis + n;
    return -1;
}

/// Returns the four corners of a face, counter-clockwise seen from outside the cube.
constexpr std::array<int, 4> faceCorners(int axis, int side) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
    if (side == 1)
        return {base, base | u, base | u | v, base | v};
    return {base, base | v, base | u | v, base | u};
}

/// Returns whether both edges are on a common face of the cube.
constexpr bool shareFace(int edgeA, int edgeB) {
    const CubeEdge a = cubeEdge(edgeA), b = cubeEdge(edgeB);
    for (int axis = 0; axis < 3; ++axis)
        if (axis != a.axis && axis != b.axis && ((a.corner ^ b.corner) >> axis & 1) == 0)
            return true;
    return false;
}

/// A closed loop of edges that the surface crosses.
struct EdgeLoop {
    std::array<int, kCubeEdges> edges{};
    int size = 0;
};

/// Returns, for each crossed edge, the next crossed edge along the border of the surface in the cube; -1 for
/// edges that are not crossed.
constexpr std::array<int, kCubeEdges> linkSegments(int caseIndex) {
    std::array<int, kCubeEdges> next{};
    next.fill(-1);
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            const auto corners = faceCorners(axis, side);
            const auto inside = [&](int i) {
                return (caseIndex >> corners[static_cast<std::size_t>(i & 3)] & 1) != 0;
            };
            for (int i = 0; i < 4; ++i) {
                if (!inside(i) || inside(i + 1))
                    continue;
                int first = i; // start of the run of inside corners that ends at i; one segment separates the
                               // run
                while (inside(first + 3))
                    first += 3;
                const auto corner = [&](int k) { return corners[static_cast<std::size_t>(k & 3)]; };
                next[static_cast<std::size_t>(edgeBetween(corner(first + 3), corner(first)))] =
                    edgeBetween(corner(i), corner(i + 1));
            }
        }
    }
    return next;
}

/// Cuts the part [first, last] of a loop into triangles. Returns false if every triangulation has a diagonal
/// on a face.
constexpr bool triangulateLoop(const EdgeLoop& loop, int first, int last, std::array<std::uint8_t, 30>& out,
                               int& triangles) {
    if (last - first < 2)
        return true;
    const auto edge = [&](int i) { return loop.edges[static_cast<std::size_t>(i)]; };
    const auto allowed = [&](int i, int j) {
        return j - i == 1 || (i == 0 && j == loop.size - 1) || !shareFace(edge(i), edge(j));
    };
    const int before = triangles;
    for (int apex = first + 1; apex < last; ++apex) {
        if (!allowed(first, apex) || !allowed(apex, last))
            continue;
        triangles = before;
        const auto at = 3 * static_cast<std::size_t>(triangles);
        out[at] = static_cast<std::uint8_t>(edge(first));
        out[at + 1] = static_cast<std::uint8_t>(edge(apex));
        out[at + 2] = static_cast<std::uint8_t>(edge(last));
        ++triangles;
        if (triangulateLoop(loop, first, apex, out, triangles) &&
            triangulateLoop(loop, apex, last, out, triangles))
            return true;
    }
    triangles = before;
    return false;
}

constexpr CubeTables makeCubeTables() {
    CubeTables tables;
    for (std::size_t c = 0; c < 256; ++c) {
        auto next = linkSegments(static_cast<int>(c));
        std::array<std::uint8_t, 30> found{};
        int triangles = 0;
        for (std::size_t start = 0; start < next.size(); ++start) {
            EdgeLoop loop;
            for (int edge = static_cast<int>(start); next[static_cast<std::size_t>(edge)] >= 0;) {
                loop.edges[static_cast<std::size_t>(loop.size++)] = edge;
                const int following = next[static_cast<std::size_t>(edge)];
                next[static_cast<std::size_t>(edge)] = -1;
                edge = following;
            }
            tables.complete = tables.complete && triangulateLoop(loop, 0, loop.size - 1, found, triangles);
        }
        tables.complete = tables.complete && triangles <= kMaxCaseTriangles;
        if (!tables.complete)
            return tables;
        tables.triangleCount[c] = static_cast<std::uint8_t>(triangles);
        for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(triangles); ++i)
            tables.edges[c][i] = found[i];
    }
    return tables;
}

} // namespace detail

inline constexpr CubeTables kCubeTables = detail::makeCubeTables();
static_assert(kCubeTables.complete, "a case needs a diagonal on a face, or too many triangles");

} // namespace scanloupe
