#pragma once
// Declares the analysis of which way the parts of a mesh face.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// Faults of orientation. A part is triangles that are connected across edges; where parts touch, so that
/// more than two triangles meet in an edge, those that follow each other in the mesh are of one. A part is
/// closed when no edge of it is a border and it encloses a volume.
struct ShellOrientation {
    std::uint64_t closedParts = 0;
    std::uint64_t facingInwards = 0;  ///< closed parts that should face outwards: an even number enclose them
    std::uint64_t facingOutwards = 0; ///< closed parts that should face inwards, as the wall of a cavity does
    std::uint64_t flippedEdges = 0;   ///< edges of two triangles that face opposite ways
    std::uint64_t flippedTriangles = 0; ///< face the other way than most of their part
    std::uint64_t oneSidedParts = 0;    ///< cannot be oriented, as a Moebius strip
};

/// Which closed parts face the wrong way by their signed volume and the number of others that enclose them,
/// and which triangles face another way than the rest of their part. On all cores; the same numbers on every
/// machine. @param mesh welded, on the host @param tree over its triangles
/// @throws KernelError for 2^31 triangles or more; Cancelled
ShellOrientation analyseOrientation(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop);

} // namespace scanloupe
