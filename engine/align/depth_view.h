#pragma once
// Declares the free-space test of an alignment: points of one scan must not float where another scan saw
// farther.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The range of a scan in each direction from its sensor: a cube map of the nearest points.
class DepthView {
public:
    /// Contains no points.
    DepthView() = default;
    /// @param points [N, 3] metres, relative to `origin` in the scan's frame; points that are not finite are
    /// ignored
    /// @param sensor in the scan's frame @param margin minimum distance at which a point counts as in front,
    /// metres
    DepthView(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, double margin,
              const std::stop_token& stop);

    /// Whether the sensor's position is plausible: in most directions the points have a single distance from
    /// it.
    bool isKnown() const { return m_known; }
    Vec3d sensor() const { return m_sensor; }

    /// Whether a point in the scan's frame is in front of the scan's points in its direction and adjacent
    /// ones; false without points there or where isKnown() is false.
    bool isBefore(Vec3d point) const;
    /// The fraction of points, moved into the scan's frame by T_scan_points, that are in front of the scan's
    /// points in their direction and adjacent ones; among points in directions with points of the scan.
    double shareBefore(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
                       const std::stop_token& stop) const;

private:
    double margin(double range) const;
    /// Sets m_around and m_known.
    void lookAround(std::span<const Vec3f> points, Vec3d origin, std::span<const float> nearest);

    Vec3d m_sensor;
    double m_margin = 0;
    /// [6, edge, edge] metres: the minimum over a pixel and its neighbours; infinite where too few have
    /// points.
    std::vector<float> m_around;
    bool m_known = false;
};

} // namespace scanloupe
