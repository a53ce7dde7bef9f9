#pragma once
// Declares the orientation check of the parts of a mesh.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// Orientation errors of a mesh. A part consists of triangles that are connected across edges. Where parts
/// touch, more than two triangles meet at an edge; of these, triangles that are consecutive in the mesh
/// belong to the same part. A part is closed if it has no border edges and encloses a volume.
struct ShellOrientation {
    std::uint64_t closedParts = 0;
    std::uint64_t facingInwards = 0; ///< closed parts that face inwards but should face outwards, since an
                                     ///< even number of parts enclose them
    /// closed parts that face outwards but should face inwards, such as the wall of a cavity
    std::uint64_t facingOutwards = 0;
    std::uint64_t flippedEdges = 0;     ///< edges whose two triangles have opposite orientations
    std::uint64_t flippedTriangles = 0; ///< triangles whose orientation differs from the majority of their
                                        ///< part
    std::uint64_t oneSidedParts = 0;    ///< parts that cannot be oriented, such as a Moebius strip
};

/// Counts wrongly oriented closed parts, based on their signed volume and the number of enclosing parts, and
/// triangles oriented differently from the rest of their part. Uses all cores; the result is the same on
/// every machine. @param mesh welded mesh on the host @param tree search tree over its triangles
/// @throws KernelError for 2^31 triangles or more; Cancelled
ShellOrientation analyseOrientation(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop);

} // namespace scanloupe
