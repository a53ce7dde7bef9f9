// Gathers the evidence about a pose: coincident surfaces, lines of sight, unconstrained directions, and rival
// poses.
#include "engine/align/pose_evidence.h"

#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/ndt/ndt_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace scanloupe {

namespace {

constexpr double kMinAgreement = 0.5,
                 kMaxSeenThrough = 0.04; // above this value the pose is contradicted, whatever its rivals
constexpr double kMargin = 1.6;          // minimum distance between a floating point and the surface behind
                                         // it, in spacings
constexpr std::uint32_t kSightPoints = 2000;
constexpr double kOwnBody =
    5; // radius around the sensor that may contain the moving vehicle, as a multiple of the reach
constexpr double kRivalAgreement = 0.12; // maximum amount by which a rival's agreement is below that of the
                                         // pose
constexpr double kRivalOverlap = 0.2;    // minimum overlap of a rival, as a fraction of the pose's overlap
constexpr double kRivalSupport = 0.1;    // minimum support of a rival in any direction, as a fraction of the
                                         // pose's support
constexpr std::size_t kMaxRivals = 4;
// Two poses are distinct if their sensor positions are more than kApart tolerances apart, or if their
// rotations differ by more than kTurned radians.
constexpr double kApart = 3, kTurned = 0.05;

class EvidenceGatherer {
public:
    EvidenceGatherer(const EvidenceInput& input, const SurfaceScale& scale, const std::stop_token& stop)
        : m_input(input), m_scale(scale), m_stop(stop), m_nearest(*input.targets.front()),
          m_sightKnown(input.scan.depth.isKnown() && m_nearest.depth.isKnown()),
          m_target(scale, m_sightKnown), m_own(scale, m_sightKnown) {
        for (const ScanSight* sight : input.targets)
            m_target.add(sight->surfels, sight->origin, sight->pose);
        m_own.add(input.scan.surfels, input.scan.origin, {});
        m_target.build();
        m_own.build();
    }

    PoseEvidence gather() {
        PoseEvidence evidence;
        evidence.converged = m_input.converged;
        evidence.searched = m_input.searched;
        evidence.sightKnown = m_sightKnown;
        const ScanSurface scan{m_input.scan.surfels, m_input.scan.origin, &m_own, &m_input.scan.depth};
        const SurfaceComparison comparison(m_target, m_nearest.depth, m_nearest.pose, scan);
        PoseProber prober(comparison, m_input.pose, m_stop);
        static_cast<PoseFit&>(evidence) = fitOf(prober.base(), m_input.pose);
        std::tie(evidence.settleDistance, evidence.settleAngle) = motionTo(prober.settled());
        evidence.strongSettleDistance = evidence.settleDistance;
        evidence.strongSettleAngle = evidence.settleAngle;
        evidence.slack = prober.slack();
        if (evidence.agreement < kMinAgreement || evidence.seenThrough > kMaxSeenThrough)
            return evidence;
        evidence.weak = prober.weakDirections();
        if (!evidence.weak.empty())
            std::tie(evidence.strongSettleDistance, evidence.strongSettleAngle) =
                motionTo(prober.settledAcross(evidence.weak));
        evidence.slack = prober.slack();
        std::vector<PoseCandidate> candidates = prober.candidates();
        if (m_input.rival)
            candidates.push_back(prober.candidate(*m_input.rival));
        addRivals(prober, std::move(candidates), evidence);
        return evidence;
    }

private:
    /// From the pose to another one: shift of the sensor, metres, and rotation, radians.
    std::pair<double, double> motionTo(const RigidTransform& pose) const {
        return {norm(sensorAt(pose) - sensorAt(m_input.pose)), rotationAngle(m_input.pose.inverse() * pose)};
    }
    Vec3d sensorAt(const RigidTransform& pose) const { return pose(m_input.scan.depth.sensor()); }

    PoseFit fitOf(const SurfaceTally& tally, const RigidTransform& pose) const {
        PoseFit fit;
        fit.surfaces = m_input.scan.surfels.size();
        fit.overlap = tally.overlap();
        fit.agreement = tally.agreement();
        fit.distance = tally.agreeing > 0 ? std::sqrt(tally.squares / tally.agreeing) : m_scale.tolerance;
        fit.seenThrough = seenThrough(pose);
        return fit;
    }

    double seenThrough(const RigidTransform& pose) const {
        if (!m_sightKnown)
            return 0;
        const ScanSight& here = m_input.scan;
        const RigidTransform thereFromHere = m_nearest.pose.inverse() * pose;
        return (m_nearest.depth.shareBefore(here.points, here.origin, thereFromHere, m_stop) +
                here.depth.shareBefore(m_nearest.points, m_nearest.origin, thereFromHere.inverse(), m_stop)) /
               2;
    }

    bool areApart(const RigidTransform& a, const RigidTransform& b) const {
        return norm(sensorAt(a) - sensorAt(b)) > kApart * m_scale.tolerance ||
               rotationAngle(a.inverse() * b) > kTurned;
    }

    void addRivals(const PoseProber& prober, std::vector<PoseCandidate> candidates, PoseEvidence& evidence) {
        std::erase_if(candidates, [&](const PoseCandidate& c) {
            return c.tally.agreement() < prober.base().agreement() - kRivalAgreement ||
                   c.tally.overlap() < kRivalOverlap * prober.base().overlap() ||
                   !areApart(c.pose, m_input.pose) || prober.isAlong(evidence.weak, c.pose);
        });
        std::ranges::stable_sort(candidates, [](const PoseCandidate& a, const PoseCandidate& b) {
            return a.tally.agreement() > b.tally.agreement();
        });
        for (const PoseCandidate& c : candidates) {
            const bool isKnown = std::ranges::any_of(
                evidence.rivals, [&](const PoseRival& r) { return !areApart(r.pose, c.pose); });
            if (isKnown || evidence.rivals.size() == kMaxRivals)
                continue;
            const PoseCandidate refined = prober.refined(c);
            if (!areApart(refined.pose, m_input.pose)) // refinement led back to the pose itself
                continue;
            if (refined.tally.supportOf(prober.base()) < kRivalSupport)
                continue;
            const PoseFit fit = fitOf(refined.tally, refined.pose);
            evidence.rivals.push_back({.pose = refined.pose,
                                       .shift = sensorAt(refined.pose) - sensorAt(m_input.pose),
                                       .angle = rotationAngle(m_input.pose.inverse() * refined.pose),
                                       .fit = fit,
                                       .ratio = fit.agreement / evidence.agreement});
        }
        std::ranges::stable_sort(evidence.rivals, [](const PoseRival& a, const PoseRival& b) {
            return a.fit.agreement - a.fit.seenThrough > b.fit.agreement - b.fit.seenThrough;
        });
    }

    const EvidenceInput& m_input;
    SurfaceScale m_scale;
    const std::stop_token& m_stop;
    const ScanSight& m_nearest;
    bool m_sightKnown;
    SurfaceIndex m_target, m_own;
};

} // namespace

PointShapeParams shapeParamsOf(const SurfaceScale& scale, Vec3d viewpoint) {
    PointShapeParams params;
    params.edge = scale.spacing;
    params.neighbours = scale.neighbours;
    params.viewpoint = viewpoint;
    return params;
}

ScanSight sightOf(std::span<const Vec3f> points, const PointShapes& shapes, Vec3d origin, Vec3d sensor,
                  const SurfaceScale& scale, const std::stop_token& stop) {
    ScanSight sight{DepthView(points, origin, sensor, kMargin * scale.spacing, stop), {}, {}, origin, {}};
    const Vec3d shift = origin - sensor;
    sight.points = ndtThinned(points, kSightPoints);
    std::erase_if(sight.points,
                  [&](Vec3f p) { return !(norm(p.as<double>() + shift) > kOwnBody * scale.reach); });
    sight.surfels = surfelsOf(shapes, scale);
    return sight;
}

ScanSight sightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, const SurfaceScale& scale,
                  const std::stop_token& stop) {
    return sightOf(points, cpu::findPointShapes(points, shapeParamsOf(scale, sensor - origin), stop), origin,
                   sensor, scale, stop);
}

ScanSight firstSightOf(std::span<const Vec3f> points, Vec3d origin, Vec3d sensor, SurfaceScale& scale,
                       PointShapes& shapes, const std::stop_token& stop) {
    scale = SurfaceScale::of(points, sensor - origin);
    shapes = cpu::findPointShapes(points, shapeParamsOf(scale, sensor - origin), stop);
    scale.allowNoise(shapes);
    return sightOf(points, shapes, origin, sensor, scale, stop);
}

std::vector<ScanSightPtr> nearestSights(std::span<const ScanSightPtr> sights, Vec3d sensor,
                                        std::size_t count) {
    std::vector<ScanSightPtr> nearest(sights.begin(), sights.end());
    count = std::min(count, nearest.size());
    std::ranges::partial_sort(nearest, nearest.begin() + std::ptrdiff_t(count), {},
                              [&](const ScanSightPtr& s) { return norm(s->sensor() - sensor); });
    nearest.resize(count);
    return nearest;
}

PoseEvidence gatherEvidence(const EvidenceInput& input, const SurfaceScale& scale,
                            const std::stop_token& stop) {
    return EvidenceGatherer(input, scale, stop).gather();
}

} // namespace scanloupe
