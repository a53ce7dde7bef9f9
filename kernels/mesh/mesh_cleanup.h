#pragma once
// Clean-up of a surface: small parts go, triangles become fewer.
#include "kernels/mesh/triangle_mesh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// A mesh without its small parts.
struct FilteredMesh {
    TriangleMesh mesh; ///< what is left, in the order that it had
    std::uint64_t removedComponents = 0;
    std::uint64_t removedTriangles = 0;
    std::uint64_t removedVertices = 0; ///< those that no triangle used among them
};

/// A mesh with fewer triangles.
struct DecimatedMesh {
    TriangleMesh mesh;
    float cellSize = 0; ///< metres: edge of the cubes whose vertices became one; 0: untouched
    std::uint64_t collapsedTriangles = 0; ///< had two corners in one cube
    std::uint64_t foldedTriangles = 0;    ///< lay back to back with another one, and went with it
    std::uint64_t partedEdges = 0;        ///< would have branched: their triangles have vertices of their own
    std::uint64_t chippedTriangles = 0;   ///< of closed bits that came off and are smaller than a triangle
    std::uint64_t branchingBefore = 0; ///< branching edges of the given mesh, counted where any were parted
    bool reachedTarget = true;         ///< false: one step coarser, and nothing would be left
};

namespace cpu {

/// Removes connected parts of fewer than `minTriangles` triangles. @throws KernelError; Cancelled.
FilteredMesh removeSmallComponents(const TriangleMesh& mesh, std::uint64_t minTriangles,
                                   const std::stop_token& stop);

/// Merges vertices that lie in the same cube of a grid and are connected within it, so that thin walls don't
/// grow together; the cube's edge is the smallest that leaves at most `targetTriangles`. Each cluster's place
/// is where the planes of its triangles meet best, at most half an edge outside of its cube (vertex
/// clustering: Rossignac, Borrel, 1993; quadrics: Lindstrom, "Out-of-core simplification", 2000). A closed
/// surface stays closed. Where it is finer than a cube it may come to touch itself; it is cut there (see
/// cutToManifold), so that what was decimated has no branching edge and no vertex of several fans, whatever
/// the mesh had. A mesh that has few enough triangles already, and one of which no cubes would leave
/// anything, comes back as it is (cellSize 0), not cut. @throws KernelError; Cancelled.
DecimatedMesh decimate(const TriangleMesh& mesh, std::uint64_t targetTriangles, const std::stop_token& stop);

} // namespace cpu
} // namespace scanloupe
