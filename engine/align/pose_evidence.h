#pragma once
// Declares the evidence for and against a pose. It compares the surfaces and the lines of sight of both
// scans, and does not depend on how the pose was found, on the positions of a sensor's rings, or on its
// maximum range.
#include "engine/align/pose_probe.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// How well a scan fits its target at a pose. Surfels of each scan are compared with those of the other one.
struct PoseFit {
    std::uint64_t surfaces = 0; ///< number of surfels of the scan
    double overlap = 0;         ///< fraction of the scan's surfels with a surfel of the target within reach
    /// Fraction of surfels that coincide with a surface of the other scan, among all surfels with a
    /// counterpart or in front of the other scan's surface. Each direction of normals counts equally,
    /// whatever its number of surfels: the ground agrees under any horizontal motion.
    double agreement = 0;
    double distance = 0; ///< RMS distance between agreeing surfels along their normals, metres
    /// Mean over both scans of the fraction of points in front of the other scan's surface. 0 if
    /// PoseEvidence::sightKnown is false.
    double seenThrough = 0;
};

/// Another pose at which the scan fits nearly as well.
struct PoseRival {
    RigidTransform pose; ///< T_target_scan
    Vec3d shift;         ///< displacement of the sensor relative to the pose itself, in the target's frame,
                         ///< metres
    double angle = 0;    ///< rotation relative to the pose itself, radians
    PoseFit fit;
    double ratio = 0; ///< the rival's agreement divided by that of the pose itself
    double distance() const { return norm(shift); }
};

/// Evidence about a pose, including its rivals.
struct PoseEvidence : PoseFit {
    bool converged = false;
    bool sightKnown = false; ///< whether the assumed sensor positions of both scans are plausible
    /// Motion of the pose when it is refined by the surfaces alone: displacement of the sensor, metres, and
    /// rotation, radians.
    double settleDistance = 0, settleAngle = 0;
    /// The same without the part along weak directions, where noise of the normals moves right poses, too.
    double strongSettleDistance = 0, strongSettleAngle = 0;
    /// The standard error along the least constrained motion, metres.
    double slack = 0;
    std::vector<WeakDirection> weak; ///< motions that are hardly constrained by the normals
    bool searched = false;           ///< whether the pose was searched from many initial poses
    /// Other poses that fit nearly as well, the best first. They differ from the pose by more than a motion
    /// along the weak directions.
    std::vector<PoseRival> rivals;
};

/// The part of the evidence that only depends on a single scan: its surface and its lines of sight.
struct ScanSight {
    DepthView depth; ///< ranges from the sensor, in the scan's full coordinates
    std::vector<Vec3f>
        points; ///< sample of the scan's points, relative to `origin` in the scan's full coordinates
    std::vector<Surfel> surfels; ///< relative to `origin`
    Vec3d origin;
    RigidTransform pose; ///< T_target_scan
    Vec3d sensor() const { return pose(depth.sensor()); }
};
/// Computes the evidence of a scan.
/// @param points [N, 3] metres, relative to `origin` in the scan's full coordinates
/// @param sensor position in the scan's full coordinates
/// @throws KernelError when out of memory; Cancelled.
ScanSight sightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, const SurfaceScale& scale,
                  const std::stop_token& stop);
/// Like sightOf() above, with shapes that were already computed for an alignment. Their normals must point
/// towards the sensor, and their spacing should be close to that of `scale`.
ScanSight sightOf(std::span<const Vec3f> points, const PointShapes& shapes, Vec3d origin, Vec3d sensor,
                  const SurfaceScale& scale, const std::stop_token& stop);
/// Returns the parameters of the shapes of a scan's points. @param viewpoint relative to the points; normals
/// point towards it
PointShapeParams shapeParamsOf(const SurfaceScale& scale, Vec3d viewpoint);
/// Like sightOf(), for the first of several scans, which determines the scale. @param shapes receives the
/// shapes of the points
ScanSight firstSightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, SurfaceScale& scale,
                       PointShapes& shapes, const std::stop_token& stop);

/// The input of the evidence.
struct EvidenceInput {
    std::span<const ScanSight* const> targets; ///< scans of the target, the one nearest to the pose first
    const ScanSight& scan;
    RigidTransform pose; ///< T_target_scan
    bool converged = false;
    bool searched = false;
    std::optional<RigidTransform> rival = {}; ///< another pose that fits, found by a search
};
using ScanSightPtr = std::shared_ptr<const ScanSight>;
/// Returns the `count` scans whose sensors are nearest to a position in the target's frame, the nearest
/// first.
std::vector<ScanSightPtr> nearestSights(std::span<const ScanSightPtr> sights, Vec3d sensor,
                                        std::size_t count);

/// Gathers the evidence about a pose. @throws KernelError when out of memory; Cancelled.
PoseEvidence gatherEvidence(const EvidenceInput& input, const SurfaceScale& scale,
                            const std::stop_token& stop);

} // namespace scanloupe
