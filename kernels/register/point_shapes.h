#pragma once
// Declares points of a scan sampled evenly in space, each with the plane through its neighbours: what
// registration by GICP, VGICP and point-to-plane ICP compares.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct PointShapeParams {
    double edge = 0.25; ///< edge of the cubes in which points are averaged, metres
    /// Number of neighbours to which a plane is fitted, 5 to kMaxNeighbours. 0: all points in the cube around
    /// a point and in the 26 surrounding cubes, which takes a third of the time.
    int neighbours = 16;
    /// Sensor position relative to the points; normals point towards it. Without a viewpoint, normals may
    /// point to either side.
    std::optional<Vec3d> viewpoint;
    bool operator==(const PointShapeParams&) const = default;
};

/// Evenly sampled points with the planes around them, as arrays with one entry per point.
struct PointShapes {
    std::vector<Vec3f> points;  ///< [N, 3] metres, relative to the origin of the input points
    std::vector<Vec3f> normals; ///< [N, 3] unit vectors; zero if the neighbours do not determine a plane
    /// [N] (l1 - l0) / l2 of the neighbours' covariance with eigenvalues l0 <= l1 <= l2 (Weinmann et al.,
    /// "Semantic point cloud interpretation based on optimal neighborhoods, relevant features and efficient
    /// classifiers", 2015): 1 on a disc of a plane, 0 on a line and in a ball.
    std::vector<float> planarity;
    std::vector<float> thickness; ///< [N] standard deviation of the neighbours along the normal, metres

    std::size_t size() const { return points.size(); }
};

/// Validates the parameters. @throws KernelError for a number of neighbours out of range
void checkPointShapes(const PointShapeParams& params);

namespace cpu {
/// Samples points evenly and fits a plane to the neighbourhood of each. Neighbours are sampled points, so
/// that the dense points along a ring of a spinning sensor do not fill the neighbourhood. Where rings are far
/// apart, all neighbours may lie along one ring and leave the plane undetermined. Neighbours are then taken
/// from points that are sampled 3 and 9 times as coarsely, until they span several rings. Coarser samplings
/// are not used, since planes of small objects would merge with surrounding planes.
/// @param points [N, 3] metres; points that are not finite are left out
/// @throws KernelError for parameters out of range or when out of memory; Cancelled.
PointShapes findPointShapes(std::span<const Vec3f> points, const PointShapeParams& params,
                            const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
