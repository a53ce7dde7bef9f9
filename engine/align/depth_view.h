#pragma once
// Declares the free-space test of an alignment: a point is a contradiction if another scan saw a surface
// behind it.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Ranges of a scan in each direction from its sensor: a cube map of the nearest points.
class DepthView {
public:
    /// Contains no points.
    DepthView() = default;
    /// @param points [N, 3] metres, relative to `origin` in the scan's frame; points that are not finite are
    ///     ignored @param sensor position in the scan's frame
    /// @param margin minimum distance between a point and the surface behind it, metres
    DepthView(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, double margin,
              const std::stop_token& stop);

    /// Whether the sensor's position is plausible: in most directions all points have about the same distance
    /// from it.
    bool isKnown() const { return m_known; }
    Vec3d sensor() const { return m_sensor; }

    /// Whether a point in the scan's frame is in front of the scan's points in its own and adjacent pixels.
    /// False if there are no such points, or if isKnown() is false.
    bool isBefore(Vec3d point) const;
    /// Returns the fraction of points, transformed into the scan's frame by T_scan_points, that are in front
    /// of the scan's points in the same and adjacent pixels. Points in directions without points of the scan
    /// do not count.
    double shareBefore(std::span<const Vec3f> points, Vec3d origin, const RigidTransform& pose,
                       const std::stop_token& stop) const;

private:
    double margin(double range) const;
    /// Computes m_around and m_known from the minimum ranges per pixel.
    void lookAround(std::span<const Vec3f> points, Vec3d origin, std::span<const float> nearest);

    Vec3d m_sensor;
    double m_margin = 0;
    /// [6, edge, edge] metres: minimum range over a pixel and its 8 neighbours; infinite if fewer than 5 of
    /// them have points.
    std::vector<float> m_around;
    bool m_known = false;
};

} // namespace scanloupe
