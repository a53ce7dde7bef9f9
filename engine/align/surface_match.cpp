// Matches surfels in both directions, and solves point-to-plane equations by eigendecomposition.
#include "engine/align/surface_match.h"

#include "kernels/core/parallel.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/registration_step.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kSurfaceMatchGrain = 256; // about 0.1 ms of work; less is not worth a task
constexpr double kDamping = 1e-3;               // relative to the sum of the eigenvalues
constexpr double kFaces = 0.5;                  // minimum cosine between a normal and the direction that it
                                                // faces along
constexpr double kMinPoseHolding = 10;          // minimum number of surfels that constrain a pose in a
                                                // direction
constexpr std::size_t kMinSettling = 6;         // minimum number of matches for a step
constexpr double kStill = 0.02;                 // maximum motion of the last step, in tolerances
constexpr double kLeastDirection = 0.02;        // added to each direction's fraction of the normals

std::array<double, 6> normalMoments(std::span<const Surfel> surfels) {
    std::array<double, 6> sum{};
    for (const Surfel& s : surfels) {
        const Vec3d n = s.normal.as<double>();
        const double products[6] = {n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z};
        for (std::size_t k = 0; k < 6; ++k)
            sum[k] += products[k];
    }
    return sum;
}

std::size_t strideFor(std::size_t size, std::size_t count) {
    return std::max<std::size_t>(1, size / count);
}

/// Adds a match to a tally. @param isBefore whether the surfel is in front of the other scan's surface
void addMatch(SurfaceTally& tally, const SurfaceMatch& match, double weight, bool isBefore) {
    tally.all += 1;
    if (match.state == SurfaceMatch::State::apart) {
        tally.floating += isBefore ? weight : 0;
        tally.contradictingSquares += isBefore ? weight * weight : 0;
        return;
    }
    tally.covered += 1;
    if (match.agrees()) {
        tally.agreeing += weight;
        tally.squares += weight * match.offset * match.offset;
    } else {
        tally.differing += weight;
        tally.contradictingSquares += weight * weight;
    }
}

SurfaceTally joined(SurfaceTally a, const SurfaceTally& b) {
    return a += b;
}

} // namespace

DirectionWeights::DirectionWeights(std::array<double, 6> m) {
    double a[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
    const double least = kLeastDirection * (m[0] + m[3] + m[5]) + 1e-9;
    double v[3][3];
    jacobiEigen(a, v);
    for (std::size_t k = 0; k < 3; ++k) {
        m_axes[k] = {v[k][0], v[k][1], v[k][2]};
        m_inverse[k] = 1 / (a[k][k] + least);
    }
}

double DirectionWeights::operator()(Vec3d normal) const {
    double weight = 0;
    for (std::size_t k = 0; k < 3; ++k)
        weight += along(normal, k) * along(normal, k) * m_inverse[k];
    return weight;
}

SurfaceTally& SurfaceTally::operator+=(const SurfaceTally& o) {
    all += o.all;
    covered += o.covered;
    agreeing += o.agreeing;
    differing += o.differing;
    floating += o.floating;
    contradictingSquares += o.contradictingSquares;
    squares += o.squares;
    for (std::size_t k = 0; k < 3; ++k)
        holding[k] += o.holding[k];
    return *this;
}

double SurfaceTally::contradictingBeyond(const SurfaceTally& other) const {
    const double weight = differing + floating - other.differing - other.floating;
    const double square = contradictingSquares - other.contradictingSquares;
    if (!(weight > 0))
        return 0;
    // A difference of squares may vanish while weights differ; no part is more than the whole.
    const double whole = (differing + floating) * (differing + floating) / contradictingSquares;
    return square > 0 ? std::min(weight * weight / square, whole) : whole;
}

double SurfaceTally::supportOf(const SurfaceTally& other) const {
    double least = 1;
    for (std::size_t k = 0; k < 3 && all > 0; ++k)
        if (other.holding[k] >= kMinPoseHolding)
            least = std::min(least, holding[k] / all / (other.holding[k] / other.all));
    return all > 0 ? least : 0;
}

double SurfaceTally::agreement() const {
    const double known = agreeing + differing + floating;
    return known > 0 ? agreeing / known : 0;
}

SurfaceComparison::SurfaceComparison(const SurfaceIndex& targetIndex, const DepthView& targetDepth,
                                     const RigidTransform& targetPose, const ScanSurface& scan)
    : m_target(targetIndex), m_targetDepth(targetDepth), m_targetPose(targetPose), m_scan(scan),
      m_targetMoments(normalMoments(targetIndex.surfels())), m_scanMoments(normalMoments(scan.surfels)) {}

std::vector<SurfaceMatch> SurfaceComparison::matches(const RigidTransform& pose, std::size_t stride,
                                                     const std::stop_token& stop) const {
    std::vector<SurfaceMatch> found(chunkCount(m_scan.surfels.size(), stride));
    parallelFor(found.size(), kSurfaceMatchGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Surfel& s = m_scan.surfels[i * stride];
            found[i] = m_target.find(pose(s.place.as<double>() + m_scan.origin) - m_target.base(),
                                     pose.rotate(s.normal.as<double>()));
        }
    });
    return found;
}

SurfaceTally SurfaceComparison::tally(const RigidTransform& pose, std::size_t count,
                                      const std::stop_token& stop) const {
    const RigidTransform back = pose.inverse(), toTarget = m_targetPose.inverse();
    const DirectionWeights here(m_scanMoments), there(m_targetMoments);
    const std::size_t stride = strideFor(m_scan.surfels.size(), count);
    const SurfaceTally forth = parallelReduce(
        chunkCount(m_scan.surfels.size(), stride), kSurfaceMatchGrain, stop, SurfaceTally{},
        [&](std::size_t begin, std::size_t end) {
            SurfaceTally part;
            for (std::size_t i = begin; i < end; ++i) {
                const Surfel& s = m_scan.surfels[i * stride];
                const Vec3d n = s.normal.as<double>(), x = pose(s.place.as<double>() + m_scan.origin);
                const SurfaceMatch match = m_target.find(x - m_target.base(), pose.rotate(n));
                addMatch(part, match, here(n),
                         match.state == SurfaceMatch::State::apart && m_targetDepth.isBefore(toTarget(x)));
                for (std::size_t k = 0; k < 3 && match.agrees(); ++k)
                    part.holding[k] += std::abs(here.along(n, k)) > kFaces ? 1 : 0;
            }
            return part;
        },
        joined);
    const auto targets = m_target.surfels();
    const std::size_t step = strideFor(targets.size(), count);
    SurfaceTally both = parallelReduce(
        chunkCount(targets.size(), step), kSurfaceMatchGrain, stop, SurfaceTally{},
        [&](std::size_t begin, std::size_t end) {
            SurfaceTally part;
            for (std::size_t i = begin; i < end; ++i) {
                const Surfel& s = targets[i * step];
                const Vec3d n = s.normal.as<double>(), x = back(s.place.as<double>() + m_target.base());
                const SurfaceMatch match = m_scan.index->find(x - m_scan.index->base(), back.rotate(n));
                addMatch(part, match, there(n),
                         match.state == SurfaceMatch::State::apart && m_scan.depth->isBefore(x));
            }
            return part;
        },
        joined);
    both.all = both.covered = 0; // the overlap is counted for the scan's surfels only
    return both += forth;
}

std::optional<RigidTransform> SurfaceComparison::settled(RigidTransform pose, int steps, std::size_t count,
                                                         std::size_t least,
                                                         const std::stop_token& stop) const {
    const std::size_t stride = strideFor(m_scan.surfels.size(), count);
    const Vec3d base = m_target.base();
    for (int step = 0; step < steps; ++step) {
        const auto found = matches(pose, stride, stop);
        const Spread spread = spreadOf(found);
        if (spread.count < std::max(kMinSettling, least / stride))
            return std::nullopt;
        PlaneEquations equations(spread.middle, spread.lever);
        for (const SurfaceMatch& match : found)
            if (match.isParallel()) {
                const double far = match.offset / m_target.scale().tolerance;
                equations.add(match, 1 / (1 + far * far));
            }
        equations.solve();
        double length = 0;
        RigidTransform moved = equations.step(length);
        moved.translation += base - moved.rotate(base);
        pose = moved * pose;
        if (length < kStill * m_target.scale().tolerance)
            break;
    }
    return pose;
}

std::array<double, 6> PlaneEquations::row(const SurfaceMatch& match) const {
    const Vec3d turn = cross(match.place - m_middle, match.normal) / m_lever;
    return {match.normal.x, match.normal.y, match.normal.z, turn.x, turn.y, turn.z};
}

void PlaneEquations::add(const SurfaceMatch& match, double weight) {
    const std::array<double, 6> r = row(match);
    for (std::size_t i = 0; i < 6; ++i) {
        m_b[i] -= weight * r[i] * match.offset;
        for (std::size_t j = 0; j < 6; ++j)
            m_a[i][j] += weight * r[i] * r[j];
    }
}

void PlaneEquations::solve() {
    jacobiEigen(m_a, m_v);
}

Vec3d PlaneEquations::velocity(const SurfaceMatch& match, int i) const {
    const double* v = m_v[i];
    return Vec3d{v[0], v[1], v[2]} + cross(Vec3d{v[3], v[4], v[5]}, match.place - m_middle) / m_lever;
}

RigidTransform PlaneEquations::transform(const double (&motion)[6]) const {
    const Vec3d angles = Vec3d{motion[3], motion[4], motion[5]} / m_lever;
    RigidTransform moved = fromRollPitchYaw(angles, {});
    moved.translation = Vec3d{motion[0], motion[1], motion[2]} + m_middle - moved.rotate(m_middle);
    return moved;
}

RigidTransform PlaneEquations::motion(int i, double amount) const {
    double along[6];
    for (int k = 0; k < 6; ++k)
        along[k] = amount * m_v[i][k];
    return transform(along);
}

std::array<double, 6> PlaneEquations::direction(int i) const {
    std::array<double, 6> v{};
    for (std::size_t k = 0; k < 6; ++k)
        v[k] = m_v[i][k];
    return v;
}

RigidTransform PlaneEquations::without(const RigidTransform& motion,
                                       std::span<const std::array<double, 6>> directions) const {
    const Vec3d shift = motion(m_middle) - m_middle, turn = m_lever * rotationVector(motion);
    double rest[6] = {shift.x, shift.y, shift.z, turn.x, turn.y, turn.z};
    for (const auto& direction : directions) {
        double along = 0;
        for (std::size_t k = 0; k < 6; ++k)
            along += direction[k] * rest[k];
        for (std::size_t k = 0; k < 6; ++k)
            rest[k] -= along * direction[k];
    }
    return transform(rest);
}

RigidTransform PlaneEquations::step(double& length) const {
    double sum = 0, motion[6] = {};
    for (int i = 0; i < 6; ++i)
        sum += m_a[i][i];
    for (int i = 0; i < 6; ++i) {
        double along = 0;
        for (int k = 0; k < 6; ++k)
            along += m_v[i][k] * m_b[k];
        along /= m_a[i][i] + kDamping * sum;
        for (int k = 0; k < 6; ++k)
            motion[k] += along * m_v[i][k];
    }
    double square = 0;
    for (const double part : motion)
        square += part * part;
    length = std::sqrt(square);
    return transform(motion);
}

Spread spreadOf(std::span<const SurfaceMatch> matches) {
    Spread spread;
    for (const SurfaceMatch& match : matches)
        if (match.isParallel()) {
            spread.middle += match.place;
            ++spread.count;
        }
    if (spread.count == 0)
        return spread;
    spread.middle = spread.middle / double(spread.count);
    double squares = 0;
    for (const SurfaceMatch& match : matches)
        if (match.isParallel())
            squares += squaredNorm(match.place - spread.middle);
    spread.lever = std::max(std::sqrt(squares / double(spread.count)), spread.lever);
    return spread;
}

} // namespace scanloupe
