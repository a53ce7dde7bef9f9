#pragma once
// Registers a scan to a map by the Normal Distributions Transform (NDT): finds the rigid transform under
// which the scan's points fit the normal distributions of the map's cells best. P. Biber, W. Strasser, "The
// Normal Distributions Transform" (2003); M. Magnusson, "The Three-Dimensional Normal-Distributions
// Transform" (2009), chapter 6.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/core/stream.h"
#include "kernels/register/ndt/ndt_map.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The cells that a point is compared with.
enum class NdtNeighbours : std::uint8_t {
    direct1,  ///< only the cell that contains the point
    direct7,  ///< the point's cell and its 6 face neighbours
    direct27, ///< the point's cell and its 26 face, edge and corner neighbours
};

struct NdtParams {
    NdtNeighbours neighbours = NdtNeighbours::direct7;
    double outlierRatio = 0.55; ///< share of points without a counterpart in the map, above 0 and below 1
    double epsilon = 0.001; ///< an alignment has converged if a step is shorter: norm of metres and radians
                            ///< together
    double maxStep = 0.1;   ///< longer steps are scaled down to this length
    int maxIterations = 50;
    bool lineSearch = true;  ///< whether to halve a step until it raises the score enough (Armijo), down to
                             ///< epsilon
    bool pointScores = true; ///< whether to fill NdtResult::pointScores and pointCells
    bool trace = true;       ///< whether to fill NdtResult::trace
    bool geometry = true;    ///< whether to fill eigenvalues, directions, covariance and degenerate of
                             ///< NdtResult::geometry
    bool operator==(const NdtParams&) const = default;
};

/// Why an alignment ended.
enum class NdtEnd : std::uint8_t {
    converged,     ///< the last step was shorter than epsilon, or no step of at least that length raises the
                   ///< score
    maxIterations, ///< the maximum number of iterations was reached before convergence
    noOverlap,     ///< no point has a cell to compare it with
    noPoints,      ///< the scan has no finite point
    noCells,       ///< the map has no cell with enough points
};
/// Returns a clause about the end of an alignment, for messages to the user.
const char* describe(NdtEnd end);

/// One iteration: its initial pose, score and gradient, and its step.
struct NdtIteration {
    RigidTransform pose; ///< T_target_source at which score and gradient were evaluated
    double score = 0;    ///< sum over pairs of points and cells; larger is better
    double gradient = 0; ///< norm of the gradient
    double step = 0;     ///< length of the step, at most maxStep; 0 if no step raised the score
    std::uint64_t pairs = 0;
};

/// Derivatives of the score at the pose, and how well they constrain its six degrees of freedom: translation
/// x, y, z in metres along the target's axes, then rotation in radians about those axes through the scan's
/// centre.
struct NdtGeometry {
    Vec3d middle;                        ///< mean of the scan's points at the pose, in the target's frame
    std::array<double, 6> gradient{};    ///< gradient of the score
    std::array<double, 36> hessian{};    ///< Hessian of the score, row by row; negative definite at a maximum
    std::array<double, 36> covariance{}; ///< inverse of -hessian in the directions that are not degenerate
    /// Curvatures of the score, ascending, along motions that each move the points by 1 m (RMS). Evaluated
    /// with all 27 neighbours: with fewer neighbours, points moved along a wall would stay assigned to their
    /// old cell.
    std::array<double, 6> eigenvalues{};
    std::array<double, 36> directions{}; ///< the motions of `eigenvalues`, one per row: three translations in
                                         ///< metres, then three rotations in radians
    int degenerate = 0;                  ///< number of leading directions that the map barely constrains
};

/// The results of an alignment for the scan as a whole.
struct NdtFit {
    RigidTransform pose; ///< T_target_source, between the frames of the two scans' full coordinates
    NdtEnd end = NdtEnd::noPoints;
    int iterations = 0;
    double score = 0; ///< score at `pose`, summed over pairs
    /// Nearest voxel transformation likelihood, as in Autoware: the mean, over points with a cell, of the
    /// best score among their cells; up to 2.2 for cells of 1 m and 4.2 for 2 m.
    double nvtl = 0;
    std::uint64_t pointsWithCell = 0;  ///< number of points that have a cell to compare them with, at `pose`
    std::uint64_t pointsNotFinite = 0; ///< number of points that were ignored since they are not finite
    NdtGeometry geometry;              ///< derivatives at `pose`
    std::vector<NdtIteration> trace;   ///< one entry per iteration
    Cost cost;

    bool converged() const { return end == NdtEnd::converged; }
};

/// The results of an alignment, including those of each point. Movable, not copyable.
struct NdtResult : NdtFit {
    Buffer<float> pointScores; ///< [N] best score of each point at `pose`, 0 to 1; NaN for a point without a
                               ///< cell
    Buffer<std::uint32_t> pointCells; ///< [N] index of the cell with that score; kNoCell for a point without
                                      ///< a cell
};

/// A scan to be aligned: [N, 3] metres, relative to `origin` in the file's frame.
struct NdtScan {
    std::span<const Vec3f> points;
    Vec3d origin;
};

/// One of many alignments.
struct NdtJob {
    std::uint32_t scan = 0; ///< index of the scan
    RigidTransform start;   ///< start pose, T_target_source
};

/// Parameters of a coarse-to-fine search for a pose from many starts.
struct NdtSearch {
    std::uint32_t points = 2000; ///< number of evenly spaced points of the scan that each trial aligns
    int iterations = 20;         ///< maximum number of iterations of a trial
    double maxStep = 0.5;        ///< maximum step of a trial
    std::uint32_t keep = 5;      ///< number of best trials that are aligned again, with all points
    /// Two poses are distinct if they differ by more than this: metres at the scan's centre, or radians.
    double apart = 0.5, apartAngle = 0.1;
    bool operator==(const NdtSearch&) const = default;
};
/// Another pose that a search found.
struct NdtRival {
    RigidTransform pose;
    double score = 0; ///< see NdtResult::score; 0 if there is no rival
};
struct NdtFound {
    NdtResult best;                  ///< result of the alignment with all points
    std::uint32_t start = 0;         ///< index of the start that led to it
    std::vector<double> trialScores; ///< [starts] score per point of each trial
    /// The best result that ended at a pose distinct from `best`, aligned with all points.
    NdtRival rival;
};

namespace cpu {
/// Aligns `scan` to `map` from the pose `start`, T_target_source. Each iteration takes a Newton step. If -H
/// is not positive definite, its eigenvalues are raised, so that every step is an ascent direction. All sums
/// are in double precision, in an order that depends on N alone.
/// @throws KernelError for parameters out of range, a start that is no rotation or when out of memory;
/// Cancelled.
NdtResult alignNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                   const NdtParams& params, const std::stop_token& stop);

/// Evaluates a pose like alignNdt, without iterating. Used to colour all points of a scan that was thinned
/// for alignment. @throws as alignNdt.
NdtResult scoreNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop);

/// Runs many alignments in parallel; each result is bit-identical to that of a separate alignment. @throws as
/// alignNdt
std::vector<NdtResult> alignNdtBatch(const NdtMap& map, std::span<const NdtScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop);

/// Returns the mean of the points in each cube of `edge` metres, [M, 3]. This evens out the density:
/// otherwise, the rings of a scanner near the sensor outweigh all other points and hold the scan in place.
/// Ignores points that are not finite. @throws KernelError for an edge that is not positive; Cancelled
std::vector<Vec3f> thinScan(std::span<const Vec3f> points, double edge, const std::stop_token& stop);

/// Aligns from each of `starts`, coarse to fine, and returns the best result. @throws as alignNdt, and
/// KernelError without a start.
NdtFound findPoseNdt(const NdtMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
