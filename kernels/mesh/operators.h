#pragma once
// Operators of this folder with two backends, which dispatch to the backend of an Execution. Input and
// results are in the memory of that backend, except distances and parts of surfaces, which are on the host.
#include "kernels/core/execution.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/nearest_voxels.h"
#include "kernels/mesh/distance/signed_distance.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/part/surface_part.h"
#include "kernels/mesh/smooth/smooth_mesh.h"
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Extracts the iso-surface of a field, see cpu::extractSurface.
inline TriangleMesh extractSurface(const ScalarField& field, float iso, const Execution& on) {
    if (on.bySycl())
        return on.sycl->extractSurface(field, iso, on.stop);
    return on.onDevice() ? cuda::extractSurface(field, iso, on.stop, *on.device)
                         : cpu::extractSurface(field, iso, on.stop);
}

/// Extracts the iso-surface of a field with its bricks, see cpu::extractBricks.
inline BrickedSurface extractBricks(const ScalarField& field, float iso, const Execution& on) {
    return on.onDevice() ? cuda::extractBricks(field, iso, on.stop, *on.device)
                         : cpu::extractBricks(field, iso, on.stop);
}

/// Cuts out the part of a surface that the bricks in a box own, see cpu::cutSurface.
inline SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns,
                              Vec3i brickDims, const IndexBox& owned, const Execution& on) {
    return on.onDevice() ? cuda::cutSurface(surface, columns, brickDims, owned, on.stop, *on.device)
                         : cpu::cutSurface(surface, columns, brickDims, owned, on.stop);
}

/// Distances of points to a mesh, see cpu::pointToMesh.
inline PointDistances pointToMesh(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                  const Execution& on) {
    return on.onDevice() ? cuda::pointToMesh(points, mesh, tree, on.stop, *on.device)
                         : cpu::pointToMesh(points.span(), mesh, tree, on.stop);
}

/// Computes signed distances from points to a mesh, see cpu::signedDistances.
inline SignedDistances signedDistances(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                                       const Pseudonormals& normals, float largest, const Execution& on) {
    return on.onDevice() ? cuda::signedDistances(points, mesh, tree, normals, largest, on.stop, *on.device)
                         : cpu::signedDistances(points.span(), mesh, tree, normals, largest, on.stop);
}

} // namespace scanloupe
