#pragma once
// Declares the lines in which a plane cuts a mesh.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <stop_token>
#include <vector>

namespace scanloupe {

struct CutPlane {
    Vec3f at;     ///< a point of the plane, in the mesh's frame, metres
    Vec3f normal; ///< unit length
};

/// A line of straight pieces.
struct Polyline {
    std::vector<Vec3f> points; ///< two or more, in the mesh's frame, metres
    bool isClosed = false;     ///< the last point is joined to the first
    /// Metres, with the piece that closes it.
    double length() const;
};

/// The outside of the surface lies on the right of its lines, seen against the plane's normal.
struct SectionLines {
    std::vector<Polyline> lines; ///< those that are open first, each in the order of the mesh's triangles
    double length() const;       ///< metres, of all lines
    std::uint64_t bytes() const;
};

/// What the surface was made of. Between two sides of a thin wall that were seen as if from one side, the
/// sign of a distance field changes where no point lies: such surface is left out.
struct SurfaceSupport {
    const VoxelGrid* voxels = nullptr; ///< on the host; null: all of the surface is taken
    float reach =
        0; ///< metres, across the surface, to the mean of the voxel that is nearest: at most this far
};

namespace cpu {
/// Where edges cross the plane, corners of lines lie; triangles that share an edge share the corner, so that
/// lines of a closed surface are closed. Lines end at borders, and at edges with more than two triangles some
/// of them may.
/// @throws Cancelled
SectionLines sectionLines(const TriangleMesh& mesh, const CutPlane& plane, const std::stop_token& stop,
                          const SurfaceSupport& support = {});
} // namespace cpu

} // namespace scanloupe
