#pragma once
// Declares the cutting of a triangle mesh into a manifold (Guéziec, Taubin, Lazarus, Horn, "Cutting and
// stitching: converting sets of polygons to manifold surfaces", 2001).
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Changes made by a cut.
struct ManifoldCut {
    std::uint64_t branchingEdges = 0; ///< edges of more than two triangles that were split
    /// [A] originals of the vertices to append to the mesh.
    std::vector<std::uint32_t> copiedFrom;
};

/// Renumbers corners so that each edge has at most two triangles, one on either side, and the triangles of
/// each vertex form one fan. The number and the places of triangles do not change, and closed surfaces stay
/// closed. A vertex in which several fans meet is copied for each further fan. If four or more triangles meet
/// in an edge, neighbours around it that enclose the inside stay together. `indices`: [T, 3], no triangle
/// repeats a vertex. The same on any number of threads. @throws KernelError; Cancelled
ManifoldCut cutToManifold(std::span<std::uint32_t> indices, std::span<const Vec3f> positions,
                          const std::stop_token& stop);

} // namespace scanloupe
