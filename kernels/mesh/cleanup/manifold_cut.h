#pragma once
// Declares the cutting of a triangle mesh into a manifold (Guéziec, Taubin, Lazarus and Horn, "Cutting and
// stitching: converting sets of polygons to manifold surfaces", 2001).
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The changes made by a cut.
struct ManifoldCut {
    std::uint64_t branchingEdges = 0; ///< number of edges with more than two triangles that were split
    /// [A] original vertex of each vertex that must be appended to the mesh
    std::vector<std::uint32_t> copiedFrom;
};

/// Renumbers corners so that each edge has at most two triangles, one on either side, and the triangles of
/// each vertex form one fan. The number and the shape of triangles do not change, and closed surfaces stay
/// closed. A vertex in which several fans meet is copied for each additional fan. If four or more triangles
/// meet at an edge, triangles adjacent around the edge that enclose the inside stay connected. The result
/// does not depend on the number of threads. @param indices [T, 3]; no triangle may repeat a vertex @throws
/// KernelError; Cancelled
ManifoldCut cutToManifold(std::span<std::uint32_t> indices, std::span<const Vec3f> positions,
                          const std::stop_token& stop);

} // namespace scanloupe
