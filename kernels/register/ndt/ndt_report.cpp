// Implements the checks and the results of ndt_report.h.
#include "kernels/register/ndt/ndt_report.h"
#include "kernels/core/number_text.h"

#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/ndt/ndt_step.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scanloupe {

const char* describe(NdtEnd end) {
    switch (end) {
    case NdtEnd::converged:
        return "it converged";
    case NdtEnd::maxIterations:
        return "it was stopped after its last iteration, before it converged";
    case NdtEnd::noOverlap:
        return "no point of the scan lies near a cell of the map";
    case NdtEnd::noPoints:
        return "the scan has no point with finite coordinates";
    case NdtEnd::noCells:
        return "no cell of the map has enough points";
    }
    return "unknown";
}

void checkNdt(const NdtParams& params) {
    if (!(params.outlierRatio > 0 && params.outlierRatio < 1))
        throw KernelError("the share of outliers must be between 0 and 1 (got " +
                              shortNumber(params.outlierRatio) + ")",
                          "Set a share such as 0.55.");
    if (!(params.epsilon > 0) || !std::isfinite(params.epsilon))
        throw KernelError("the step below which an alignment has converged must be a length above 0 (got " +
                              shortNumber(params.epsilon) + ")",
                          "Set a length such as 0.001.");
    if (!(params.maxStep > 0) || !std::isfinite(params.maxStep))
        throw KernelError("the maximum step of an iteration must be a length above 0 (got " +
                              shortNumber(params.maxStep) + ")",
                          "Set a length such as 0.1.");
    if (params.maxIterations < 1)
        throw KernelError("an alignment needs at least 1 iteration (got " +
                              std::to_string(params.maxIterations) + ")",
                          "Set about 30 iterations.");
}

RigidTransform checkNdtStart(const RigidTransform& start) {
    bool good = isFinite(start);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) // tolerates the rounding of text files: six digits are accurate to 1e-6
            good = good && std::abs(dot(start.rows[i], start.rows[j]) - (i == j ? 1 : 0)) < 1e-3;
    if (!good || !(dot(cross(start.rows[0], start.rows[1]), start.rows[2]) > 0))
        throw KernelError("the start pose is not a rotation and a translation",
                          "Check the poses that were read: the rows of a rotation matrix have length 1 and "
                          "are perpendicular.");
    RigidTransform pose = start;
    orthonormalize(pose);
    return pose;
}

NdtSpread ndtSpread(std::span<const Vec3f> points, const std::stop_token& stop) {
    constexpr std::size_t grain = std::size_t{1} << 14;
    const auto sumUp = [&](Vec3d middle) {
        return parallelReduce(
            points.size(), grain, stop, NdtSums{},
            [&](std::size_t begin, std::size_t end) {
                NdtSums part;
                for (std::size_t i = begin; i < end; ++i)
                    if (isFinite(points[i]))
                        part.add(points[i].as<double>() - middle);
                return part;
            },
            [](NdtSums a, const NdtSums& b) {
                a.count += b.count;
                a.sum += b.sum;
                for (int i = 0; i < 6; ++i)
                    a.squares[i] += b.squares[i];
                return a;
            });
    };
    NdtSpread spread;
    NdtSums sums = sumUp({});
    if (sums.count == 0)
        return spread;
    spread.finite = sums.count;
    spread.middle = sums.sum / double(sums.count);
    sums = sumUp(spread.middle);
    for (std::size_t i = 0; i < 6; ++i)
        spread.moments[i] = sums.squares[i] / double(sums.count);
    spread.radius = std::max(std::sqrt(spread.moments[0] + spread.moments[3] + spread.moments[5]), 1e-3);
    return spread;
}

void setDerivatives(const NdtTotals& at, NdtGeometry& geometry) {
    for (int i = 0; i < 6; ++i) {
        geometry.gradient[std::size_t(i)] = at.gradient(i);
        for (int j = 0; j < 6; ++j)
            geometry.hessian[std::size_t(6 * i + j)] = at.hessian(i, j);
    }
}

void unitMotions(const NdtSpread& spread, const RigidTransform& pose, double (&scale)[6][6]) {
    double levers[3];
    Vec3d axes[3];
    spreadAxes(spread.moments, levers, axes);
    for (auto& row : scale)
        std::fill(std::begin(row), std::end(row), 0.0);
    for (int i = 0; i < 3; ++i) {
        scale[i][i] = 1;
        const Vec3d axis = pose.rotate(axes[i]);
        for (int row = 0; row < 3; ++row)
            scale[3 + row][3 + i] = axis[row] / levers[i];
    }
}

namespace {

using NdtMatrix = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// Inverts -H over the motions that are not degenerate: B^T (B (-H) B^T)^-1 B, B having these as rows.
void setCovariance(NdtGeometry& geometry) {
    const Eigen::Map<const NdtMatrix> hessian(geometry.hessian.data()), motions(geometry.directions.data());
    const Eigen::MatrixXd held = motions.bottomRows(6 - geometry.degenerate);
    const Eigen::MatrixXd curvature = -held * hessian * held.transpose();
    const Eigen::LLT<Eigen::MatrixXd> factor(curvature);
    if (factor.info() != Eigen::Success ||
        !(factor.matrixLLT().diagonal().array().square() > kLeastPivot * curvature.diagonal().array()).all())
        return; // the pose is no maximum
    Eigen::Map<NdtMatrix>(geometry.covariance.data()) = held.transpose() * factor.solve(held);
}

} // namespace

void setDirections(const NdtTotals& wide, const NdtSpread& spread, const RigidTransform& pose,
                   NdtGeometry& geometry) {
    for (const double term : wide.terms)
        if (!std::isfinite(term))
            return;
    double scale[6][6];
    unitMotions(spread, pose, scale);
    const Eigen::Map<const NdtMatrix> motions(&scale[0][0]);
    NdtMatrix curvature;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            curvature(i, j) = -wide.hessian(i, j);
    const Eigen::SelfAdjointEigenSolver<NdtMatrix> solver(motions.transpose() * curvature * motions);
    const auto& values = solver.eigenvalues(); // ascending
    std::copy(values.begin(), values.end(), geometry.eigenvalues.begin());
    Eigen::Map<NdtMatrix>(geometry.directions.data()) = (motions * solver.eigenvectors()).transpose();
    geometry.degenerate = int((values.array() <= kWeakShare * values[5]).count());
    setCovariance(geometry);
}

void setOutcome(const NdtOutcome& outcome, const NdtFrame& frame, const NdtSpread& spread,
                const NdtParams& params, NdtResult& result) {
    const NdtTotals& totals = outcome.totals;
    result.pose = frame.toWorld(outcome.pose);
    result.score = totals.score();
    result.pointsWithCell = static_cast<std::uint64_t>(totals.pointsWithCell());
    result.nvtl = totals.pointsWithCell() > 0 ? -outcome.gauss1 * totals.best() / totals.pointsWithCell() : 0;
    result.geometry.middle = outcome.pose.translation + frame.mapOrigin;
    setDerivatives(totals, result.geometry);
    if (params.geometry && totals.pairs() > 0)
        setDirections(outcome.wide, spread, outcome.pose, result.geometry);
}

NdtIteration toWorld(const NdtFrame& frame, const NdtTraceEntry& entry) {
    return {frame.toWorld(entry.pose), entry.score, entry.gradient, entry.step,
            static_cast<std::uint64_t>(entry.pairs)};
}

std::vector<Vec3f> ndtThinned(std::span<const Vec3f> points, std::uint32_t most) {
    std::vector<Vec3f> kept;
    const std::size_t count = std::min<std::size_t>(points.size(), most);
    kept.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        kept.push_back(points[i * points.size() / count]);
    return kept;
}

void checkNdtSearch(const NdtSearch& search, std::size_t starts) {
    if (starts == 0)
        throw KernelError("a search for a pose needs at least one start pose (got 0)", "Add a start pose.");
    if (search.points < 1 || search.iterations < 1 || search.keep < 1 || !(search.maxStep > 0))
        throw KernelError("a search for a pose needs at least 1 point, 1 iteration, 1 pose to keep and a "
                          "step above 0 (got " +
                              std::to_string(search.points) + ", " + std::to_string(search.iterations) +
                              ", " + std::to_string(search.keep) + " and " + shortNumber(search.maxStep) +
                              ")",
                          "Set, for example, 2000 points, 20 iterations, 5 poses and a step of 0.5.");
}

std::vector<std::uint32_t> ndtBest(std::span<const NdtResult> results, std::size_t keep) {
    std::vector<std::uint32_t> order(results.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return results[a].score > results[b].score; });
    order.resize(std::min(order.size(), keep));
    return order;
}

const NdtResult* firstApart(std::span<const NdtResult> results, const NdtResult& best,
                            const NdtSearch& search) {
    const Vec3d middle = best.pose.inverse()(best.geometry.middle); // centre in the scan's frame
    const NdtResult* highest = nullptr;
    for (const NdtResult& result : results) {
        const bool apart = norm(result.pose(middle) - best.geometry.middle) > search.apart ||
                           rotationAngle(result.pose.inverse() * best.pose) > search.apartAngle;
        if (apart && (!highest || result.score > highest->score))
            highest = &result;
    }
    return highest;
}

void setRival(std::span<const NdtResult> results, const NdtResult& best, const NdtSearch& search,
              NdtRival& rival) {
    const NdtResult* other = firstApart(results, best, search);
    if (other && other->score > rival.score)
        rival = {other->pose, other->score};
}

} // namespace scanloupe
