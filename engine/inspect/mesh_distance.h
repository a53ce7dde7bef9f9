#pragma once
// Declares the distances between two meshes, both ways.
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstddef>

namespace scanloupe {

/// Distances from one mesh to the other one, in the meshes' unit.
struct SurfaceDistance {
    DistanceStats samples; ///< statistics of samples spread evenly over the surface
    double largest = 0;    ///< maximum over these samples and all vertices
    Vec3d at;              ///< position of the maximum; the meshes' frame
};

/// Between two meshes.
struct MeshDistance {
    SurfaceDistance forth, back; ///< from the first to the second, and from the second to the first
    double areas[2] = {};        ///< squares of the meshes' unit
    bool computedOnDevice = false;
    double milliseconds = 0;

    /// The Hausdorff distance over the samples: a lower bound of the exact one.
    double hausdorff() const { return forth.largest > back.largest ? forth.largest : back.largest; }
};

/// `count` samples of a mesh, uniform in area, the same at each call: from each of `count` equal shares of
/// the area, a point of a low-discrepancy sequence (Roberts's R2). Empty for a mesh without area.
/// @throws Cancelled
Buffer<Vec3f> placesOn(const TriangleMesh& mesh, std::size_t count, const std::stop_token& stop);

/// @param first, second on the host @param samples on each mesh
/// @throws EngineError for a mesh without triangles or area; KernelError; Cancelled.
MeshDistance meshDistance(const TriangleMesh& first, const TriangleMesh& second, std::size_t samples,
                          const Execution& on);

} // namespace scanloupe
