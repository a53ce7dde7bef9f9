#pragma once
// Registers a scan to a map by the Normal Distributions Transform (NDT): finds the rigid transform under
// which the scan's points fit the normal distributions of the map's cells best. P. Biber, W. Strasser, "The
// Normal Distributions Transform" (2003); M. Magnusson, "The Three-Dimensional Normal-Distributions
// Transform" (2009), chapter 6.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/core/stream.h"
#include "kernels/register/ndt_map.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Which cells a point is compared with.
enum class NdtNeighbours : std::uint8_t {
    direct1,  ///< the one that it lies in
    direct7,  ///< that one and those across its faces
    direct27, ///< that one and those across its faces, edges and corners
};

struct NdtParams {
    NdtNeighbours neighbours = NdtNeighbours::direct7;
    double outlierRatio = 0.55; ///< share of points that belong to nothing in the map, above 0 and below 1
    double epsilon = 0.001;     ///< a shorter step ends it: metres and radians in one length
    double maxStep = 0.1;       ///< longer steps are cut to this length
    int maxIterations = 50;
    bool lineSearch = true;  ///< halve a step until it raises the score enough (Armijo), down to epsilon
    bool pointScores = true; ///< fill NdtResult::pointScores and pointCells
    bool trace = true;       ///< fill NdtResult::trace
    bool geometry = true; ///< fill eigenvalues, directions, covariance and degenerate of NdtResult::geometry
    bool operator==(const NdtParams&) const = default;
};

/// How an alignment came to its end.
enum class NdtEnd : std::uint8_t {
    converged,     ///< the last step was shorter than epsilon, or none of epsilon's length goes uphill
    maxIterations, ///< stopped, which is not converged
    noOverlap,     ///< no point has a cell to be compared with
    noPoints,      ///< the scan has no finite point
    noCells,       ///< the map has no cell with enough points
};
/// A clause that says it, for people.
const char* describe(NdtEnd end);

/// What one iteration began with and did.
struct NdtIteration {
    RigidTransform pose; ///< T_target_source that score and gradient belong to
    double score = 0;    ///< the sum over pairs of points and cells; larger is better
    double gradient = 0; ///< its length
    double step = 0;     ///< length of the step that was taken, after cutting; 0 where none went uphill
    std::uint64_t pairs = 0;
};

/// What the score says of the six directions that a pose can move in: translation x, y, z in metres along the
/// target's axes, then turns in radians about those axes through the scan's middle.
struct NdtGeometry {
    Vec3d middle;                        ///< mean of the scan's points at the pose, in the target's frame
    std::array<double, 6> gradient{};    ///< of the score
    std::array<double, 36> hessian{};    ///< of the score, row by row; negative definite at a maximum
    std::array<double, 36> covariance{}; ///< inverse of -hessian, on what is not degenerate
    /// Curvatures of the score with all 27 neighbours (with fewer, cells hold points along a wall that would
    /// have gone over to the next cell), ascending: by motions of which each moves the points by 1 m (RMS).
    std::array<double, 6> eigenvalues{};
    std::array<double, 36> directions{}; ///< these motions, one a row: metres, then radians
    int degenerate = 0;                  ///< so many of the first directions are held by almost nothing
};

struct NdtResult {
    RigidTransform pose; ///< T_target_source, in the frames of the two scans' full coordinates
    NdtEnd end = NdtEnd::noPoints;
    int iterations = 0;
    double score = 0; ///< at `pose`: the sum over pairs
    double nvtl = 0;  ///< nearest-voxel likelihood: mean, over points with a cell, of the best that a cell
                      ///< gives to the score; as Autoware's, up to 2.2 for cells of 1 m and 4.2 for 2 m
    std::uint64_t pointsWithCell = 0;  ///< points that have something to be compared with, at `pose`
    std::uint64_t pointsNotFinite = 0; ///< left out
    NdtGeometry geometry;              ///< at `pose`
    std::vector<NdtIteration> trace;   ///< one an iteration
    Buffer<float> pointScores;         ///< [N] best score of each point at `pose`, 0 to 1; NaN without a cell
    Buffer<std::uint32_t> pointCells;  ///< [N] the cell that gave it, kNoCell without one
    Cost cost;

    bool converged() const { return end == NdtEnd::converged; }
};

/// A scan to be aligned: [N, 3] metres, relative to `origin` in the file's frame.
struct NdtScan {
    std::span<const Vec3f> points;
    Vec3d origin;
};

/// One alignment of many.
struct NdtJob {
    std::uint32_t scan = 0; ///< which of the scans
    RigidTransform start;   ///< T_target_source
};

/// How a pose is looked for from many starts, coarse to fine.
struct NdtSearch {
    std::uint32_t points = 2000; ///< of the scan, evenly spread over it, that every start is tried with
    int iterations = 20;         ///< at most, of these trials
    double maxStep = 0.5;        ///< of these trials
    std::uint32_t keep = 5;      ///< the best so many are aligned with all points
    bool operator==(const NdtSearch&) const = default;
};
struct NdtFound {
    NdtResult best;                  ///< with all points
    std::uint32_t start = 0;         ///< the start that led to it
    std::vector<double> trialScores; ///< [starts] of the trials, a point
};

/// Mean score of the points that each of `cells` cells gave its best to, 0 to 1; NaN where there are none.
std::vector<float> ndtCellScores(const NdtResult& result, std::size_t cells);

namespace cpu {
/// Aligns `scan` to `map` from the pose `start`, T_target_source. All sums are in double precision and in an
/// order that depends on N alone. A Newton step an iteration; where -H is not positive definite its
/// eigenvalues are raised, so that a step always goes uphill.
/// @throws KernelError for parameters out of range, a start that is no rotation or when memory is short;
/// Cancelled.
NdtResult alignNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                   const NdtParams& params, const std::stop_token& stop);

/// What alignNdt finds at a pose, without an iteration; for colouring all points of a scan that was aligned
/// thinned. @throws as alignNdt.
NdtResult scoreNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop);

/// As many alignments, side by side; each gives the bits that it gives alone. @throws as alignNdt.
std::vector<NdtResult> alignNdtBatch(const NdtMap& map, std::span<const NdtScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop);

/// The mean of the points in each cube of `edge` metres, [M, 3]: as many from far off as from near the
/// sensor, where a scanner's rings otherwise outweigh the rest and hold the scan in place. Points that are
/// not finite are left out. @throws KernelError for an edge that isn't positive; Cancelled.
std::vector<Vec3f> thinScan(std::span<const Vec3f> points, double edge, const std::stop_token& stop);

/// The best of the poses that `starts` lead to. @throws as alignNdt, and KernelError without a start.
NdtFound findPoseNdt(const NdtMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
