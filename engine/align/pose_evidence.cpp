// Gathers the evidence about a pose from the distributions of both scans: plane-to-plane distances, normals,
// lines of sight, and the score of the scan in its own cells.
#include "engine/align/pose_evidence.h"

#include "engine/align/pose_probe.h"
#include "kernels/core/parallel.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt_report.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe {

namespace {

constexpr std::uint32_t kScoredPoints = 1000;
constexpr double kLeastDirection = 0.02; // added to each direction's share of the normals
constexpr double kLeastDistance = 0.005; // cells: what a pose is never better than
constexpr double kLeastAgreement = 0.5, kMostSeenThrough = 0.04;
constexpr double kLeastSlide = 0.6; // below, nothing can slide
constexpr double kLeastCurvature = 1e-6;
constexpr double kMostSlack = 500; // cells
constexpr double kMargin = 0.2;    // cells by which points float before others
constexpr std::uint32_t kSightPoints = 2000;
constexpr double kOwnBody =
    1.5; // cells around the sensor in which it sees the vehicle that carries it, which moves along

/// Weights under which each direction of the normals counts equally: leverages n^T (sum n n^T)^-1 n.
class DirectionWeights {
public:
    explicit DirectionWeights(std::span<const SurfaceMatch> matches) {
        double a[3][3] = {};
        for (const SurfaceMatch& match : matches)
            if (match.covered)
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        a[i][j] += match.normal[i] * match.normal[j];
        const double least = kLeastDirection * (a[0][0] + a[1][1] + a[2][2]) + 1e-9;
        double v[3][3];
        jacobiEigen(a, v);
        for (std::size_t k = 0; k < 3; ++k) {
            m_axes[k] = {v[k][0], v[k][1], v[k][2]};
            m_inverse[k] = 1 / (a[k][k] + least);
        }
    }
    double operator()(Vec3d normal) const {
        double weight = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double along = dot(m_axes[k], normal);
            weight += along * along * m_inverse[k];
        }
        return weight;
    }

private:
    std::array<Vec3d, 3> m_axes;
    std::array<double, 3> m_inverse{};
};

void setSurfaceFigures(std::span<const SurfaceMatch> matches, double edge, PoseFit& evidence) {
    const DirectionWeights weightOf(matches);
    double covered = 0, all = 0, agreeing = 0, squares = 0;
    for (const SurfaceMatch& match : matches) {
        evidence.surfaces += match.surface;
        if (!match.covered)
            continue;
        const double weight = weightOf(match.normal);
        covered += 1;
        all += weight;
        if (match.agrees(edge)) {
            agreeing += weight;
            squares += weight * match.offset * match.offset;
        }
    }
    evidence.overlap = evidence.surfaces > 0 ? covered / double(evidence.surfaces) : 0;
    evidence.agreement = all > 0 ? agreeing / all : 0;
    evidence.distance = agreeing > 0 ? std::sqrt(squares / agreeing) : edge;
}

/// The standard error along the weakest of the six motions, each scaled to move the surfaces by 1 m (RMS).
double slackOf(std::span<const SurfaceMatch> matches, double edge) {
    const Spread spread = spreadOf(matches, [&](const SurfaceMatch& match) { return match.agrees(edge); });
    if (spread.count < 6)
        return kMostSlack * edge;
    PlaneEquations equations(spread.middle, spread.lever);
    double squares = 0;
    for (const SurfaceMatch& match : matches)
        if (match.agrees(edge)) {
            equations.add(match, 1);
            squares += match.offset * match.offset;
        }
    equations.solve();
    const double error = std::max(std::sqrt(squares / double(spread.count)), kLeastDistance * edge);
    const double held = equations.eigenvalue(0);
    return held > 0 ? std::min(error / std::sqrt(held), kMostSlack * edge) : kMostSlack * edge;
}

} // namespace

ScanSight sightOf(const NdtScan& scan, Vec3d sensor, double resolution, const std::stop_token& stop) {
    ScanSight sight{
        DepthView(scan.points, scan.origin, sensor, kMargin * resolution, stop), {}, scan.origin, {}};
    sight.points = ndtThinned(scan.points, kSightPoints);
    const Vec3d shift = scan.origin - sensor;
    std::erase_if(sight.points,
                  [&](Vec3f p) { return !(norm(p.as<double>() + shift) > kOwnBody * resolution); });
    return sight;
}

ScanTraits traitsOf(const NdtScan& scan, Vec3d sensor, const NdtMapParams& map, const NdtParams& params,
                    const std::stop_token& stop) {
    NdtMapParams ownMap = map;
    ownMap.covariance = NdtCovariance::sample;
    ScanTraits traits{NdtMap(ownMap), {}, 0, {}};
    const auto see = [&] { traits.sight = sightOf(scan, sensor, map.resolution, stop); };
    const auto score = [&] {
        traits.cells.add(scan.points, scan.origin, {}, stop);
        NdtParams scoring = params;
        scoring.pointScores = scoring.geometry = scoring.trace = false;
        traits.scored = ndtThinned(scan.points, kScoredPoints);
        traits.score = cpu::scoreNdt(traits.cells, {traits.scored, scan.origin}, {}, scoring, stop).nvtl;
    };
    parallelFor(2, 1, stop, [&](std::size_t begin, std::size_t) { begin == 0 ? see() : score(); });
    return traits;
}

double PoseEvidence::slide(double resolution) const {
    return slack / (resolution * std::max(leastCurvature, kLeastCurvature));
}

PoseEvidence gatherEvidence(const EvidenceInput& input, const NdtParams& ndt, const std::stop_token& stop) {
    PoseEvidence evidence;
    const NdtResult& result = input.result;
    const double edge = input.target.params().resolution;
    evidence.converged = result.converged();
    evidence.searched = input.rival != nullptr;
    evidence.weakDirections = result.geometry.degenerate;
    const auto& curvatures = result.geometry.eigenvalues;
    evidence.leastCurvature = curvatures[5] > 0 ? std::max(curvatures[0], 0.0) / curvatures[5] : 0;
    if (result.pointsWithCell == 0)
        return evidence;
    const ScanSight &here = input.scan.sight, &there = input.targetSight;
    evidence.sightKnown = here.depth.isKnown() && there.depth.isKnown();
    const auto seenThrough = [&](const RigidTransform& pose) {
        if (!evidence.sightKnown)
            return 0.0;
        const RigidTransform thereFromHere = there.pose.inverse() * pose;
        return (there.depth.shareBefore(here.points, here.origin, thereFromHere, stop) +
                here.depth.shareBefore(there.points, there.origin, thereFromHere.inverse(), stop)) /
               2;
    };
    const auto matchesAt = [&](const RigidTransform& pose) {
        return matchSurfaces(input.target, input.scan.cells, pose, 1, stop);
    };
    const auto scoreRatio = [&](double nvtl) { return input.scan.score > 0 ? nvtl / input.scan.score : 0; };

    ProbeInput probe{input.target, input.scan.cells, {input.scan.scored, here.origin}, result.pose, ndt};
    probe.params.pointScores = probe.params.geometry = probe.params.trace = false;
    evidence.scoreRatio = scoreRatio(result.nvtl);
    parallelFor(2, 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i == 0) {
                evidence.seenThrough = seenThrough(result.pose);
                continue;
            }
            const auto matches = matchesAt(result.pose);
            setSurfaceFigures(matches, edge, evidence);
            evidence.slack = slackOf(matches, edge);
        }
    });
    if (evidence.agreement < kLeastAgreement || evidence.seenThrough > kMostSeenThrough)
        return evidence; // contradicted, whatever others there are
    const PoseProber prober(probe, stop);
    PoseProbe other;
    parallelFor(2, 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i == 0 && evidence.slide(edge) > kLeastSlide)
                evidence.slideRatio = prober.slid().ratio;
            if (i == 1 && !input.rival)
                other = prober.turned();
        }
    });
    if (input.rival && input.rival->score > 0 && result.score > 0)
        other = {input.rival->pose, input.rival->score / result.score};
    if (other.ratio > 0) {
        const Vec3d sensor = here.depth.sensor();
        evidence.rival = {other.ratio,
                          norm(other.pose(sensor) - result.pose(sensor)),
                          rotationAngle(result.pose.inverse() * other.pose),
                          {}};
    }
    if (other.ratio >= PoseRival::leastRatio) {
        PoseRival& rival = evidence.rival;
        setSurfaceFigures(matchesAt(other.pose), edge, rival.fit);
        rival.fit.seenThrough = seenThrough(other.pose);
        rival.fit.scoreRatio =
            scoreRatio(cpu::scoreNdt(input.target, probe.points, other.pose, probe.params, stop).nvtl);
    }
    return evidence;
}

} // namespace scanloupe
