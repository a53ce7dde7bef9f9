#pragma once
// Checks the parameters of an alignment and derives its result (scores, covariance, degenerate directions),
// for both backends.
#include "kernels/core/symmetric_eigen.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/ndt/ndt_newton_state.h"

namespace scanloupe {

/// Directions are degenerate if the ratio of their curvature to the largest is below this. Along a corridor
/// and over a floor the ratio is 0.0003 to 0.003; in scenes that constrain a pose it is at least 0.03.
inline constexpr double kWeakShare = 0.01;

/// Checks the parameters of an alignment. @throws KernelError
void checkNdt(const NdtParams& params);
/// Returns the start pose with its rotation orthonormalized. @throws KernelError if it is not a rotation and
/// a translation
RigidTransform checkNdtStart(const RigidTransform& start);

/// Centre of rotation and extent of a scan's points.
struct NdtSpread {
    std::uint64_t finite = 0;
    Vec3d middle;      ///< mean of the finite points, relative to the scan's origin
    double radius = 1; ///< root mean square of the distances of the points from `middle`, metres; above 0
    double moments[6] = {}; ///< mean of d d^T with d = point - middle: xx, xy, xz, yy, yz, zz
};
NdtSpread ndtSpread(std::span<const Vec3f> points, const std::stop_token& stop);

/// Converts poses from and to the local frame of an alignment: x = R (p - middle) + t, relative to the map's
/// origin. So large world coordinates of a scan or a map do not lose precision.
struct NdtFrame {
    Vec3d mapOrigin;
    Vec3d scanMiddle; ///< scan's centre in its full coordinates

    HD RigidTransform toLocal(const RigidTransform& pose) const {
        RigidTransform local = pose;
        local.translation = pose(scanMiddle) - mapOrigin;
        return local;
    }
    HD RigidTransform toWorld(const RigidTransform& local) const {
        RigidTransform pose = local;
        pose.translation = local.translation + mapOrigin - local.rotate(scanMiddle);
        return pose;
    }
};

/// Fills gradient and Hessian of `geometry`.
void setDerivatives(const NdtTotals& at, NdtGeometry& geometry);
/// Computes the principal axes of a spread as unit vectors, and the root mean square of the points' distances
/// from each axis, metres. @param moments see NdtSpread
HD inline void spreadAxes(const double (&moments)[6], double (&levers)[3], Vec3d (&axes)[3]) {
    const auto& m = moments; // A rotation vector w moves d by w x d; the mean square of this is w^T (|d|^2 I
                             // - d d^T) w.
    const double square = m[0] + m[3] + m[5];
    double k[3][3] = {
        {square - m[0], -m[1], -m[2]}, {-m[1], square - m[3], -m[4]}, {-m[2], -m[4], square - m[5]}};
    double v[3][3];
    jacobiEigen(k, v);
    for (int i = 0; i < 3; ++i) {
        // a rotation about the line through collinear points moves none of them; its lever is set to a
        // millimetre
        levers[i] = squareRoot(k[i][i] > 1e-6 ? k[i][i] : 1e-6);
        axes[i] = {v[i][0], v[i][1], v[i][2]};
    }
}
/// Computes motions that each move the points by 1 m (RMS): translations, and rotations about the principal
/// axes.
/// @param pose local pose, see NdtFrame @param scale receives them as columns, in metres and radians along
/// the target's axes
void unitMotions(const NdtSpread& spread, const RigidTransform& pose, double (&scale)[6][6]);
/// Fills eigenvalues, directions, degenerate and covariance. @param wide totals with 27 neighbours @param
/// pose local pose, see NdtFrame
void setDirections(const NdtTotals& wide, const NdtSpread& spread, const RigidTransform& pose,
                   NdtGeometry& geometry);

/// Final pose and totals of an alignment, from either backend.
struct NdtOutcome {
    RigidTransform pose; ///< local pose, see NdtFrame
    NdtTotals totals;    ///< totals at `pose`
    NdtTotals wide;      ///< totals with 27 neighbours, if NdtParams::geometry is set
    double gauss1 = 0;   ///< see NdtGauss::d1
};
/// Fills pose, scores and geometry of a result.
void setOutcome(const NdtOutcome& outcome, const NdtFrame& frame, const NdtSpread& spread,
                const NdtParams& params, NdtResult& result);
NdtIteration toWorld(const NdtFrame& frame, const NdtTraceEntry& entry);

/// Returns at most `most` evenly subsampled points, [M, 3].
std::vector<Vec3f> ndtThinned(std::span<const Vec3f> points, std::uint32_t most);

/// Checks the parameters of a search. @throws KernelError
void checkNdtSearch(const NdtSearch& search, std::size_t starts);
/// Returns the indices of the `keep` results with the highest scores, best first; equal scores keep their
/// order.
std::vector<std::uint32_t> ndtBest(std::span<const NdtResult> results, std::size_t keep);

/// Replaces the rival by the best of the results with a pose distinct from `best`, if its score is higher.
void setRival(std::span<const NdtResult> results, const NdtResult& best, const NdtSearch& search,
              NdtRival& rival);
/// Returns the result with the highest score and a pose distinct from `best`; null if there is none.
const NdtResult* firstApart(std::span<const NdtResult> results, const NdtResult& best,
                            const NdtSearch& search);

/// Performs the search; `align(scans, jobs, params)` is a backend's alignNdtBatch.
template <class Align>
NdtFound findPose(const NdtScan& scan, std::span<const RigidTransform> starts, const NdtParams& params,
                  const NdtSearch& search, Align&& align) {
    checkNdtSearch(search, starts.size());
    const std::vector<Vec3f> thinned = ndtThinned(scan.points, search.points);
    const NdtScan trial{thinned, scan.origin};
    NdtParams coarse = params;
    coarse.maxIterations = search.iterations;
    coarse.maxStep = search.maxStep;
    coarse.pointScores = coarse.geometry = coarse.trace = false;
    std::vector<NdtJob> jobs;
    for (const RigidTransform& start : starts)
        jobs.push_back({0, start});
    const std::vector<NdtResult> trials = align(std::span(&trial, 1), std::span(jobs), coarse);
    NdtFound found;
    for (const NdtResult& result : trials)
        found.trialScores.push_back(thinned.empty() ? 0 : result.score / double(thinned.size()));
    const std::vector<std::uint32_t> ranks = ndtBest(trials, search.keep);
    jobs.clear();
    for (const std::uint32_t rank : ranks)
        jobs.push_back({0, trials[rank].pose});
    std::vector<NdtResult> fine = align(std::span(&scan, 1), std::span(jobs), params);
    const std::uint32_t best = ndtBest(fine, 1).front();
    found.start = ranks[best];
    setRival(fine, fine[best], search, found.rival);
    if (const NdtResult* other = firstApart(trials, fine[best], search)) {
        const NdtJob job{0, other->pose};
        const std::vector<NdtResult> again = align(std::span(&scan, 1), std::span(&job, 1), params);
        setRival(again, fine[best], search, found.rival);
    }
    found.best = std::move(fine[best]);
    return found;
}

} // namespace scanloupe
