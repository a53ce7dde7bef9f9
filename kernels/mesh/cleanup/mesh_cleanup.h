#pragma once
// Declares mesh clean-up: the removal of small components, and decimation.
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// A mesh without its small components.
struct FilteredMesh {
    TriangleMesh mesh; ///< the remaining triangles in their original order
    std::uint64_t removedComponents = 0;
    std::uint64_t removedTriangles = 0;
    std::uint64_t removedVertices = 0; ///< number of removed vertices, including those that no triangle used
};

/// A mesh with fewer triangles.
struct DecimatedMesh {
    TriangleMesh mesh;
    float cellSize = 0; ///< metres: edge length of the clustering cubes; 0 if the mesh is unchanged
    std::uint64_t collapsedTriangles = 0; ///< number of removed triangles that had two or more corners in one
                                          ///< cube
    /// number of triangles removed in pairs with the same corners and opposite orientations
    std::uint64_t foldedTriangles = 0;
    std::uint64_t partedEdges = 0; ///< number of branching edges that were split by copying their vertices
    /// number of triangles of closed components that were cut off and have less area than an average triangle
    std::uint64_t chippedTriangles = 0;
    std::uint64_t branchingBefore = 0; ///< number of branching edges of the original mesh; counted only if
                                       ///< any edges were split
    bool reachedTarget = true;         ///< false if coarser cubes would leave no triangle
};

namespace cpu {

/// Removes connected components with fewer than `minTriangles` triangles. @throws KernelError; Cancelled.
FilteredMesh removeSmallComponents(const TriangleMesh& mesh, std::uint64_t minTriangles,
                                   const std::stop_token& stop);

/// Merges vertices that are in the same cube of a grid and connected within the cube, so that thin walls stay
/// separate. Uses the smallest cubes that leave at most `targetTriangles` triangles. Each cluster's vertex
/// minimizes the squared distances to the planes of its triangles, and is at most half an edge outside of its
/// cube (vertex clustering: Rossignac and Borrel, 1993; quadrics: Lindstrom, "Out-of-core simplification of
/// large polygonal models", 2000). A closed surface stays closed. A surface with details smaller than a cube
/// may touch itself afterwards; it is cut there (see cutToManifold), so that a decimated mesh has no
/// branching edge and no vertex with several fans, even if the original mesh had some. A mesh that already
/// meets the target, or that cubes of any size would remove, is returned unchanged (cellSize 0) and not cut.
/// @throws KernelError; Cancelled.
DecimatedMesh decimate(const TriangleMesh& mesh, std::uint64_t targetTriangles, const std::stop_token& stop);

} // namespace cpu
} // namespace scanloupe
