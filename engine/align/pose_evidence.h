#pragma once
// Declares the evidence for and against a pose: surfaces of both scans and their lines of sight, independent
// of how the pose was found. It does not depend on the positions of a sensor's rings, or on its maximum
// range.
#include "engine/align/pose_probe.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// How well a scan fits its target at a pose: surfels of either scan are compared with the other's.
struct PoseFit {
    std::uint64_t surfaces = 0; ///< surfels of the scan
    double overlap = 0;         ///< share of these within reach of the target's
    /// Fraction of surfels with a coincident surface, among those with a counterpart and those that float in
    /// front of the other scan's surface. Directions of normals count equally, whatever their number of
    /// surfels: the ground agrees under any pose along it.
    double agreement = 0;
    double distance = 0; ///< RMS distance along the normals of surfels that agree, metres
    /// Fraction of points of each scan that float in front of the other scan's surface: the mean of both. 0
    /// if sightKnown is false.
    double seenThrough = 0;
};

/// Another pose at which the scan fits, or nearly so.
struct PoseRival {
    RigidTransform pose; ///< T_target_scan
    Vec3d shift;         ///< shift of the sensor relative to the pose itself, in the target's frame, metres
    double angle = 0;    ///< radians
    PoseFit fit;
    double ratio = 0; ///< its agreement divided by that of the pose itself
    double distance() const { return norm(shift); }
};

/// Figures of a pose, and of others.
struct PoseEvidence : PoseFit {
    bool converged = false;
    bool sightKnown = false; ///< the assumed sensor positions of both scans are plausible
    /// How far the surfaces alone would move the pose: shift of the sensor, metres, and rotation, radians.
    double settleDistance = 0, settleAngle = 0;
    /// The same without the part along weak directions, where noise of the normals moves right poses, too.
    double strongSettleDistance = 0, strongSettleAngle = 0;
    /// The standard error along the least constrained motion, metres.
    double slack = 0;
    std::vector<WeakDirection> weak; ///< motions that hardly any normal constrains
    bool searched = false;           ///< other poses were searched from many starts
    /// Other poses that fit nearly as well, distinct from it and the weak directions, the best first.
    std::vector<PoseRival> rivals;
};

/// Evidence from a scan itself: its surface and its lines of sight.
struct ScanSight {
    DepthView depth; ///< in the scan's full coordinates
    std::vector<Vec3f>
        points; ///< a sample of the scan's points, relative to `origin` in its full coordinates
    std::vector<Surfel> surfels; ///< relative to `origin`
    Vec3d origin;
    RigidTransform pose; ///< T_target_scan
    Vec3d sensor() const { return pose(depth.sensor()); }
};
/// @param points [N, 3] metres, relative to `origin` in the scan's full coordinates
/// @param sensor in the scan's full coordinates
/// @throws KernelError when memory is short; Cancelled.
ScanSight sightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, const SurfaceScale& scale,
                  const std::stop_token& stop);
/// As sightOf(), with shapes of the points that were computed for an alignment: their normals must point
/// towards the sensor, and their spacing should be about that of the scale.
ScanSight sightOf(std::span<const Vec3f> points, const PointShapes& shapes, Vec3d origin, Vec3d sensor,
                  const SurfaceScale& scale, const std::stop_token& stop);
/// Parameters of the shapes of a scan's points for a scale. @param viewpoint relative to the points: normals
/// point towards it
PointShapeParams shapeParamsOf(const SurfaceScale& scale, Vec3d viewpoint);
/// As sightOf(), for the first of several scans, which determines the scale. @param shapes receives those of
/// its points
ScanSight firstSightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, SurfaceScale& scale,
                       PointShapes& shapes, const std::stop_token& stop);

/// The input of the evidence.
struct EvidenceInput {
    std::span<const ScanSight* const>
        targets; ///< some scans of the target, the one nearest to the pose first
    const ScanSight& scan;
    RigidTransform pose; ///< T_target_scan
    bool converged = false;
    bool searched = false;
    std::optional<RigidTransform> rival = {}; ///< another pose that a search found
};
using ScanSightPtr = std::shared_ptr<const ScanSight>;
/// The `count` scans whose sensors are nearest to a position in the target's frame, the nearest first.
std::vector<ScanSightPtr> nearestSights(std::span<const ScanSightPtr> sights, Vec3d sensor,
                                        std::size_t count);

/// @throws KernelError when memory is short; Cancelled.
PoseEvidence gatherEvidence(const EvidenceInput& input, const SurfaceScale& scale,
                            const std::stop_token& stop);

} // namespace scanloupe
