#pragma once
// Declares the distances between two meshes in both directions.
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstddef>

namespace scanloupe {

/// Distances from one mesh to the other, in the meshes' unit.
struct SurfaceDistance {
    DistanceStats samples; ///< statistics over samples that are spread evenly over the surface
    double largest = 0;    ///< maximum over the samples and all vertices
    Vec3d at;              ///< position of the maximum, in the meshes' frame
};

/// Distances between two meshes in both directions.
struct MeshDistance {
    SurfaceDistance forth, back; ///< `forth`: from the first mesh to the second; `back`: from the second to
                                 ///< the first
    double areas[2] = {};        ///< areas of both meshes, in the squared unit of the meshes
    bool computedOnDevice = false;
    double milliseconds = 0;

    /// Returns the Hausdorff distance over the samples, which is a lower bound of the exact distance.
    double hausdorff() const { return forth.largest > back.largest ? forth.largest : back.largest; }
};

/// Returns `count` samples of a mesh, uniform in area and reproducible. The area is divided into `count`
/// equal parts, and a point is taken from each by a low-discrepancy sequence (Roberts's R2). Empty for a mesh
/// without area.
/// @throws Cancelled
Buffer<Vec3f> placesOn(const TriangleMesh& mesh, std::size_t count, const std::stop_token& stop);

/// Measures the distances between two meshes.
/// @param first, second on the host
/// @param samples number of samples on each mesh
/// @throws EngineError for a mesh without triangles or area; KernelError; Cancelled.
MeshDistance meshDistance(const TriangleMesh& first, const TriangleMesh& second, std::size_t samples,
                          const Execution& on);

} // namespace scanloupe
