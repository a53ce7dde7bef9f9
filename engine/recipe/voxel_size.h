#pragma once
// Declares the choice of voxel sizes from a sample of the points.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

struct Bounds;

/// Estimates the number of voxels with edge length `size` that the points occupy, by linear counting: Whang,
/// Vander-Zanden, Taylor, "A linear-time probabilistic counting algorithm for database applications", 1990.
double estimateVoxels(std::span<const Vec3d> points, Vec3d origin, double size, const std::stop_token& stop);

/// Returns the smallest round size (1, 1.2, 1.5, 2, ... times a power of ten) with at most 300,000 voxels and
/// enough points in each.
/// @param longest longest edge of the box that the points fill
/// @param share number of points of the scan per point of `points`
/// @param ofAll number of points of the scan, inside and outside the range
double chooseVoxelSize(std::span<const Vec3d> points, const Bounds& range, double longest, double share,
                       std::size_t ofAll, const std::stop_token& stop);

/// Returns the voxel size for a part of the points: that of all points, or a half, a quarter, … of it, so
/// that it does not follow every small change of the part. It does not depend on earlier parts.
/// @param chosen size that is optimal for the part
/// @param whole size for all points; 0: unknown
/// @param pointsPerVoxel number of points of the part per voxel of the size `whole`
double steadyVoxelSize(double chosen, double whole, double pointsPerVoxel);

} // namespace scanloupe
