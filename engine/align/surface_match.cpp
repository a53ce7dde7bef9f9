// Matches surfaces by the cells around them, and solves point-to-plane equations by their eigenvectors.
#include "engine/align/surface_match.h"

#include "kernels/core/parallel.h"
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt_cell.h"

#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kSurfaceMatchGrain = 192; // some 0.1 ms: what is less is not worth a fork
constexpr double kNormalCosine = 0.9;           // 26 degrees
constexpr double kAgreeing = 1.0 / 8;           // of a cell's edge
constexpr double kNear = 1.25;                  // cells between the middles of surfaces that are compared
constexpr double kDamping = 1e-3;               // of the sum of the eigenvalues

bool isSurface(const NdtCell& cell, double resolution) {
    constexpr double thin = 0.35;       // thickness to the smaller width
    constexpr double leastWidth = 0.12; // standard deviation to the cell's edge
    return cell.deviations[0] < thin * cell.deviations[1] && cell.deviations[1] > leastWidth * resolution;
}

/// The distance to a neighbouring cell from a point at `x` above the lowest corner of its own.
double gapTo(Vec3i neighbour, Vec3d x, double edge) {
    const auto along = [&](int step, double at) { return step == 0 ? 0 : step < 0 ? at : edge - at; };
    return norm(Vec3d{along(neighbour.x, x.x), along(neighbour.y, x.y), along(neighbour.z, x.z)});
}

SurfaceMatch matchOf(const NdtMap& map, Vec3d x, Vec3d normal) {
    const double edge = map.params().resolution;
    SurfaceMatch match;
    match.surface = true;
    match.place = x;
    Vec3i cell;
    if (!ndtCellOf(1 / edge, x, cell))
        return match;
    double nearest = kNear * edge;
    const Vec3d low{cell.x * edge, cell.y * edge, cell.z * edge};
    for (int k = 0; k < 27; ++k) {
        if (match.parallel && gapTo(ndtNeighbour(k), x - low, edge) >= nearest)
            continue; // no point of that cell is nearer
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
        match.offset = dot(there.axes[0], x - there.mean);
    }
    return match;
}

} // namespace

bool SurfaceMatch::agrees(double edge) const {
    return parallel && std::abs(offset) < kAgreeing * edge;
}

std::vector<SurfaceMatch> matchSurfaces(const NdtMap& target, const NdtMap& scan, const RigidTransform& pose,
                                        std::size_t stride, const std::stop_token& stop) {
    std::vector<SurfaceMatch> matches(chunkCount(scan.cells().size(), stride));
    parallelFor(matches.size(), kSurfaceMatchGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const NdtCell& cell = scan.cells()[i * stride];
            if (isSurface(cell, scan.params().resolution))
                matches[i] = matchOf(target, pose(cell.mean + scan.origin()) - target.origin(),
                                     pose.rotate(cell.axes[0]));
        }
    });
    return matches;
}

void PlaneEquations::add(const SurfaceMatch& match, double weight) {
    const Vec3d turn = cross(match.place - m_middle, match.normal) / m_lever;
    const double row[6] = {match.normal.x, match.normal.y, match.normal.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; ++i) {
        m_b[i] -= weight * row[i] * match.offset;
        for (int j = 0; j < 6; ++j)
            m_a[i][j] += weight * row[i] * row[j];
    }
}

void PlaneEquations::solve() {
    jacobiEigen(m_a, m_v);
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

RigidTransform PlaneEquations::step() const {
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
    return transform(motion);
}

} // namespace scanloupe
