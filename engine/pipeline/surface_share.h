#pragma once
// How much of a scan is surface: the share of its voxels that lie on a plane with their neighbours.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

/// What the neighbourhoods of some voxels look like.
struct SurfaceShare {
    std::size_t voxels = 0; ///< looked at
    std::size_t sparse = 0; ///< of these, with too few voxels around to tell
    std::size_t flat = 0;   ///< of the others, on a plane with the voxels around

    std::size_t told() const { return voxels - sparse; }
    double share() const { return told() > 0 ? double(flat) / double(told()) : 0; }
    /// Whether there are enough voxels that tell.
    bool isClear() const { return told() >= 100 && 2 * told() >= voxels; }
    bool isSurface() const { return isClear() && 2 * flat >= told(); }
};

/// Looks at some 500 of the occupied voxels, which a hash of their places chooses: at the covariance of the
/// means of the voxels within two edges, as the signed distance does for its normals. A voxel is flat when
/// the least of the three variances is below a tenth of the middle one, which itself is above a fiftieth of
/// the largest. `origin`: at or below all points; `occupied`: how many voxels there are, about;
/// `voxelSize`: at least 1e-6 of the points' extent. The same on any number of threads. @throws Cancelled
SurfaceShare measureSurfaceShare(std::span<const Vec3d> points, Vec3d origin, double voxelSize,
                                 double occupied, const std::stop_token& stop);

} // namespace scanloupe
