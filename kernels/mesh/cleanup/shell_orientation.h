#pragma once
// Declares the analysis of the orientation of a mesh's parts.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// Faults of orientation. A part consists of triangles that are connected across edges; if parts touch, so
/// that more than two triangles meet in an edge, triangles that are consecutive in the mesh belong to one
/// part. A part is closed if none of its edges is a border and it encloses a volume.
struct ShellOrientation {
    std::uint64_t closedParts = 0;
    std::uint64_t facingInwards = 0; ///< closed parts with the wrong orientation that should face outwards,
                                     ///< since an even number of parts enclose them
    /// closed parts with the wrong orientation that should face inwards, such as the wall of a cavity
    std::uint64_t facingOutwards = 0;
    std::uint64_t flippedEdges = 0;     ///< edges of two triangles that face opposite ways
    std::uint64_t flippedTriangles = 0; ///< triangles that face the opposite way to most of their part
    std::uint64_t oneSidedParts = 0;    ///< parts that cannot be oriented, such as a Moebius strip
};

/// Counts closed parts with the wrong orientation, by their signed volume and the number of parts that
/// enclose them, and triangles that face another way than the rest of their part. On all cores; the same
/// numbers on every machine. @param mesh welded, on the host @param tree over its triangles
/// @throws KernelError for 2^31 triangles or more; Cancelled
ShellOrientation analyseOrientation(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop);

} // namespace scanloupe
