// Refines other poses by point-to-plane steps of the scan's surfaces, and scores those that hold.
#include "engine/align/pose_probe.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

constexpr std::size_t kSurfaces = 96; // of the scan's that steps are made by
constexpr int kSteps = 5;
constexpr double kLeastShare = 0.6; // of the pose's parallel matches, below which another pose is given up
constexpr double kLeastCount = 6;   // parallel matches
constexpr double kFar = 1.0 / 8;    // cells, from which on matches count less
constexpr double kApart = 0.2;      // cells
constexpr double kTurned = 0.05;    // radians
constexpr double kQuantile = 0.03;  // of a scan's surfaces at each end that are no walls

double parallelCount(std::span<const SurfaceMatch> matches) {
    return double(std::ranges::count_if(matches, &SurfaceMatch::parallel));
}

double agreeingCount(std::span<const SurfaceMatch> matches, double edge) {
    return double(std::ranges::count_if(matches, [&](const SurfaceMatch& m) { return m.agrees(edge); }));
}

/// The middle between the outermost surfaces, along the horizontal directions that most walls face.
Vec3d middleOf(std::span<const SurfaceMatch> matches) {
    double cosine = 0, sine = 0;
    for (const SurfaceMatch& match : matches)
        if (const double flat = std::hypot(match.normal.x, match.normal.y); match.covered && flat > 0.8) {
            const double angle = 4 * std::atan2(match.normal.y, match.normal.x);
            cosine += std::cos(angle);
            sine += std::sin(angle);
        }
    const double yaw = std::atan2(sine, cosine) / 4;
    Vec3d middle;
    std::vector<double> places;
    for (const double turn : {0.0, std::numbers::pi / 2}) {
        const Vec3d axis{std::cos(yaw + turn), std::sin(yaw + turn), 0};
        places.clear();
        for (const SurfaceMatch& match : matches)
            if (match.surface)
                places.push_back(dot(axis, match.place));
        if (places.empty())
            return {};
        std::ranges::sort(places);
        const auto at = [&](double share) { return places[std::size_t(share * double(places.size() - 1))]; };
        middle += axis * (0.5 * (at(kQuantile) + at(1 - kQuantile)));
    }
    return middle;
}

} // namespace

PoseProber::PoseProber(const ProbeInput& input, const std::stop_token& stop)
    : m_input(input), m_stop(stop), m_edge(input.target.params().resolution),
      m_stride(std::max<std::size_t>(1, input.scan.cells().size() / kSurfaces)),
      m_here(matchesAt(input.pose)),
      m_leastParallel(std::max(kLeastShare * parallelCount(m_here), kLeastCount)),
      m_leastAgreeing(std::max(kLeastShare * agreeingCount(m_here, m_edge), kLeastCount)) {}

std::vector<SurfaceMatch> PoseProber::matchesAt(const RigidTransform& pose) const {
    return matchSurfaces(m_input.target, m_input.scan, pose, m_stride, m_stop);
}

/// The pose after a motion in the map's frame, relative to its origin.
RigidTransform PoseProber::posed(RigidTransform moved) const {
    moved.translation += m_input.target.origin() - moved.rotate(m_input.target.origin());
    return moved * m_input.pose;
}

/// The pose that a motion leads to, if the surfaces meet there about as well as at the pose itself.
std::optional<RigidTransform> PoseProber::refined(RigidTransform moved) const {
    for (int step = 0; step < kSteps; ++step) {
        const auto matches = matchesAt(posed(moved));
        if (parallelCount(matches) < m_leastParallel)
            return std::nullopt;
        const Spread there = spreadOf(matches, &SurfaceMatch::parallel);
        PlaneEquations equations(there.middle, there.lever);
        for (const SurfaceMatch& match : matches)
            if (match.parallel) {
                const double far = match.offset / (kFar * m_edge);
                equations.add(match, 1 / (1 + far * far));
            }
        equations.solve();
        moved = equations.step() * moved;
    }
    const RigidTransform pose = posed(moved);
    if (agreeingCount(matchesAt(pose), m_edge) < m_leastAgreeing)
        return std::nullopt;
    return pose;
}

double PoseProber::scoreAt(const RigidTransform& pose) const {
    return cpu::scoreNdt(m_input.target, m_input.points, pose, m_input.params, m_stop).score;
}

/// The best of the poses that motions lead to, apart from where the pose itself is refined to.
PoseProbe PoseProber::best(std::span<const RigidTransform> motions) const {
    std::vector<std::optional<RigidTransform>> others(motions.size());
    parallelFor(motions.size(), 1, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            others[i] = refined(motions[i]);
    });
    std::erase(others, std::nullopt);
    if (others.empty())
        return {};
    others.emplace_back(m_input.pose); // refined and scored alike, so that scores compare
    std::vector<double> scores(others.size());
    parallelFor(others.size(), 1, m_stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (i + 1 == others.size())
                others[i] = refined({}).value_or(m_input.pose);
            scores[i] = scoreAt(*others[i]);
        }
    });
    const RigidTransform& own = *others.back();
    const Vec3d place =
        m_input.pose.inverse()(spreadOf(m_here, &SurfaceMatch::surface).middle + m_input.target.origin());
    PoseProbe best;
    for (std::size_t i = 0; i + 1 < others.size(); ++i) {
        const RigidTransform& other = *others[i];
        const bool apart = norm(other(place) - own(place)) > kApart * m_edge ||
                           rotationAngle(other.inverse() * own) > kTurned;
        const double ratio = scores.back() > 0 ? scores[i] / scores.back() : 0;
        if (apart && ratio > best.ratio)
            best = {other, ratio};
    }
    return best;
}

PoseProbe PoseProber::turned() const {
    const Vec3d middle = middleOf(m_here);
    std::vector<RigidTransform> motions;
    for (int quarter = 1; quarter < 4; ++quarter) {
        RigidTransform turn = fromRollPitchYaw({0, 0, quarter * std::numbers::pi / 2}, {});
        turn.translation = middle - turn.rotate(middle);
        motions.push_back(turn);
    }
    return best(motions);
}

PoseProbe PoseProber::slid() const {
    const auto isAgreeing = [&](const SurfaceMatch& match) { return match.agrees(m_edge); };
    const Spread spread = spreadOf(m_here, isAgreeing);
    PlaneEquations held(spread.middle, spread.lever);
    for (const SurfaceMatch& match : m_here)
        if (isAgreeing(match))
            held.add(match, 1);
    held.solve();
    std::vector<RigidTransform> motions;
    for (const double cells : {-1.0, -0.5, 0.5, 1.0})
        motions.push_back(held.motion(0, cells * m_edge));
    return best(motions);
}

} // namespace scanloupe
