#pragma once
// Declares the alignment of points with a nearby mesh or scan.
#include "kernels/change/local_model.h"
#include "kernels/core/execution.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/register/registration_factor.h"

#include <array>
#include <cstddef>
#include <span>

namespace scanloupe {

struct Reference;

/// The distance that a fit minimizes.
enum class FitMethod : std::uint8_t {
    /// Distances along the normals of the reference (Chen and Medioni, "Object modeling by registration of
    /// multiple
    /// range images", 1991).
    pointToPlane,
    /// Distances weighted by the shape of the surface around both points (Segal, Haehnel and Thrun,
    /// "Generalized-ICP", 2009).
    generalized
};
inline constexpr const char* kFitMethodKeys[] = {"icp", "gicp"};

struct FitOptions {
    FitMethod method = FitMethod::pointToPlane;
    RobustKernel robust = RobustKernel::tukey; ///< its scale follows from the distances
    bool scales = false;                       ///< the points' size is fitted, too
    double overlap = 1; ///< share of the points that the reference has, > 0: those nearest to it count
    double largest = 0; ///< metres; points farther away don't count; 0: no limit
    int neighbours = kModelNeighbours; ///< points of a scan that planes go through; 3 to kMaxNeighbours
    std::size_t maxPoints = 50'000;    ///< above, every n-th point is used
    int maxIterations = 100;           ///< limit for the iterations with few points, and for those with all
};

/// Points after a fit: p becomes scale * motion(p).
struct Fit {
    RigidTransform motion; ///< in the frame of Reference::origin
    double scale = 1;
    double before = 0, after = 0; ///< median magnitude of the distances, metres, in the size of the points
    double share = 0;             ///< fraction of the points that are inliers, 0 to 1
    int iterations = 0;
    bool hasConverged = false;
    /// Unconstrained degrees of freedom among six, or seven with the scale: the points were not moved along
    /// them.
    int weakDirections = 0;
    Vec3d middle; ///< centre of the points after the motion; same frame
    /// Covariance of rotations about the axes through `middle`, radians, and of shifts of it, metres; without
    /// weak directions. Estimated from the residuals: it does not include correlated errors of the scans.
    std::array<std::array<double, 6>, 6> covariance{};

    /// Standard deviation of `middle`, metres, and of the rotation, radians.
    double shiftDeviation() const;
    double turnDeviation() const;
};

/// The motion that minimizes the distances of points to a reference: iterative closest points, with robust
/// weights, which reject points that don't belong to it. @param points relative to Reference::origin, on the
/// host, close to their final position: within some hundredths of their size @throws EngineError when there
/// are too few points; KernelError; Cancelled.
Fit fitToReference(std::span<const Vec3f> points, const Reference& reference, const FitOptions& options,
                   const Execution& on);

/// The motion in the scan's frame, and the scale of the reference's unit by which the points keep theirs.
struct FitInScanFrame {
    RigidTransform motion;
    double referenceScale = 1; ///< factor
};
FitInScanFrame inScanFrame(const RigidTransform& motion, double scale, Vec3d origin);

} // namespace scanloupe
