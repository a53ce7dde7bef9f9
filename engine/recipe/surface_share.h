#pragma once
// Estimates the share of a scan's voxels whose neighbourhood is planar, by principal component analysis.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Counts of sampled voxels by the shape of their neighbourhood.
struct SurfaceShare {
    std::size_t voxels = 0; ///< sampled
    std::size_t sparse = 0; ///< number of these with too few neighbours to decide
    std::size_t flat = 0;   ///< number of the others on a plane with their neighbours
    bool isOfView = false; ///< in the distance, points are farther apart than voxels: sparse voxels there are
                           ///< not significant

    std::size_t decided() const { return voxels - sparse; }
    double share() const { return decided() > 0 ? double(flat) / double(decided()) : 0; }
    /// Whether enough voxels have enough neighbours to decide.
    bool isClear() const { return decided() >= 100 && (isOfView || 2 * decided() >= voxels); }
    bool isSurface() const { return isClear() && 2 * flat >= decided(); }
};

/// Samples some 500 of the occupied voxels by a hash of their keys, and computes the covariance of the means
/// of the voxels within two edges, as the signed distance does for its normals. A voxel is planar if the
/// smallest of the three eigenvalues is below a tenth of the middle one, which itself is above a fiftieth of
/// the largest. The result does not depend on the number of threads.
/// @param origin at or below all points
/// @param voxelSize at least 1e-6 of the points' extent
/// @param occupied approximate number of occupied voxels
/// @throws Cancelled
SurfaceShare measureSurfaceShare(std::span<const Vec3d> points, Vec3d origin, double voxelSize,
                                 double occupied, const std::stop_token& stop);

} // namespace scanloupe
