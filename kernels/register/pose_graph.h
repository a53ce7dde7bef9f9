#pragma once
// Declares the optimization of a pose graph: poses that agree best with measured motions between them, after
// Grisetti, Kuemmerle, Stachniss and Burgard, "A tutorial on graph-based SLAM" (2010).
#include "kernels/core/rigid_transform.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A measured motion between two poses.
struct PoseEdge {
    std::uint32_t from = 0, to = 0; ///< indices of the two poses
    RigidTransform motion = {};     ///< T_from_to
    /// Standard deviations of each component of its translation, metres, and of its rotation, radians.
    double distanceError = 0.01, angleError = 0.001;
    /// True if the edge may be an outlier, such as a wrong loop closure: a robust kernel then bounds its
    /// influence.
    bool isRobust = false;
};

struct PoseGraphParams {
    double kernelScale = 4;  ///< scale of the Geman-McClure kernel, in standard deviations
    double epsilon = 1e-7;   ///< converged if a step moves no pose farther: metres and radians
    int maxIterations = 100; ///< maximum number of iterations at each width of the kernel
};

struct PoseGraphResult {
    std::vector<RigidTransform> poses; ///< [poses] optimized poses; the first one is unchanged
    bool converged = false;
    int iterations = 0;
    double firstError = 0, lastError = 0; ///< half the sum over edges of robust squared errors, before and
                                          ///< after the optimization
    /// [edges] length of each edge's error at `poses`, in standard deviations.
    std::vector<double> residuals;
};

namespace cpu {
/// Optimizes poses from initial values by Levenberg-Marquardt steps, with sparse Cholesky factors. The kernel
/// narrows step by step (Yang, Antonante, Tzoumas, Carlone, "Graduated non-convexity for robust spatial
/// perception: from non-minimal solvers to global outlier rejection", 2020). Deterministic, since it runs on
/// one thread. Keep positions near the origin, and the origin of each frame near the centre of its points: a
/// rotation about a far origin is numerically unstable.
/// @param poses T_world_frame; edges must connect all of them with the first
/// @throws KernelError for edges that name no pose, errors that aren't positive, poses that are no rigid
/// transforms, a pose that no edges connect, or when out of memory; Cancelled.
PoseGraphResult optimizePoseGraph(std::span<const RigidTransform> poses, std::span<const PoseEdge> edges,
                                  const PoseGraphParams& params, const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
