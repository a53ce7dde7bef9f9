#pragma once
// Declares visual aids for a scene: grids with known distances, and the sensor's trajectory.
#include "engine/cloud/reference/length_unit.h"
#include "gui/views/surface/scene_marks.h"
#include "kernels/core/rigid_transform.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scanloupe {
class PointCloud;
struct Bounds;
} // namespace scanloupe

namespace scanloupe::gui {

/// The grid in the views.
enum class SceneGrid {
    none,
    ground, ///< squares on the ground, along the axes of the file's frame
    sensor, ///< circles on the ground around the sensor, and its axes
};

/// Height of the ground along the unit vector `up`: 5 % of a sample of the points within the horizontal
/// distance `radius` of `around` are below it. If no points are that near, all points are used.
/// @param radius infinite: all points are used
double groundHeight(const PointCloud& cloud, Vec3d up, Vec3d around, double radius);
/// Caches the last groundHeight(), and recomputes it only for another cloud, axis, radius or centre.
class GroundHeight {
public:
    double of(const std::shared_ptr<const PointCloud>& cloud, Vec3d up, double radius, Vec3d around);

private:
    std::weak_ptr<const PointCloud> m_cloud;
    Vec3d m_up, m_around;
    double m_radius = 0, m_height = 0;
};
/// The position of the sensor: from the file, or the origin of its frame if that is among the points;
/// none if neither is known.
std::optional<Vec3d> sensorPosition(const PointCloud& cloud);

/// Square grid that covers the bounds, at a height along `up`. The edge of its squares is 1, 2 or 5 times a
/// power of ten, so that there are at most about twenty along the longer side. @param bounds of the points,
/// in the file's frame
std::vector<SceneMark> groundGrid(const Bounds& bounds, Vec3d up, double height, LengthUnit unit);
/// Concentric circles around the sensor, up to the farthest corner of the bounds, and the two horizontal axes
/// through the sensor. The circles are 1, 2 or 5 times a power of ten apart, and labelled with their radii.
std::vector<SceneMark> sensorGrid(const Bounds& bounds, Vec3d sensor, Vec3d up, double height,
                                  LengthUnit unit);
/// The trajectory of the sensor through the poses of scans, T_world_scan, in their order; scans without a
/// pose are skipped. Nullopt unless at least two positions are inside the bounds.
std::optional<SceneMark> trajectoryMark(std::span<const std::optional<RigidTransform>> poses,
                                        const Bounds& bounds);

} // namespace scanloupe::gui
