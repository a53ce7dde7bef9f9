#pragma once
// Declares the choice of voxel sizes from a sample of the points.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

struct Bounds;

/// Estimates the number of voxels of edge `size` that the points occupy, by linear counting: Whang,
/// Vander-Zanden, Taylor, "A linear-time probabilistic counting algorithm for database applications", 1990.
double estimateVoxels(std::span<const Vec3d> points, Vec3d origin, double size, const std::stop_token& stop);

/// Chooses the smallest round size (1, 1.2, 1.5, 2, ... times a power of ten) with at most 300,000 voxels and
/// enough points in each, for points that fill a box with a longest edge of `longest`. @param share number of
/// the scan's points for each of these @param ofAll points of the scan, inside and outside of the range
double chooseVoxelSize(std::span<const Vec3d> points, const Bounds& range, double longest, double share,
                       std::size_t ofAll, const std::stop_token& stop);

/// Keeps the size of all points for a part of them, or a half, a quarter, … of it, so that the size does not
/// follow each small change of the part. It depends on the part alone, not on earlier parts.
/// @param chosen for the part @param whole for all points; 0: unknown
/// @param pointsPerVoxel points of the part in a voxel of the size `whole`
double steadyVoxelSize(double chosen, double whole, double pointsPerVoxel);

} // namespace scanloupe
