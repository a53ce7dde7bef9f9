#pragma once
// How a mesh compares with the surface that a simulated scan was taken from.
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/synth/scan_generator.h"

#include <span>

namespace scanloupe::test {

struct SurfaceAccuracy {
    double meanToSurface = 0;  ///< metres, over samples of the mesh that are uniform in area
    double p95ToSurface = 0;   ///< metres
    double coveredShare = 0;   ///< of the true surface with >= 5 points within a voxel: how much lies within
                               ///< one voxel of the mesh
    double rightNormals = 0;   ///< share of vertices whose normal points out of the nearest face of the scene
    double rightWhereSeen = 0; ///< the same over those where that face was seen: a point on a face that looks
                               ///< the same way lies within a voxel. A ray that hits the front of a board
                               ///< tells nothing of its edge.
    double farthestFromPoint = 0; ///< voxels: how far a vertex is from its nearest point, at most
};

/// `points` [N, 3] in the scene's frame, as the mesh. The true surface is sampled where the points lie: each
/// is moved along the gradient of the scene's signed distance onto it.
SurfaceAccuracy measureAccuracy(const TriangleMesh& mesh, std::span<const Vec3f> points, synth::Scene scene,
                                float voxel);

} // namespace scanloupe::test
