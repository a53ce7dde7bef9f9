// Gathers the evidence about a pose from the distributions of both scans: plane-to-plane distances, normals,
// lines of sight, and the score of the scan in its own cells.
#include "engine/align/pose_evidence.h"

#include "kernels/core/parallel.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt_cell.h"
#include "kernels/register/ndt_report.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::uint32_t kScoredPoints = 1000;
constexpr double kNormalCosine = 0.9;    // 26 degrees
constexpr double kAgreeing = 1.0 / 8;    // of a cell's edge
constexpr double kNear = 1.25;           // cells between the middles of surfaces that are compared
constexpr double kLeastDirection = 0.02; // added to each direction's share of the normals
constexpr double kLeastDistance = 0.01;  // metres: what a pose is never better than
constexpr double kMostSlack = 1e3;       // metres
constexpr double kMargin = 0.2;          // cells by which points float before others
constexpr std::uint32_t kSightPoints = 2000;
constexpr double kOwnBody =
    1.5; // cells around the sensor in which it sees the vehicle that carries it, which moves along

/// Whether a cell's points lie on a surface: they spread in two directions and hardly in the third.
bool isSurface(const NdtCell& cell, double resolution) {
    constexpr double thin = 0.35;       // thickness to the smaller width
    constexpr double leastWidth = 0.12; // standard deviation to the cell's edge
    return cell.deviations[0] < thin * cell.deviations[1] && cell.deviations[1] > leastWidth * resolution;
}

/// A surface of the scan at the pose, and the one of the target that it is compared with.
struct Match {
    Vec3d place, normal; ///< of the target's surface; relative to the map's origin
    bool surface = false, covered = false, parallel = false;
    double distance = 0; ///< along the normal, metres
};

/// The surface around `x` that is nearest to it, of those that are parallel to it if there are any.
Match matchOf(const NdtMap& map, Vec3d x, Vec3d normal) {
    const double edge = map.params().resolution;
    Match match;
    match.surface = true;
    match.place = x;
    Vec3i cell;
    if (!ndtCellOf(1 / edge, x, cell))
        return match;
    double nearest = kNear * edge;
    for (int k = 0; k < 27; ++k) {
        const std::uint32_t found = map.find(cell + ndtNeighbour(k));
        if (found == kNoCell)
            continue;
        const NdtCell& there = map.cells()[found];
        if (!isSurface(there, edge))
            continue;
        const double apart = norm(x - there.mean);
        const bool parallel = std::abs(dot(there.axes[0], normal)) > kNormalCosine;
        if (apart > kNear * edge || parallel < match.parallel ||
            (parallel == match.parallel && apart >= nearest))
            continue;
        nearest = apart;
        match.covered = true;
        match.parallel = parallel;
        match.normal = there.axes[0];
        match.distance = std::abs(dot(there.axes[0], x - there.mean));
    }
    return match;
}

std::vector<Match> matchesOf(const NdtMap& target, const NdtMap& own, const RigidTransform& pose,
                             const std::stop_token& stop) {
    std::vector<Match> matches(own.cells().size());
    parallelFor(matches.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const NdtCell& cell = own.cells()[i];
            if (isSurface(cell, own.params().resolution))
                matches[i] = matchOf(target, pose(cell.mean + own.origin()) - target.origin(),
                                     pose.rotate(cell.axes[0]));
        }
    });
    return matches;
}

/// Weights under which each direction of the normals counts equally: leverages n^T (sum n n^T)^-1 n.
class DirectionWeights {
public:
    explicit DirectionWeights(std::span<const Match> matches) {
        double a[3][3] = {};
        for (const Match& match : matches)
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

bool agrees(const Match& match, double edge) {
    return match.parallel && match.distance < kAgreeing * edge;
}

void setSurfaceFigures(std::span<const Match> matches, double edge, PoseEvidence& evidence) {
    const DirectionWeights weightOf(matches);
    double covered = 0, all = 0, agreeing = 0, squares = 0;
    for (const Match& match : matches) {
        evidence.surfaces += match.surface;
        if (!match.covered)
            continue;
        const double weight = weightOf(match.normal);
        covered += 1;
        all += weight;
        if (agrees(match, edge)) {
            agreeing += weight;
            squares += weight * match.distance * match.distance;
        }
    }
    evidence.overlap = evidence.surfaces > 0 ? covered / double(evidence.surfaces) : 0;
    evidence.agreement = all > 0 ? agreeing / all : 0;
    evidence.distance = agreeing > 0 ? std::sqrt(squares / agreeing) : edge;
}

/// The standard error along the weakest of the six motions, each scaled to move the surfaces by 1 m (RMS).
double slackOf(std::span<const Match> matches, double edge) {
    Vec3d middle;
    double count = 0, squares = 0, spread = 0;
    for (const Match& match : matches)
        if (agrees(match, edge)) {
            middle += match.place;
            squares += match.distance * match.distance;
            count += 1;
        }
    if (count < 6)
        return kMostSlack;
    middle = middle / count;
    for (const Match& match : matches)
        if (agrees(match, edge))
            spread += dot(match.place - middle, match.place - middle);
    const double lever = std::max(std::sqrt(spread / count), 1e-3);
    double a[6][6] = {}, v[6][6];
    for (const Match& match : matches) {
        if (!agrees(match, edge))
            continue;
        const Vec3d turn = cross(match.place - middle, match.normal) / lever;
        const double row[6] = {match.normal.x, match.normal.y, match.normal.z, turn.x, turn.y, turn.z};
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j)
                a[i][j] += row[i] * row[j];
    }
    jacobiEigen(a, v);
    const double error = std::max(std::sqrt(squares / count), kLeastDistance);
    return a[0][0] > 0 ? std::min(error / std::sqrt(a[0][0]), kMostSlack) : kMostSlack;
}

void setRival(const EvidenceInput& input, PoseEvidence& evidence) {
    evidence.searched = input.rival != nullptr;
    if (!input.rival || !(input.rival->score > 0) || !(input.result.score > 0))
        return;
    const RigidTransform &pose = input.result.pose, &other = input.rival->pose;
    const Vec3d sensor = input.scan.sight.depth.sensor();
    evidence.rivalRatio = input.rival->score / input.result.score;
    evidence.rivalDistance = norm(other(sensor) - pose(sensor));
    evidence.rivalAngle = rotationAngle(pose.inverse() * other);
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
    ScanTraits traits{NdtMap(ownMap), 0, {}};
    const auto see = [&] { traits.sight = sightOf(scan, sensor, map.resolution, stop); };
    const auto score = [&] {
        traits.cells.add(scan.points, scan.origin, {}, stop);
        NdtParams scoring = params;
        scoring.pointScores = scoring.geometry = scoring.trace = false;
        const std::vector<Vec3f> some = ndtThinned(scan.points, kScoredPoints);
        traits.score = cpu::scoreNdt(traits.cells, {some, scan.origin}, {}, scoring, stop).nvtl;
    };
    parallelFor(2, 1, stop, [&](std::size_t begin, std::size_t) { begin == 0 ? see() : score(); });
    return traits;
}

PoseEvidence gatherEvidence(const EvidenceInput& input, const std::stop_token& stop) {
    PoseEvidence evidence;
    const NdtResult& result = input.result;
    const double edge = input.target.params().resolution;
    evidence.converged = result.converged();
    evidence.weakDirections = result.geometry.degenerate;
    const auto& curvatures = result.geometry.eigenvalues;
    evidence.leastCurvature = curvatures[5] > 0 ? std::max(curvatures[0], 0.0) / curvatures[5] : 0;
    if (result.pointsWithCell == 0)
        return evidence;
    const std::vector<Match> matches = matchesOf(input.target, input.scan.cells, result.pose, stop);
    setSurfaceFigures(matches, edge, evidence);
    evidence.slack = slackOf(matches, edge);
    evidence.scoreRatio = input.scan.score > 0 ? result.nvtl / input.scan.score : 0;
    const ScanSight &here = input.scan.sight, &there = input.targetSight;
    evidence.sightKnown = here.depth.isKnown() && there.depth.isKnown();
    if (evidence.sightKnown) {
        const RigidTransform thereFromHere = there.pose.inverse() * result.pose;
        evidence.seenThrough =
            (there.depth.shareBefore(here.points, here.origin, thereFromHere, stop) +
             here.depth.shareBefore(there.points, there.origin, thereFromHere.inverse(), stop)) /
            2;
    }
    setRival(input, evidence);
    return evidence;
}

} // namespace scanloupe
