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

/// A polyline.
struct Polyline {
    std::vector<Vec3f> points; ///< two or more points, in the mesh's frame, metres
    bool isClosed = false;     ///< true if the last point is connected to the first
    /// Returns the length in metres, including the closing piece.
    double length() const;
};

/// The lines of a section. The outside of the surface is on the right of its lines, seen against the plane's
/// normal.
struct SectionLines {
    std::vector<Polyline> lines; ///< open lines first; both open and closed lines are in the order of the
                                 ///< mesh's triangles
    double length() const;       ///< returns the total length of all lines, metres
    std::uint64_t bytes() const;
};

/// Restricts a section to surface near voxels. Needed since the sign of a distance field may change between
/// two sides of a thin wall with equal orientation, where there are no points.
struct SurfaceSupport {
    const VoxelGrid* voxels = nullptr; ///< on the host; null: the whole surface is used
    /// maximum distance in metres, normal to the surface, from the mean of the nearest voxel
    float reach = 0;
};

namespace cpu {
/// Computes the lines in which a plane cuts a mesh. The corners of lines are where mesh edges cross the
/// plane. Triangles that share an edge share the corner, so lines of a closed surface are closed. Lines end
/// at borders, and may end at edges with more than two triangles. @throws Cancelled
SectionLines sectionLines(const TriangleMesh& mesh, const CutPlane& plane, const std::stop_token& stop,
                          const SurfaceSupport& support = {});
} // namespace cpu

} // namespace scanloupe
