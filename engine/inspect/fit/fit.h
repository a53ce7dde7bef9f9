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
    /// multiple range images", 1991).
    pointToPlane,
    /// Distances weighted by the shape of the surface around both points (Segal, Haehnel and Thrun,
    /// "Generalized-ICP", 2009).
    generalized
};
inline constexpr const char* kFitMethodKeys[] = {"icp", "gicp"};

struct FitOptions {
    FitMethod method = FitMethod::pointToPlane;
    RobustKernel robust = RobustKernel::tukey; ///< robust kernel; its scale follows from the distances
    bool scales = false;                       ///< the scale of the points is also estimated
    double overlap = 1; ///< fraction of the points that have a counterpart in the reference, above 0; only
                        ///< the nearest points of this fraction are used
    double largest = 0; ///< maximum distance of points that are used, metres; 0: no limit
    int neighbours = kModelNeighbours; ///< number of points of a scan that a plane is fitted to; 3 to
                                       ///< kMaxNeighbours
    std::size_t maxPoints = 50'000;    ///< maximum number of points; of larger clouds, every n-th point is
                                       ///< used
    int maxIterations = 100;           ///< maximum number of iterations, both with few points and with all
                                       ///< points
};

/// The result of a fit, which maps a point p to scale * motion(p).
struct Fit {
    RigidTransform motion; ///< motion in the frame of Reference::origin
    double scale = 1;
    double before = 0, after = 0; ///< median magnitude of the distances before and after the fit, metres, at
                                  ///< the original scale of the points
    double share = 0;             ///< fraction of the points that are inliers, 0 to 1
    int iterations = 0;
    bool hasConverged = false;
    /// Number of undetermined degrees of freedom, of six, or of seven with the scale. The points were not
    /// moved along them.
    int weakDirections = 0;
    Vec3d middle; ///< centre of the points after the motion, in the frame of Reference::origin
    /// Covariance of rotations about the axes through `middle`, radians, and of shifts of `middle`, metres,
    /// without undetermined directions. Estimated from the residuals, so it does not include correlated
    /// errors of the scans.
    std::array<std::array<double, 6>, 6> covariance{};

    /// Return the standard deviation of `middle`, metres, and of the rotation, radians.
    double shiftDeviation() const;
    double turnDeviation() const;
};

/// Finds the motion that minimizes the distances of points to a reference, by iterative closest points with
/// robust weights, which reject points that do not belong to the reference.
/// @param points on the host, relative to Reference::origin; their distance from the final position is at
/// most a few hundredths of their size
/// @throws EngineError if there are too few points; KernelError; Cancelled.
Fit fitToReference(std::span<const Vec3f> points, const Reference& reference, const FitOptions& options,
                   const Execution& on);

/// A fit in the scan's frame. The scale is applied to the reference, so that the points keep their size.
struct FitInScanFrame {
    RigidTransform motion;
    double referenceScale = 1; ///< factor from the reference's unit to the scan's
};
FitInScanFrame inScanFrame(const RigidTransform& motion, double scale, Vec3d origin);

} // namespace scanloupe
