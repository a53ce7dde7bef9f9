#pragma once
// Declares how points are brought onto a mesh that they lie near.
#include "engine/inspect/reference_mesh.h"
#include "kernels/core/rigid_transform.h"

#include <cstddef>
#include <span>
#include <stop_token>

namespace scanloupe {

struct FitOptions {
    double largest = 0;              ///< metres; points farther away don't count; 0: no limit
    std::size_t mostPoints = 50'000; ///< every n-th is taken
    int mostIterations = 100;
};

/// How points lie after a fit.
struct MeshFit {
    RigidTransform motion;        ///< of the points, in the frame of ReferenceMesh::origin
    double before = 0, after = 0; ///< metres; median magnitude of the distances
    double share = 0;             ///< of the points that count, 0 to 1: the others are outliers to the fit
    int iterations = 0;
    bool hasConverged = false;
    int weakDirections = 0; ///< of six: along them the mesh does not hold the points, and they were not moved
};

/// The motion that makes distances to the mesh least: iterative closest points, along the directions of their
/// distances (Chen and Medioni, "Object modeling by registration of multiple range images", 1991), with
/// Tukey's weights, which leave out what does not belong to the mesh.
/// @param points from ReferenceMesh::origin, on the host, near their places: within some hundredths of their
/// size
/// @throws EngineError when there are too few points; KernelError; Cancelled.
MeshFit fitToMesh(std::span<const Vec3f> points, const ReferenceMesh& reference, const FitOptions& options,
                  const std::stop_token& stop);

/// The motion in the scan's frame.
RigidTransform inScanFrame(const RigidTransform& motion, Vec3d origin);

} // namespace scanloupe
