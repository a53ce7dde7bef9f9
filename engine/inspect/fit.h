#pragma once
// Declares how points are brought onto a mesh or another scan that they lie near.
#include "engine/inspect/reference.h"
#include "kernels/change/local_model.h"
#include "kernels/core/execution.h"
#include "kernels/core/rigid_transform.h"

#include <array>
#include <cstddef>
#include <span>

namespace scanloupe {

/// What a fit makes least.
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

/// How much what lies far away counts.
enum class RobustWeight : std::uint8_t {
    tukey, ///< nothing from some standard deviations on
    huber,
    gemanMcClure,
    none
};
inline constexpr const char* kRobustWeightKeys[] = {"tukey", "huber", "geman-mcclure", "none"};

struct FitOptions {
    FitMethod method = FitMethod::pointToPlane;
    RobustWeight robust = RobustWeight::tukey;
    bool scales = false; ///< the points' size is fitted, too
    double overlap = 1;  ///< share of the points that the reference has, > 0: those nearest to it count
    double largest = 0;  ///< metres; points farther away don't count; 0: no limit
    int neighbours = kModelNeighbours; ///< points of a scan that planes go through; 3 to kMostNeighbours
    std::size_t mostPoints = 50'000;   ///< every n-th is taken
    int mostIterations = 100;          ///< with few points, and then with all
};

/// Points after a fit: p becomes scale * motion(p).
struct Fit {
    RigidTransform motion; ///< in the frame of Reference::origin
    double scale = 1;
    double before = 0, after = 0; ///< metres, in the size of the points; median magnitude of the distances
    double share = 0;             ///< of the points that count, 0 to 1: the others are outliers to the fit
    int iterations = 0;
    bool hasConverged = false;
    /// Of six, of seven with the scale: along them the reference doesn't hold the points, and they were not
    /// moved.
    int weakDirections = 0;
    Vec3d middle; ///< of the points after the motion; same frame
    /// Of turns about the axes through `middle`, radians, and shifts of it, metres; without weak directions.
    /// By the distances that are left: correlated errors of the scans are not in it.
    std::array<std::array<double, 6>, 6> covariance{};

    /// Standard deviation of the middle, metres, and of the turn, radians.
    double shiftDeviation() const;
    double turnDeviation() const;
};

/// The motion that makes the distances of points to a reference least: iterative closest points, with robust
/// weights, which leave out what does not belong to it.
/// @param points from Reference::origin, on the host, near their places: within some hundredths of their size
/// @throws EngineError when there are too few points; KernelError; Cancelled.
Fit fitToReference(std::span<const Vec3f> points, const Reference& reference, const FitOptions& options,
                   const Execution& on);

/// The motion in the scan's frame, and the scale of the reference's unit by which the points keep theirs.
struct FitInScanFrame {
    RigidTransform motion;
    double referenceScale = 1; ///< factor
};
FitInScanFrame inScanFrame(const RigidTransform& motion, double scale, Vec3d origin);

} // namespace scanloupe
