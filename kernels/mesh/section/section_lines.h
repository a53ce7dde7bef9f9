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
    std::vector<Vec3f> points; ///< two or more, in the mesh's frame, metres
    bool isClosed = false;     ///< the last point is connected to the first
    /// Length in metres, including the closing piece.
    double length() const;
};

/// The outside of the surface is on the right of its lines, seen against the plane's normal.
struct SectionLines {
    std::vector<Polyline> lines; ///< open lines first, each in the order of the mesh's triangles
    double length() const;       ///< metres, total of all lines
    std::uint64_t bytes() const;
};

/// The voxels of the surface. Between two sides of a thin wall with equal orientation, the sign of a distance
/// field changes without points there: such surface is excluded.
struct SurfaceSupport {
    const VoxelGrid* voxels = nullptr; ///< on the host; null: all of the surface is used
    /// metres; maximum distance, normal to the surface, from the mean of the nearest voxel
    float reach = 0;
};

namespace cpu {
/// Corners of lines lie where edges cross the plane; triangles that share an edge share the corner, so that
/// lines of a closed surface are closed. Lines end at borders, and some may end at edges with more than two
/// triangles. @throws Cancelled
SectionLines sectionLines(const TriangleMesh& mesh, const CutPlane& plane, const std::stop_token& stop,
                          const SurfaceSupport& support = {});
} // namespace cpu

} // namespace scanloupe
