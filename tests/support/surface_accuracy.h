#pragma once
// Measures the accuracy of a mesh relative to the true surface of a simulated scan.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/synth/scan_generator.h"

#include <span>

namespace scanloupe::test {

struct SurfaceAccuracy {
    double meanToSurface = 0; ///< mean over samples of the mesh that are uniform in area, metres
    double p95ToSurface = 0;  ///< metres
    /// Fraction, within one voxel of the mesh, of the true surface with >= 5 points within a voxel.
    double coveredShare = 0;
    /// Fraction of vertices whose normal points out of the nearest face of the scene.
    double rightNormals = 0;
    /// As rightNormals, only for seen faces: a point on a face of the same orientation lies within a voxel. A
    /// ray that hits the front of a board does not see its edge.
    double rightWhereSeen = 0;
    double farthestFromPoint = 0; ///< voxels: maximum distance of a vertex from its nearest point
};

/// @param points [N, 3] in the scene's frame, like the mesh. They are samples of the true surface: each is
/// moved onto it along the gradient of the scene's signed distance.
SurfaceAccuracy measureAccuracy(const TriangleMesh& mesh, std::span<const Vec3f> points, synth::Scene scene,
                                float voxel);

} // namespace scanloupe::test
