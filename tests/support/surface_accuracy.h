#pragma once
// How a mesh compares with the surface that a simulated scan was taken from.
#include "kernels/mesh/triangle_mesh.h"
#include "kernels/synth/scan_generator.h"

#include <span>

namespace scanloupe::test {

struct SurfaceAccuracy {
    double meanToSurface = 0; ///< metres, over samples of the mesh that are uniform in area
    double p95ToSurface = 0;  ///< metres
    double coveredShare = 0;  ///< of the true surface with >= 5 points within a voxel: how much lies within
                             ///< one voxel of the mesh
    double rightNormals = 0;    ///< share of vertices whose normal points to the side of the sensor
    double rightWhereThick = 0; ///< the same over those where what was scanned is at least two voxels thick: both
                                ///< sides of a thinner plate fall into the same voxels
    double farthestFromPoint = 0; ///< voxels: how far a vertex is from its nearest point, at most
};

/// `points` [N, 3] in the scene's frame, as the mesh. The true surface is sampled where the points lie: each
/// is moved along the gradient of the scene's signed distance onto it.
SurfaceAccuracy measureAccuracy(const TriangleMesh& mesh, std::span<const Vec3f> points, synth::Scene scene,
                                float voxel);

} // namespace scanloupe::test
