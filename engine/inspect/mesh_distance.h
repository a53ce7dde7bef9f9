#pragma once
// Declares the distances between two meshes, both ways.
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstddef>

namespace scanloupe {

/// Distances of places of one mesh from the other one, in their unit.
struct SurfaceDistance {
    DistanceStats samples; ///< of places spread evenly over the surface
    double largest = 0;    ///< of these places and all vertices
    Vec3d at;              ///< the place of the largest; the meshes' frame
};

/// Between two meshes.
struct MeshDistance {
    SurfaceDistance forth, back; ///< from the first to the second, and from the second to the first
    double areas[2] = {};        ///< squares of the meshes' unit
    bool computedOnDevice = false;
    double milliseconds = 0;

    /// The Hausdorff distance, as far as it is known by the places that were measured: a lower bound of it.
    double hausdorff() const { return forth.largest > back.largest ? forth.largest : back.largest; }
};

/// `count` places spread over a mesh by area, the same at each call: those of equal shares of the area, in
/// each a place of a sequence of low discrepancy (Roberts's R2). Empty for a mesh without area. @throws
/// Cancelled
Buffer<Vec3f> placesOn(const TriangleMesh& mesh, std::size_t count, const std::stop_token& stop);

/// @param first, second on the host @param samples on each mesh
/// @throws EngineError for a mesh without triangles or area; KernelError; Cancelled.
MeshDistance meshDistance(const TriangleMesh& first, const TriangleMesh& second, std::size_t samples,
                          const Execution& on);

} // namespace scanloupe
