#pragma once
// Registration by the Normal Distributions Transform: a scan is turned and shifted until its points lie where
// the normal distributions of another scan's cells have them. P. Biber, W. Strasser, "The Normal
// Distributions Transform" (2003); M. Magnusson, "The Three-Dimensional Normal-Distributions Transform"
// (2009), chapter 6.
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
    double epsilon = 0.01;      ///< a shorter step ends it: metres and radians in one length
    double maxStep = 0.1;       ///< longer steps are cut to this length
    int maxIterations = 30;
    bool lineSearch = false; ///< shorten a step until it raises the score enough (Armijo)
    bool pointScores = true; ///< fill NdtResult::pointScores and pointCells
    bool operator==(const NdtParams&) const = default;
};

/// How an alignment came to its end.
enum class NdtEnd : std::uint8_t {
    converged,     ///< the last step was shorter than epsilon
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
    double step = 0;     ///< length of the step that was taken, after cutting
    std::uint64_t pairs = 0;
};

/// What the score says of the six directions that a pose can move in: translation x, y, z in metres along the
/// target's axes, then roll, pitch, yaw in radians about the scan's own origin.
struct NdtGeometry {
    std::array<double, 36> hessian{};    ///< of the score, row by row; negative definite at a maximum
    std::array<double, 36> covariance{}; ///< inverse of -hessian, on what is not degenerate
    std::array<double, 6> eigenvalues{}; ///< of -hessian with angles scaled by the points' spread, ascending
    std::array<double, 36> directions{}; ///< unit eigenvectors, one a row, in the order of the eigenvalues
    int degenerate = 0;                  ///< so many of the first directions are held by almost nothing
};

struct NdtResult {
    RigidTransform pose; ///< T_target_source, in the frames of the two scans' full coordinates
    NdtEnd end = NdtEnd::noPoints;
    int iterations = 0;
    double score = 0; ///< at `pose`: the sum over pairs
    double nvtl = 0;  ///< nearest-voxel likelihood: mean, over points with a cell, of their best score
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

namespace cpu {
/// Aligns `scan` to `map` from the pose `start`, T_target_source. All sums are in double precision and in an
/// order that depends on N alone. A Newton step a iteration; where -H is not positive definite its
/// eigenvalues are raised, so that a step always goes uphill.
/// @throws KernelError for parameters out of range or when memory is short; Cancelled.
NdtResult alignNdt(const NdtMap& map, const NdtScan& scan, const RigidTransform& start,
                   const NdtParams& params, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
