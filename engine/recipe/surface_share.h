#pragma once
// Declares the estimate of the share of a scan's voxels whose neighbourhood is planar, by principal component
// analysis.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Counts of sampled voxels, by the shape of their neighbourhood.
struct SurfaceShare {
    std::size_t voxels = 0; ///< number of sampled voxels
    std::size_t sparse = 0; ///< number of sampled voxels with too few neighbours to decide
    std::size_t flat = 0;   ///< number of the other sampled voxels whose neighbourhood is planar
    bool isOfView = false;  ///< the scan is a single view: distant points are farther apart than voxels, so
                            ///< sparse voxels are not significant

    std::size_t decided() const { return voxels - sparse; }
    double share() const { return decided() > 0 ? double(flat) / double(decided()) : 0; }
    /// Whether enough voxels have enough neighbours for a decision.
    bool isClear() const { return decided() >= 100 && (isOfView || 2 * decided() >= voxels); }
    bool isSurface() const { return isClear() && 2 * flat >= decided(); }
};

/// Samples about 500 of the occupied voxels by a hash of their keys. For each, computes the covariance of the
/// means of the voxels within two edges, as the signed distance does for its normals. A neighbourhood is
/// planar if the smallest eigenvalue is below a tenth of the middle one, and the middle one is above a
/// fiftieth of the largest. The result does not depend on the number of threads.
/// @param origin lower corner of a box that contains all points
/// @param voxelSize at least 1e-6 of the points' extent
SurfaceShare measureSurfaceShare(std::span<const Vec3d> points, Vec3d origin, double voxelSize,
                                 double occupied, const std::stop_token& stop);

} // namespace scanloupe
