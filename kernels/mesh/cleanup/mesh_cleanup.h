#pragma once
// Declares the clean-up of meshes: the removal of small components, and decimation.
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// A mesh without its small components.
struct FilteredMesh {
    TriangleMesh mesh; ///< the kept triangles, in the original order
    std::uint64_t removedComponents = 0;
    std::uint64_t removedTriangles = 0;
    std::uint64_t removedVertices = 0; ///< including vertices that no triangle used
};

/// A mesh with fewer triangles.
struct DecimatedMesh {
    TriangleMesh mesh;
    float cellSize = 0;                   ///< metres: edge of the cubes of the clustering; 0: unchanged
    std::uint64_t collapsedTriangles = 0; ///< triangles with two corners in one cube
    /// triangles removed in pairs with the same corners and opposite orientations
    std::uint64_t foldedTriangles = 0;
    std::uint64_t partedEdges = 0; ///< edges that would have branched: split by copies of their vertices
    /// triangles of closed components that were cut off and are smaller than a triangle
    std::uint64_t chippedTriangles = 0;
    std::uint64_t branchingBefore = 0; ///< branching edges of the given mesh, counted if any were split
    bool reachedTarget = true;         ///< false: coarser cubes would leave no triangle
};

namespace cpu {

/// Removes connected components of fewer than `minTriangles` triangles. @throws KernelError; Cancelled.
FilteredMesh removeSmallComponents(const TriangleMesh& mesh, std::uint64_t minTriangles,
                                   const std::stop_token& stop);

/// Merges vertices that lie in the same cube of a grid and are connected within it, so that thin walls don't
/// grow together; the cube's edge is the smallest that leaves at most `targetTriangles`. Each cluster's
/// vertex has the minimum squared distance from the planes of its triangles, at most half an edge outside of
/// its cube (vertex clustering: Rossignac, Borrel, 1993; quadrics: Lindstrom, "Out-of-core simplification",
/// 2000). A closed surface stays closed. A surface that is finer than a cube may touch itself afterwards; it
/// is cut there (see cutToManifold), so that a decimated mesh has no branching edge and no vertex of several
/// fans, even if the given mesh had some. A mesh that already meets the target, or that every size of cubes
/// would remove, is returned unchanged (cellSize 0) and not cut.
/// @throws KernelError; Cancelled.
DecimatedMesh decimate(const TriangleMesh& mesh, std::uint64_t targetTriangles, const std::stop_token& stop);

} // namespace cpu
} // namespace scanloupe
