#pragma once
// `street`: the map and the scans that registration is compared on.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <vector>

namespace scanloupe::test {

/// Number of cells of 2 m in the map with 6 points or more.
inline constexpr std::size_t kStreetCells = 96'804;

/// Blocks of four houses and posts along streets on hilly ground, 400 m by 400 m: 7 points a square metre,
/// evenly spread, with 2 cm of noise along each axis. 2.47 M points.
std::vector<Vec3f> streetMap();
/// The scan of a scanner at streetPose(): `points` points with 2 cm of noise, uniform in density on near and
/// distant surfaces.
std::vector<Vec3f> streetScan(std::size_t points);
RigidTransform streetPose();
/// A start pose with an error of 0.58 m and 2 degrees.
RigidTransform streetStart();

} // namespace scanloupe::test
