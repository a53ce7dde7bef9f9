#pragma once
// Declares the free-space test of an alignment: points of one scan must not float where another scan saw
// farther.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// How far a scan saw in each direction from its sensor: a cube map of the nearest points.
class DepthView {
public:
    /// Sees nothing.
    DepthView() = default;
    /// @param points [N, 3] metres, relative to `origin` in the scan's frame; those that are not finite are
    /// left out
    /// @param sensor in the scan's frame
    /// @param margin by which a point lies before another at least, metres
    DepthView(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, double margin,
              const std::stop_token& stop);

    /// Whether the scan was seen from `sensor`: in most directions its points lie at a single distance.
    bool isKnown() const { return m_known; }
    Vec3d sensor() const { return m_sensor; }

    /// The share of points, moved into the scan's frame by T_scan_points, that float before what the scan saw
    /// in their direction and in those next to it; of points in directions in which it saw something.
    double shareBefore(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
                       const std::stop_token& stop) const;

private:
    double margin(double range) const;
    /// Sets m_around and m_known.
    void lookAround(std::span<const Vec3f> points, Vec3d origin, std::span<const float> nearest);

    Vec3d m_sensor;
    double m_margin = 0;
    /// [6, edge, edge] metres: the nearest of a pixel and those next to it; infinite where too few saw
    /// anything.
    std::vector<float> m_around;
    bool m_known = false;
};

} // namespace scanloupe
