#pragma once
// Cutting of a triangle mesh into a manifold: Guéziec, Taubin, Lazarus, Horn, "Cutting and stitching:
// converting sets of polygons to manifold surfaces", 2001.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// What a cut has changed.
struct ManifoldCut {
    std::uint64_t branchingEdges = 0; ///< edges of more than two triangles that were parted
    std::vector<std::uint32_t>
        copiedFrom; ///< [A] vertices that the mesh needs beside its own, as copies of these
};

/// Renames corners so that each edge has two triangles at most, one on either side, and the triangles of each
/// vertex form one fan; triangles stay as many and where they are, closed surfaces stay closed. Vertices in
/// which several fans meet are copied, a copy a further fan. Where four or more triangles meet in an edge,
/// neighbours around it that enclose the inside stay together. `indices`: [T, 3], no triangle repeats a
/// vertex. The same on any number of threads. @throws KernelError; Cancelled
ManifoldCut cutToManifold(std::span<std::uint32_t> indices, std::span<const Vec3f> positions,
                          const std::stop_token& stop);

} // namespace scanloupe
